package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// full returns a dataset with every field set. Its four queries have 2, 1, 3 and 1 rows. Row i is
// in line 10+i or, from row 4 on, in line 20+i.
func full() *Dataset {
	d := NewDataset(7, 3)
	for i := range d.Rows() {
		copy(d.Row(i), []float32{float32(i + 1), 0, float32(-i)})
		d.Labels[i] = float64(i % 3)
		d.DocIDs = append(d.DocIDs, fmt.Sprint("d", i))
		d.Weights = append(d.Weights, float64(i)/2)
		d.Positions = append(d.Positions, int32(i+1))
	}
	d.Offsets, d.QueryIDs, d.QueryWeights = []int{0, 2, 3, 6, 7}, []string{"a", "b", "c", "d"}, []float64{1, 2, 3, 4}
	d.Names = []string{"x", "y", "z"}
	d.Absent = 5
	d.File = "f.txt"
	d.SetLine(0, 10)
	d.SetLine(4, 24)
	return d
}

// checkRows checks that the rows of got are those of d.
func checkRows(t *testing.T, got, d *Dataset, rows ...int) {
	t.Helper()
	if got.Rows() != len(rows) || got.Cols != d.Cols || (got.Sparse == nil) != (d.Sparse == nil) {
		t.Fatalf("%d × %d, want %d × %d", got.Rows(), got.Cols, len(rows), d.Cols)
	}
	for i, r := range rows {
		if !slices.Equal(got.AppendRow(nil, i), d.AppendRow(nil, r)) || got.Labels[i] != d.Labels[r] ||
			got.DocIDs[i] != d.DocIDs[r] || got.Weights[i] != d.Weights[r] || got.Positions[i] != d.Positions[r] ||
			got.Line(i) != d.Line(r) {
			t.Errorf("row %d is not row %d: %v, label %v, %v, line %d", i, r, got.AppendRow(nil, i), got.Labels[i],
				got.DocIDs[i], got.Line(i))
		}
	}
	if !slices.Equal(got.Names, d.Names) || got.File != d.File {
		t.Errorf("names %q, file %q", got.Names, got.File)
	}
}

func TestSubsetRows(t *testing.T) {
	for i, d := range []*Dataset{full(), full().ToSparse()} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s, err := d.SubsetRows([]int{3, 5, 5, 0, 6})
			if err != nil {
				t.Fatal(err)
			}
			checkRows(t, s, d, 3, 5, 5, 0, 6)
			if !slices.Equal(s.Offsets, []int{0, 3, 4, 5}) || !slices.Equal(s.QueryIDs, []string{"c", "a", "d"}) ||
				!slices.Equal(s.QueryWeights, []float64{3, 1, 4}) || s.Absent != 5 {
				t.Errorf("queries %v %q %v, %d absent", s.Offsets, s.QueryIDs, s.QueryWeights, s.Absent)
			}
			if s, err = d.SubsetRows([]int{1, 0}); err != nil || s.Absent != 3 { // the number of zeros
				t.Errorf("%v, %v absent", err, s.Absent)
			}
			if s, err = d.SubsetRows(nil); err != nil || s.Rows() != 0 || s.Queries() != 0 {
				t.Errorf("no rows: %v", err)
			}
			for want, rows := range map[string][]int{
				"row 7 is out of range: the dataset has 7":          {0, 7},
				"row -1 is out of range":                            {-1},
				"query 0 is not contiguous: it continues at row 1":  {0, 2, 1},
				"query 2 is not contiguous: it continues at row 3.": {4, 6, 3},
			} {
				if _, err := d.SubsetRows(rows); err == nil || !strings.Contains(err.Error()+".", want) {
					t.Errorf("%v: %v, want %s", rows, err, want)
				}
			}
		})
	}
	d := full()
	d.Offsets = []int{0, 0, 2, 2, 7} // queries without rows
	if s, err := d.SubsetRows([]int{0, 2}); err != nil || !slices.Equal(s.QueryIDs, []string{"b", "d"}) {
		t.Error(err, s.QueryIDs)
	}
}

// TestSubsetInvalid tests that contradicting fields cause errors.
func TestSubsetInvalid(t *testing.T) {
	for k, d := range []*Dataset{full(), full().ToSparse()} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			d.Cols = 20
			_, errRows := d.SubsetRows(nil)
			_, errQueries := d.SubsetQueries(nil)
			_, errColumns := d.SubsetColumns(nil)
			_, _, errSplit := d.Split(.5, 1)
			dense := d.Sparse == nil // to sparse data, columns may be beyond what rows list, but names are not
			for i, err := range []error{errRows, errQueries, errSplit, errColumns} {
				if (err == nil) != (!dense && i > 2) {
					t.Errorf("%d: %v", i, err)
				}
			}
		})
	}
}

func TestSubsetQueries(t *testing.T) {
	for i, d := range []*Dataset{full(), full().ToSparse()} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s, err := d.SubsetQueries([]int{2, 0, 2})
			if err != nil {
				t.Fatal(err)
			}
			checkRows(t, s, d, 3, 4, 5, 0, 1, 3, 4, 5)
			if !slices.Equal(s.Offsets, []int{0, 3, 5, 8}) || !slices.Equal(s.QueryIDs, []string{"c", "a", "c"}) {
				t.Errorf("queries %v %q", s.Offsets, s.QueryIDs)
			}
			for _, q := range []int{-1, 4} {
				_, err := d.SubsetQueries([]int{q})
				if err == nil || !strings.Contains(err.Error(), "dataset has 4 queries") {
					t.Errorf("query %d: %v", q, err)
				}
			}
		})
	}
	// Fields that are not set remain unset.
	d := full()
	d.DocIDs, d.Weights, d.QueryWeights, d.Positions, d.Names = nil, nil, nil, nil, nil
	d.File, d.lines = "", nil
	if s, err := d.SubsetQueries([]int{1}); err != nil || s.DocIDs != nil || s.Weights != nil ||
		s.QueryWeights != nil || s.Positions != nil || s.Names != nil || s.lines != nil || s.Line(0) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSubsetColumns(t *testing.T) {
	for k, d := range []*Dataset{full(), full().ToSparse()} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			s, err := d.SubsetColumns([]int{2, 0})
			if err != nil {
				t.Fatal(err)
			}
			for i := range d.Rows() {
				if got := s.AppendRow(nil, i); !slices.Equal(got, []float32{float32(-i), float32(i + 1)}) {
					t.Errorf("row %d: %v", i, got)
				}
			}
			if s.Cols != 2 || !slices.Equal(s.Names, []string{"z", "x"}) || s.Absent != 1 || s.Rows() != 7 ||
				s.Line(4) != 24 {
				t.Errorf("%+v", s)
			}
			for want, columns := range map[string][]int{
				"column 3 is out": {3}, "column -1 is out": {-1}, "column 1 is given twice": {1, 1},
			} {
				if _, err := d.SubsetColumns(columns); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v: %v", columns, err)
				}
			}
		})
	}
}

// dealt returns n queries. Every third has the highest label 2, and the others 0.
func dealt(n int) *Dataset {
	d := NewDataset(2*n, 1)
	d.QueryIDs = make([]string, n)
	for q := range n {
		d.Offsets = append(d.Offsets, 2*q+2)
		d.QueryIDs[q] = fmt.Sprint(q)
		if q%3 == 0 {
			d.Labels[2*q] = 2
		}
	}
	return d
}

func relevant(d *Dataset) (n int) {
	for _, y := range d.Labels {
		n += int(y / 2)
	}
	return n
}

func TestSplit(t *testing.T) {
	d := dealt(30)
	for _, c := range []struct {
		fraction        float64
		first, relevant int
	}{{.8, 24, 8}, {.5, 15, 5}, {.001, 1, 0}, {.9999, 29, 9}, {.35, 11, 4}} { // 10.5 rounds to 11
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			a, b, err := d.Split(c.fraction, 1)
			if err != nil {
				t.Fatal(err)
			}
			if a.Queries() != c.first || b.Queries() != 30-c.first {
				t.Errorf("%v: %d and %d queries", c.fraction, a.Queries(), b.Queries())
			}
			if math.Abs(float64(relevant(a)-c.relevant)) > 1 {
				t.Errorf("%v: %d of 10 relevant queries", c.fraction, relevant(a))
			}
			seen := append(slices.Clone(a.QueryIDs), b.QueryIDs...)
			slices.Sort(seen)
			if len(slices.Compact(seen)) != 30 {
				t.Errorf("%v: %q and %q", c.fraction, a.QueryIDs, b.QueryIDs)
			}
		})
	}
	// The same on every platform.
	if a, _, _ := d.Split(.2, 1); strings.Join(a.QueryIDs, " ") != splitIDs {
		t.Errorf("%q", a.QueryIDs)
	}
	if a, _, _ := d.Split(.2, 2); strings.Join(a.QueryIDs, " ") == splitIDs {
		t.Error("another seed draws the same")
	}
	for _, c := range []struct {
		d        *Dataset
		fraction float64
	}{{d, 0}, {d, 1}, {d, math.NaN()}, {dealt(1), .5}} {
		t.Run(fmt.Sprint(c.fraction), func(t *testing.T) {
			if _, _, err := c.d.Split(c.fraction, 1); err == nil {
				t.Errorf("fraction %v of %d queries", c.fraction, c.d.Queries())
			}
		})
	}
}

func TestParts(t *testing.T) {
	d := dealt(30)
	for _, c := range []struct {
		fractions []float64
		sizes     string
	}{{[]float64{.8, .1, .1}, "[24 3 3]"}, {[]float64{.1, .2, .3, .4}, "[3 6 9 12]"}, {[]float64{1}, "[30]"},
		{[]float64{.99, .005, .005}, "[28 1 1]"}, {[]float64{.005, .99, .005}, "[1 28 1]"}} {
		t.Run(fmt.Sprint(c.fractions), func(t *testing.T) {
			parts, err := d.Parts(c.fractions, 1)
			if err != nil {
				t.Fatal(err)
			}
			var sizes, all []int
			for k, part := range parts {
				sizes, all = append(sizes, len(part)), append(all, part...)
				share, err := d.SubsetQueries(part)
				if err != nil || !slices.IsSorted(part) || math.Abs(float64(relevant(share))-10*c.fractions[k]) > 1 {
					t.Errorf("part %d: %v, %d relevant, %v", k, part, relevant(share), err)
				}
			}
			slices.Sort(all)
			if fmt.Sprint(sizes) != c.sizes || len(slices.Compact(all)) != 30 {
				t.Errorf("sizes %v, want %s", sizes, c.sizes)
			}
		})
	}
	for want, fractions := range map[string][]float64{
		"the fractions must add up to 1, not 0.9": {.5, .4}, "must be positive": {1.5, -.5}, "not 0": nil,
		"31 parts require at least 31 queries, not 30": slices.Repeat([]float64{1 / 31.}, 31),
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := d.Parts(fractions, 1); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v", fractions, err)
			}
		})
	}
}

func TestFolds(t *testing.T) {
	d := dealt(31)
	folds, err := d.Folds(4, 7)
	if err != nil {
		t.Fatal(err)
	}
	var all, first []int
	for train, test := range folds {
		both := append(slices.Clone(train), test...)
		slices.Sort(both)
		tested, err := d.SubsetQueries(test)
		if err != nil || len(slices.Compact(both)) != 31 || len(test) < 7 || len(test) > 8 ||
			relevant(tested) < 2 || relevant(tested) > 3 || !slices.IsSorted(train) || !slices.IsSorted(test) {
			t.Errorf("%v, %v, %v", train, test, err)
		}
		if all == nil {
			first = test
		}
		all = append(all, test...)
	}
	slices.Sort(all)
	if len(slices.Compact(all)) != 31 {
		t.Errorf("queries measured: %v", all)
	}
	if got := fmt.Sprint(first); got != foldQueries {
		t.Error(got)
	}
	for range folds {
		break
	}
	for _, k := range []int{-1, 1, 32} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			if _, err := d.Folds(k, 7); err == nil {
				t.Errorf("%d folds", k)
			}
		})
	}
}

const (
	splitIDs    = "2 12 17 20 23 24"
	foldQueries = "[0 2 5 13 16 18 24 26]"
)

func TestFeatureName(t *testing.T) {
	d := full()
	if got := d.FeatureName(1); got != "feature 2 (y)" {
		t.Error(got)
	}
	d.Names = nil
	if got := d.FeatureName(1); got != "feature 2" {
		t.Error(got)
	}
}

// The lines of a dataset do not change those of a copy with which it shares memory.
func TestSetLine(t *testing.T) {
	d := full()
	other := *d
	other.SetLine(2, 50)
	other.SetLine(6, 54) // as if it shared no memory
	d.SetLine(6, 0)
	want := [2][]int{{10, 11, 12, 13, 24, 25, 0}, {10, 11, 50, 51, 52, 53, 54}}
	for i := range d.Rows() {
		if got := [2]int{d.Line(i), other.Line(i)}; got != [2]int{want[0][i], want[1][i]} {
			t.Errorf("row %d: lines %v, want %d and %d", i, got, want[0][i], want[1][i])
		}
	}
	if len(other.lines) != 2 {
		t.Errorf("%d runs of lines, want 2", len(other.lines))
	}
}
