package model

import (
	"slices"

	"github.com/simdrank/simdrank/internal/files"
)

// exactCategories is the limit of categories in formats that compare a feature with a single
// category. Whole numbers above the limit are not exact in float32.
const exactCategories = 1 << 24

// A setMemory counts the bytes of the category sets of a model that is being read, and keeps the
// first error of the budget.
type setMemory struct {
	*files.Budget
	err error
}

// take counts the bytes of a set with the given number of words, and reports whether the limit
// permits the set.
func (m *setMemory) take(words int) bool {
	if m.err == nil {
		m.err = m.Hold("the category sets", 4*int64(words))
	}
	return m.err == nil
}

// of returns a list of categories as a bit set. If the memory limit is exceeded, the set is empty.
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
