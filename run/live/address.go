package live

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// DefaultAddress is a free port of this host, which other hosts cannot reach.
const DefaultAddress = "127.0.0.1:0"

// ParseAddress returns HOST:PORT for a text that may leave one of them out: PORT, HOST, HOST:PORT,
// or :PORT for all addresses of this host. Without HOST it is 127.0.0.1, without PORT a free port.
func ParseAddress(text string) (string, error) {
	host, port, err := net.SplitHostPort(text)
	switch {
	case err == nil:
	case text != "" && isDigits(text):
		host, port = "127.0.0.1", text
	default:
		host, port = strings.Trim(text, "[]"), "0"
	}
	if n, err := net.LookupPort("tcp", port); err != nil || text == "" || port == "" || n > 65535 {
		return "", fmt.Errorf("%q: expected HOST:PORT, HOST or PORT, with a port of 0 to 65535", text)
	}
	return net.JoinHostPort(host, port), nil
}

// LooksLikeAddress reports whether a word has the form HOST:PORT, :PORT or [IPv6]:PORT. PORT has
// digits only, and HOST only letters, digits, dots, hyphens and underscores, so that a path with a
// slash is never an address. The port may be too large: ParseAddress returns the error.
func LooksLikeAddress(word string) bool {
	at := strings.LastIndexByte(word, ':')
	if at < 0 || at == len(word)-1 || !isDigits(word[at+1:]) {
		return false
	}
	host := word[:at]
	if inner, ok := strings.CutPrefix(host, "["); ok {
		ip, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		return err == nil && ip.Is6() && strings.HasSuffix(inner, "]")
	}
	return !strings.ContainsFunc(host, isNoHostRune)
}

// isDigits reports whether a text has no other characters than digits.
func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// isNoHostRune reports whether names of hosts cannot contain a character.
func isNoHostRune(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-", r))
}
