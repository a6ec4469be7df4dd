package lambdamart

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
)

// This file handles text categories.

// withTexts returns the categorical features together with the features that have text categories.
func withTexts(categorical []int, lists [][]string) []int {
	if !text.HasCategories(lists) {
		return categorical
	}
	all := slices.Clone(categorical)
	for f, list := range lists {
		if list != nil {
			all = append(all, f)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// CheckCategories returns an error unless the text categories of a dataset are numbered as in the
// model. lists is the dataset's Categories. A list may be shorter than the model's list, or may
// append new texts to it. A numeric column may contain the numbers of the categories. Use
// [rank.Dataset.WithCategories] to renumber the texts.
func (m *Model) CheckCategories(lists [][]string) error {
	for f, list := range lists {
		if list == nil {
			continue
		}
		own := text.CategoriesOf(m.Categories, f)
		n := min(len(own), len(list))
		switch {
		case own == nil:
			return errs.Errorf("lambdamart", "%s contains text categories in the data, but not in the model", m.nameOf(f))
		case !slices.Equal(own[:n], list[:n]):
			return errs.Errorf("lambdamart", "%s: the text categories of the data are not numbered as in the model "+
				"(use Dataset.WithCategories)", m.nameOf(f))
		}
	}
	return nil
}

// nameOf returns the name of a feature for errors.
func (m *Model) nameOf(f int) string {
	if f < len(m.FeatureNames) {
		return fmt.Sprintf("feature %d (%s)", f, m.FeatureNames[f])
	}
	return fmt.Sprintf("feature %d", f)
}

// validateCategories returns an error if the text categories are invalid, or if a split uses a
// category without a text. Such a category could be a text of the data that the model does not
// know.
func (m *Model) validateCategories() error {
	if m.Categories == nil {
		return nil
	}
	if len(m.Categories) != m.NumFeatures {
		return fmt.Errorf("the number of lists in Categories is %d; it must be %d, one per feature",
			len(m.Categories), m.NumFeatures)
	}
	for f, list := range m.Categories {
		if err := text.CheckCategories(list, m.nameOf(f)); err != nil {
			return err
		}
	}
	for i := range m.Trees {
		t := &m.Trees[i]
		for s, set := range t.Categories {
			list := text.CategoriesOf(m.Categories, int(t.Feature[s]))
			if set = trimmed(set); list == nil || len(set) == 0 {
				continue
			}
			if last := 32*len(set) - 1 - bits.LeadingZeros32(set[len(set)-1]); last >= len(list) {
				return fmt.Errorf("tree %d: split %d: category %d is out of range; %s has %d text categories", i, s, last,
					m.nameOf(int(t.Feature[s])), len(list))
			}
		}
	}
	return nil
}
