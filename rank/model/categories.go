package model

import (
	"fmt"
	"slices"

	"github.com/simdrank/simdrank/rank"
)

// A setMemory counts the bytes that the category sets of a model take that is being read.
type setMemory struct{ limit, needed int64 }

// take counts a set of this number of words and reports whether the limit allows it.
func (m *setMemory) take(words int) bool {
	m.needed += 4 * int64(words)
	return m.needed <= m.limit
}

// of returns the set of a list of categories. Beyond the limit it is empty, and check returns an
// error after all sets are counted.
func (m *setMemory) of(list []int64) []uint32 {
	words := 0
	if len(list) > 0 {
		words = int(slices.Max(list)/32) + 1
	}
	if !m.take(words) {
		return []uint32{}
	}
	set := make([]uint32, words)
	for _, c := range list {
		set[c/32] |= 1 << (c % 32)
	}
	return set
}

// check returns an error if the sets take more than the limit.
func (m *setMemory) check() error {
	if m.needed <= m.limit {
		return nil
	}
	return &rank.OptionError{Option: "MemoryLimit",
		Err: fmt.Errorf("the category sets need %d bytes of memory, and the limit is %d", m.needed, m.limit)}
}
