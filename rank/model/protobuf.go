package model

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"

	"github.com/simdrank/simdrank/internal/files"
)

// This file reads and writes the wire format of Protocol Buffers
// (https://protobuf.dev/programming-guides/encoding). A message is a sequence of fields. A field
// consists of a tag, which contains the field number and the wire type, and of a value. Groups,
// which are obsolete, are not supported.

// These are the wire types.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireContent = 2 // a length, followed by this number of bytes: a string, a message or a packed list
	wireFixed32 = 5
)

// A message is the content of a length-delimited field: a message, a string or a packed list.
type message struct {
	data []byte
	at   int // position of data in the file
}

// A wireField is a field of a message.
type wireField struct {
	number, wire int
	value        uint64  // the value, unless the wire type is wireContent
	content      message // the value, if the wire type is wireContent
}

// A protobuf keeps the first error of reading messages.
type protobuf struct {
	budget *files.Budget
	err    error
}

// fail records err, unless an earlier error was recorded.
func (p *protobuf) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// hold counts bytes before they are allocated. It returns false if the bytes exceed the memory
// limit.
func (p *protobuf) hold(what string, bytes int64) bool {
	err := p.budget.Hold(what, bytes)
	p.fail(err)
	return err == nil
}

// next removes the first field of a message and returns it.
func (p *protobuf) next(m *message) (f wireField, ok bool) {
	tag := p.varint(m)
	if tag>>3 == 0 || tag>>3 > math.MaxInt32 {
		p.failAt(*m, "the field number %d is not valid", tag>>3)
	}
	f.number, f.wire = int(tag>>3&math.MaxInt32), int(tag&7)
	switch f.wire {
	case wireVarint:
		f.value = p.varint(m)
	case wireFixed64, wireFixed32:
		f.value = p.fixed(m, f.wire)
	case wireContent:
		n := p.varint(m)
		if n > uint64(len(m.data)) {
			p.failAt(*m, "a field of %d bytes exceeds its message, which has %d bytes left: the file may be truncated", n,
				len(m.data))
			return f, false
		}
		f.content = message{m.data[:n], m.at}
		m.skip(int(n))
	default:
		p.failAt(*m, "the wire type %d is not supported", f.wire)
	}
	return f, p.err == nil
}

func (p *protobuf) failAt(m message, format string, args ...any) {
	p.fail(fmt.Errorf("byte %d: %w", m.at+1, fmt.Errorf(format, args...)))
}

func (m *message) skip(n int) { m.data, m.at = m.data[n:], m.at+n }

// varint removes a number of up to 64 bits from the start of a message and returns it.
func (p *protobuf) varint(m *message) uint64 {
	v, n := binary.Uvarint(m.data)
	if n <= 0 {
		p.failAt(*m, "a number is incomplete or too large: the file may be truncated")
		return 0
	}
	m.skip(n)
	return v
}

// fixed removes a number of 4 or 8 bytes from the start of a message and returns it.
func (p *protobuf) fixed(m *message, wire int) (v uint64) {
	size := 4
	if wire == wireFixed64 {
		size = 8
	}
	if len(m.data) < size {
		p.failAt(*m, "a number of %d bytes is incomplete: the file may be truncated", size)
		return 0
	}
	if size == 8 {
		v = binary.LittleEndian.Uint64(m.data)
	} else {
		v = uint64(binary.LittleEndian.Uint32(m.data))
	}
	m.skip(size)
	return v
}

// fields returns the fields of a message that have the given number, and skips other fields. It
// stops at an error.
func (p *protobuf) fields(m message, number int) iter.Seq[wireField] {
	return func(yield func(wireField) bool) {
		for len(m.data) > 0 {
			f, ok := p.next(&m)
			if !ok || f.number == number && !yield(f) {
				return
			}
		}
	}
}

// contents returns the messages or strings of a repeated field.
func (p *protobuf) contents(m message, number int) iter.Seq[message] {
	return func(yield func(message) bool) {
		for f := range p.fields(m, number) {
			if f.wire != wireContent {
				p.wrongType(m, f)
			}
			if p.err != nil || !yield(f.content) {
				return
			}
		}
	}
}

func (p *protobuf) wrongType(m message, f wireField) {
	p.failAt(m, "field %d of the message has the wire type %d, which is not valid for it", f.number, f.wire)
}

// content returns a message or string, which is empty if the field is absent. If the field is
// repeated, the last one counts.
func (p *protobuf) content(m message, number int) (last message) {
	for c := range p.contents(m, number) {
		last = c
	}
	return last
}

func (p *protobuf) text(m message, number int) string { return string(p.content(m, number).data) }

// values returns the numbers of a field with the given wire type. The field may be repeated and
// packed.
func (p *protobuf) values(m message, number, wire int) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for f := range p.fields(m, number) {
			switch f.wire {
			case wire:
				if !yield(f.value) {
					return
				}
			case wireContent:
				for list := f.content; len(list.data) > 0; {
					var v uint64
					if wire == wireVarint {
						v = p.varint(&list)
					} else {
						v = p.fixed(&list, wire)
					}
					if p.err != nil || !yield(v) {
						return
					}
				}
			default:
				p.wrongType(m, f)
				return
			}
		}
	}
}

// whole returns the whole number in a field, or 0 if the field is absent.
func (p *protobuf) whole(m message, number int) (last int64) {
	for v := range p.values(m, number, wireVarint) {
		last = int64(v)
	}
	return last
}

// appendTag appends the tag of a field.
func appendTag(b []byte, number, wire int) []byte {
	return binary.AppendUvarint(b, uint64(number)<<3|uint64(wire))
}

// appendWhole appends a field that contains a whole number.
func appendWhole(b []byte, number int, v int64) []byte {
	return binary.AppendUvarint(appendTag(b, number, wireVarint), uint64(v))
}

// appendFloat appends a field that contains a float32.
func appendFloat(b []byte, number int, v float32) []byte {
	return binary.LittleEndian.AppendUint32(appendTag(b, number, wireFixed32), math.Float32bits(v))
}

// appendContent appends a field that contains a message or string.
func appendContent[T string | []byte](b []byte, number int, content T) []byte {
	b = binary.AppendUvarint(appendTag(b, number, wireContent), uint64(len(content)))
	return append(b, content...)
}
