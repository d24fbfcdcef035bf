package scenario

import (
	"fmt"

	"treesplit/comm"
)

// DescribeMessage describes a message as far as that does not depend on the protocol.
func DescribeMessage(m comm.Message) string {
	switch m.Kind {
	case comm.Token:
		if m.Tag == again {
			return "Token again"
		}
		return fmt.Sprintf("Token %s, count %d", [...]string{"white", "black"}[m.Tag&1], m.Arg)
	case comm.Grant:
		return fmt.Sprintf("Grant of credit 2^-%d", m.Arg)
	case comm.Credit:
		return fmt.Sprintf("Credit 2^-%d", m.Arg)
	}
	return m.Kind.String()
}

// again is the Tag of a Token that calls for another round of a wave. 0 is white, 1 black.
const again = 2
