// Command spawnasm generates the assembler routine that computes the states of a UTS
// node's children with the SHA instructions of amd64 processors. Run it by
//
//	go generate ./uts
//
// All children of a node are hashed in one call, two at a time: an instruction of the
// SHA-1 rounds takes several cycles before the next one can use its result, and a second
// hash fills the wait. A message is one block of which the first four words, the
// parent's, are the same for all children, so the first four rounds are done once; and
// states are words, so no byte is ever swapped.
//
// Source: S. Gulley et al., Intel SHA Extensions, Intel white paper 2013, for the
// schedule of the instructions.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lane is one hash in progress. Four words lie in a register, the first one on top.
type lane struct {
	abcd    reg.VecVirtual
	e       [2]reg.VecVirtual // e[g%2] enters the g-th group of four rounds on top, the other leaves it
	message [4]reg.VecVirtual // words 4g..4g+3 of the message schedule are message[g%4] at group g
}

// shared is what the lanes have in common.
type shared struct {
	initial  Mem            // the initial a, b, c, d
	initialE Mem            // the initial e on top of zeros
	padding  Mem            // words 4..7 except for the parent's last word and the child's number
	length   Mem            // words 12..15
	words    reg.VecVirtual // words 0..3: the parent's first four
	last     reg.GPVirtual  // the parent's last word
	abcd     reg.VecVirtual // a, b, c, d after the first group of rounds
}

const groups = 20

func main() {
	ConstraintExpr("!purego")
	TEXT("spawnSHA", NOSPLIT, "func(dst *[5]uint32, n int, parent *[5]uint32, first uint32)")
	Doc("spawnSHA computes the states of the n children first, first+1, … of parent, n ≥ 0.",
		"It needs the SHA, SSSE3 and SSE4.1 instructions.")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	n := Load(Param("n"), GP64())
	parent := Load(Param("parent"), GP64())
	child := Load(Param("first"), GP32())
	s := prepare(parent.(reg.GPVirtual))

	Label("pair")
	CMPQ(n, Imm(2))
	JL(LabelRef("single"))
	hash(s, dst, child, 2)
	ADDQ(Imm(40), dst)
	ADDL(Imm(2), child)
	SUBQ(Imm(2), n)
	JMP(LabelRef("pair"))

	Label("single")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	hash(s, dst, child, 1)
	Label("done")
	RET()
	Generate()
}

// prepare does what depends on the parent alone.
func prepare(parent reg.GPVirtual) shared {
	s := shared{
		initial:  words("initial", 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476),
		initialE: words("initialE", 0xc3d2e1f0, 0, 0, 0),
		padding:  words("padding", 0, 0, 0x80000000, 0),
		length:   words("length", 0, 0, 0, 192),
		words:    XMM(), last: GP32(), abcd: XMM(),
	}
	MOVUPS(Mem{Base: parent}, s.words)
	PSHUFD(Imm(0x1b), s.words, s.words)
	MOVL(Mem{Base: parent, Disp: 16}, s.last)
	e := XMM()
	MOVUPS(s.initialE, e)
	PADDL(s.words, e)
	MOVUPS(s.initial, s.abcd)
	SHA1RNDS4(Imm(0), e, s.abcd)
	return s
}

// words is a constant of four words, the first one on top.
func words(name string, w0, w1, w2, w3 uint32) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i, w := range []uint32{w3, w2, w1, w0} {
		DATA(4*i, U32(w))
	}
	return m
}

// hash computes the states of some children at once, one in each lane.
func hash(s shared, dst, child reg.Register, lanes int) {
	var all []lane
	for i := range lanes {
		all = append(all, start(s, child, i))
	}
	for g := 1; g < groups; g++ {
		for _, l := range all {
			l.group(g)
		}
	}
	for i, l := range all {
		l.finish(s, dst, 20*i)
	}
}

// start sets a lane to where the second group of rounds begins.
func start(s shared, child reg.Register, number int) lane {
	l := lane{abcd: XMM(), e: [2]reg.VecVirtual{XMM(), XMM()}}
	for i := range l.message {
		l.message[i] = XMM()
	}
	i := GP32()
	LEAL(Mem{Base: child, Disp: number}, i)
	MOVUPS(s.padding, l.message[1])
	PINSRD(Imm(3), s.last, l.message[1])
	PINSRD(Imm(2), i, l.message[1])
	MOVO(s.words, l.message[0])
	SHA1MSG1(l.message[1], l.message[0])
	PXOR(l.message[2], l.message[2])
	MOVUPS(s.length, l.message[3])
	MOVO(s.abcd, l.abcd)
	MOVUPS(s.initial, l.e[1]) // a before the first group is e, except for a rotation, after it
	return l
}

// group does four rounds and the part of the message schedule that they allow: words
// 4G..4G+3 are made of the four registers before them in three steps, at the groups
// G−3, G−2 and G−1.
func (l lane) group(g int) {
	now, next := l.e[g%2], l.e[(g+1)%2]
	message := func(group int) reg.VecVirtual { return l.message[group%4] }
	SHA1NEXTE(message(g), now)
	MOVO(l.abcd, next)
	if g+1 >= 4 && g+1 < groups {
		SHA1MSG2(message(g), message(g+1))
	}
	SHA1RNDS4(Imm(uint64(g/5)), now, l.abcd)
	if g > 1 && g+3 < groups {
		SHA1MSG1(message(g), message(g+3))
	}
	if g > 1 && g+2 < groups {
		PXOR(message(g), message(g+2))
	}
}

// finish adds the initial state and stores the digest.
func (l lane) finish(s shared, dst reg.Register, offset int) {
	e := l.e[groups%2]
	initialE, initial := XMM(), XMM()
	MOVUPS(s.initialE, initialE)
	SHA1NEXTE(initialE, e)
	MOVUPS(s.initial, initial)
	PADDL(initial, l.abcd)
	PSHUFD(Imm(0x1b), l.abcd, l.abcd)
	MOVUPS(l.abcd, Mem{Base: dst, Disp: offset})
	PEXTRD(Imm(3), e, Mem{Base: dst, Disp: offset + 16})
}
