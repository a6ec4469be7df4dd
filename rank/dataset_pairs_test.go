package rank

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// pairsOf returns a dataset of two queries, of three and two rows, with the given pairs.
func pairsOf(pairs ...Pair) *Dataset {
	d := NewDataset(5, 1)
	d.Offsets, d.QueryIDs, d.Pairs = []int{0, 3, 5}, []string{"a", "b"}, pairs
	return d
}

func TestPairErrors(t *testing.T) {
	for _, c := range []struct {
		want string
		pair Pair
	}{
		{"pair 1 of rows -1 and 0: rows must be from 0 to 4", Pair{-1, 0, 1}},
		{"pair 1 of rows 5 and 4: rows must be from 0 to 4", Pair{5, 4, 1}},
		{"pair 1 of rows 4 and 5: both rows must belong to the same query", Pair{4, 5, 1}},
		{"pair 1 of rows 3 and 2: both rows must belong to the same query", Pair{3, 2, 1}},
		{"pair 1 of rows 0 and 1: pairs must be sorted by query", Pair{0, 1, 1}},
		{"pair 1 of rows 3 and 3: the rows must differ", Pair{3, 3, 1}},
		{"pair 1 of rows 4 and 3: the weight is -1; it must be finite and not negative", Pair{4, 3, -1}},
		{"pair 1 of rows 4 and 3: the weight is NaN; it must be", Pair{4, 3, math.NaN()}},
	} {
		t.Run(c.want, func(t *testing.T) {
			if err := pairsOf(Pair{3, 4, 1}, c.pair).Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	for _, c := range []struct {
		want string
		s    RankSVM
		d    *Dataset
	}{
		{"cannot train: no pair has a positive weight", RankSVM{}, pairsOf(Pair{0, 1, 0})},
		{"cannot train: no pair has a positive weight", RankSVM{}, pairsOf([]Pair{}...)},
		{"Gain cannot be combined with Pairs", RankSVM{Gain: ExpGain}, pairsOf(Pair{0, 1, 1})},
	} {
		t.Run(c.want, func(t *testing.T) {
			if c.d.Pairs == nil {
				c.d.Pairs = []Pair{}
			}
			if _, err := c.s.Fit(t.Context(), c.d); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// Subsets and Concat keep the pairs of their rows.
func TestPairsOfSubsets(t *testing.T) {
	d := pairsOf(Pair{0, 1, 1}, Pair{2, 0, 2}, Pair{4, 3, 3})
	for _, c := range []struct {
		name   string
		subset func() (*Dataset, error)
		want   []Pair
	}{
		{"queries", func() (*Dataset, error) { return d.SubsetQueries([]int{1, 0, 1}) },
			[]Pair{{1, 0, 3}, {2, 3, 1}, {4, 2, 2}, {6, 5, 3}}},
		{"rows", func() (*Dataset, error) { return d.SubsetRows([]int{2, 0, 4}) }, []Pair{{0, 1, 2}}},
		{"repeated rows", func() (*Dataset, error) { return d.SubsetRows([]int{0, 0, 1}) },
			[]Pair{{0, 2, 1}, {1, 2, 1}}},
		{"columns", func() (*Dataset, error) { return d.SubsetColumns([]int{0}) }, d.Pairs},
		{"more columns", func() (*Dataset, error) { return d.WithColumns(3), nil }, d.Pairs},
		{"sparse", func() (*Dataset, error) { return d.ToSparse(), nil }, d.Pairs},
		{"concat", func() (*Dataset, error) { return Concat(pairsOf(), d), nil },
			[]Pair{{5, 6, 1}, {7, 5, 2}, {9, 8, 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := c.subset()
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(); err != nil || !slices.Equal(s.Pairs, c.want) {
				t.Errorf("pairs %v, error %v, want %v", s.Pairs, err, c.want)
			}
		})
	}
}

func TestPairAccuracy(t *testing.T) {
	d := pairsOf(Pair{0, 1, 1}, Pair{2, 0, 2}, Pair{4, 3, 3})
	for _, c := range []struct {
		name   string
		scores []float64
		want   float64
	}{
		{"all", []float64{2, 1, 3, 1, 2}, 1},
		{"some", []float64{1, 2, 3, 1, 2}, 5.0 / 6},
		{"ties", []float64{1, 1, 1, 2, 1}, 1.5 / 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := d.PairAccuracy(c.scores); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
	if got := pairsOf().PairAccuracy(make([]float64, 5)); !math.IsNaN(got) {
		t.Errorf("%v without pairs, want NaN", got)
	}
}
