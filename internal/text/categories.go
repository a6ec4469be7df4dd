package text

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// MaxCategories is the maximum number of texts in a column of categories. float32 holds all
// integers up to it, so unknown texts can have the next number.
const MaxCategories = 1<<24 - 1

// HasCategories reports whether lists, one per column, contain the texts of any column.
func HasCategories(lists [][]string) bool {
	return slices.ContainsFunc(lists, func(list []string) bool { return list != nil })
}

// CategoriesOf returns the texts of column j, or nil if the column contains numbers. lists may be
// shorter than the number of columns.
func CategoriesOf(lists [][]string, j int) []string {
	if j >= len(lists) {
		return nil
	}
	return lists[j]
}

// CheckCategories returns an error unless the texts of a column's categories are distinct, not
// empty and UTF-8. name is the name of the column.
func CheckCategories(list []string, name string) error {
	if len(list) > MaxCategories {
		return fmt.Errorf("%s has %d text categories; the limit is %d", name, len(list), MaxCategories)
	}
	known := make(map[string]bool, len(list))
	for _, s := range list {
		switch {
		case s == "":
			return fmt.Errorf("%s has an empty text category", name)
		case !utf8.ValidString(s):
			return NotUTF8("the text category of "+name, s)
		case known[s]:
			return fmt.Errorf("%s has the text category %q twice", name, Excerpt(s))
		}
		known[s] = true
	}
	return nil
}

// MergeCategories returns list with the texts of other that it lacks, in their order. It also
// returns the index of each text of other in the result, or nil if no index changes.
func MergeCategories(list, other []string) (merged []string, codes []float32) {
	n := min(len(list), len(other))
	if slices.Equal(list[:n], other[:n]) {
		if len(other) > n {
			return other, nil
		}
		return list, nil
	}
	known := make(map[string]int, len(list))
	for i, s := range list {
		known[s] = i
	}
	merged, codes = slices.Clip(list), make([]float32, len(other))
	for i, s := range other {
		at, found := known[s]
		if !found {
			at = len(merged)
			merged = append(merged, s)
		}
		codes[i] = float32(at)
	}
	return merged, codes
}
