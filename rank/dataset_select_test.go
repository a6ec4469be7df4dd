package rank

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/num"
)

// full returns a dataset with every field set: four queries of 2, 1, 3 and 1 rows, whose row i is
// in line 10+i, from row 4 on in 20+i.
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
	d.Source = Source{"f.txt", []LineRun{{Row: 0, Line: 10}, {Row: 4, Line: 24}}}
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
	if !slices.Equal(got.Names, d.Names) || got.Source.File != d.Source.File {
		t.Errorf("names %q, source %v", got.Names, got.Source)
	}
}

func TestSubsetRows(t *testing.T) {
	for _, d := range []*Dataset{full(), full().ToSparse()} {
		s, err := d.SubsetRows([]int{3, 5, 5, 0, 6})
		if err != nil {
			t.Fatal(err)
		}
		checkRows(t, s, d, 3, 5, 5, 0, 6)
		if !slices.Equal(s.Offsets, []int{0, 3, 4, 5}) || !slices.Equal(s.QueryIDs, []string{"c", "a", "d"}) ||
			!slices.Equal(s.QueryWeights, []float64{3, 1, 4}) || s.Absent != 5 {
			t.Errorf("queries %v %q %v, %d absent", s.Offsets, s.QueryIDs, s.QueryWeights, s.Absent)
		}
		if s, err = d.SubsetRows([]int{1, 0}); err != nil || s.Absent != 3 { // as many as there are zeros
			t.Errorf("%v, %v absent", err, s.Absent)
		}
		if s, err = d.SubsetRows(nil); err != nil || s.Rows() != 0 || s.Queries() != 0 {
			t.Errorf("no rows: %v", err)
		}
		for want, rows := range map[string][]int{
			"row 7 of a dataset with 7 rows":   {0, 7},
			"row -1 of":                        {-1},
			"query 0 begins again with row 1":  {0, 2, 1},
			"query 2 begins again with row 3.": {4, 6, 3},
		} {
			if _, err := d.SubsetRows(rows); err == nil || !strings.Contains(err.Error()+".", want) {
				t.Errorf("%v: %v, want %s", rows, err, want)
			}
		}
	}
	d := full()
	d.Offsets = []int{0, 0, 2, 2, 7} // queries without rows
	if s, err := d.SubsetRows([]int{0, 2}); err != nil || !slices.Equal(s.QueryIDs, []string{"b", "d"}) {
		t.Error(err, s.QueryIDs)
	}
}

// TestSubsetInvalid asks for errors where fields contradict each other.
func TestSubsetInvalid(t *testing.T) {
	for _, d := range []*Dataset{full(), full().ToSparse()} {
		d.Cols = 20
		_, errRows := d.SubsetRows(nil)
		_, errQueries := d.SubsetQueries(nil)
		_, errColumns := d.SubsetColumns(nil)
		_, errNormalize := d.Normalize(NormalizeSum)
		_, errDescribe := d.Describe(t.Context())
		_, _, errSplit := d.Split(.5, 1)
		dense := d.Sparse == nil // to sparse data, columns may be beyond what rows list, but names are not
		for i, err := range []error{errRows, errQueries, errNormalize, errSplit, errColumns, errDescribe} {
			if (err == nil) != (!dense && i > 3) {
				t.Errorf("%d: %v", i, err)
			}
		}
	}
}

func TestSubsetQueries(t *testing.T) {
	for _, d := range []*Dataset{full(), full().ToSparse()} {
		s, err := d.SubsetQueries([]int{2, 0, 2})
		if err != nil {
			t.Fatal(err)
		}
		checkRows(t, s, d, 3, 4, 5, 0, 1, 3, 4, 5)
		if !slices.Equal(s.Offsets, []int{0, 3, 5, 8}) || !slices.Equal(s.QueryIDs, []string{"c", "a", "c"}) {
			t.Errorf("queries %v %q", s.Offsets, s.QueryIDs)
		}
		for _, q := range []int{-1, 4} {
			if _, err := d.SubsetQueries([]int{q}); err == nil || !strings.Contains(err.Error(), "with 4 queries") {
				t.Errorf("query %d: %v", q, err)
			}
		}
	}
	// Fields that are not there stay away.
	d := full()
	d.DocIDs, d.Weights, d.QueryWeights, d.Positions, d.Names, d.Source = nil, nil, nil, nil, nil, Source{}
	if s, err := d.SubsetQueries([]int{1}); err != nil || s.DocIDs != nil || s.Weights != nil ||
		s.QueryWeights != nil || s.Positions != nil || s.Names != nil || s.Source.Runs != nil || s.Line(0) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSubsetColumns(t *testing.T) {
	for _, d := range []*Dataset{full(), full().ToSparse()} {
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
			"column 3 of": {3}, "column -1 of": {-1}, "column 1 is given twice": {1, 1},
		} {
			if _, err := d.SubsetColumns(columns); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v", columns, err)
			}
		}
	}
}

// dealt returns n queries of which every third has the highest label 2, and others 0.
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
		if _, _, err := c.d.Split(c.fraction, 1); err == nil {
			t.Errorf("fraction %v of %d queries", c.fraction, c.d.Queries())
		}
	}
}

func TestFolds(t *testing.T) {
	d := dealt(31)
	folds, err := d.Folds(4, 7)
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	for _, f := range folds {
		both := append(slices.Clone(f.Train), f.Test...)
		slices.Sort(both)
		test, err := d.SubsetQueries(f.Test)
		if err != nil || len(slices.Compact(both)) != 31 || len(f.Test) < 7 || len(f.Test) > 8 ||
			relevant(test) < 2 || relevant(test) > 3 || !slices.IsSorted(f.Train) || !slices.IsSorted(f.Test) {
			t.Errorf("%v, %v", f, err)
		}
		all = append(all, f.Test...)
	}
	slices.Sort(all)
	if len(slices.Compact(all)) != 31 {
		t.Errorf("queries measured: %v", all)
	}
	if got := fmt.Sprint(folds[0].Test); got != foldQueries {
		t.Error(got)
	}
	for _, k := range []int{-1, 1, 32} {
		if _, err := d.Folds(k, 7); err == nil {
			t.Errorf("%d folds", k)
		}
	}
}

const (
	splitIDs    = "2 12 17 20 23 24"
	foldQueries = "[0 2 5 13 16 18 24 26]"
)

func TestNormalize(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		by         Normalization
		from, want []float32 // of one column of one query
	}{
		{NormalizeSum, []float32{1, -3, 0, 4}, []float32{.125, -.375, 0, .5}},
		{NormalizeSum, []float32{0, 0}, []float32{0, 0}},
		{NormalizeSum, []float32{1, nan, 3}, []float32{.25, nan, .75}},
		{NormalizeSum, []float32{nan, nan}, []float32{nan, nan}},
		{NormalizeSum, []float32{3e38, 3e38, -1e-45}, []float32{.5, .5, 0}}, // and not −0
		{NormalizeZScore, []float32{1, 2, 3}, []float32{-1, 0, 1}},
		{NormalizeZScore, []float32{2, 0, 0, 2}, []float32{.8660254, -.8660254, -.8660254, .8660254}},
		{NormalizeZScore, []float32{.1, .1, .1}, []float32{.1, .1, .1}}, // whose mean is not .1
		{NormalizeZScore, []float32{5}, []float32{5}},
		{NormalizeZScore, []float32{nan, 0, nan}, []float32{nan, 0, nan}},
		{NormalizeZScore, []float32{nan, 1, 2, 3}, []float32{nan, -1, 0, 1}},
		{NormalizeLinear, []float32{1, 2, 5}, []float32{0, .25, 1}},
		{NormalizeLinear, []float32{0, 2, 8}, []float32{0, .25, 1}},
		{NormalizeLinear, []float32{-2, 0, 2}, []float32{0, .5, 1}},
		{NormalizeLinear, []float32{-4, -2, -3}, []float32{0, 1, .5}},
		{NormalizeLinear, []float32{7, 7}, []float32{0, 0}},
		{NormalizeLinear, []float32{nan, 1, 3}, []float32{nan, 0, 1}},
		{NormalizeLinear, []float32{nan, nan}, []float32{nan, nan}},
	} {
		// Another query before it and another column beside it must make no difference.
		d := NewDataset(2+len(c.from), 3)
		d.Offsets, d.QueryIDs = []int{0, 2, 2 + len(c.from)}, []string{"a", "b"}
		copy(d.Row(0), []float32{9, 9, 9})
		for i, v := range c.from {
			copy(d.Row(2+i), []float32{0, v, float32(i % 2)})
		}
		for _, d := range []*Dataset{d, d.ToSparse()} {
			n, err := d.Normalize(c.by)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range c.want {
				got := n.AppendRow(nil, 2+i)[1]
				if math.Float32bits(got) != math.Float32bits(v) && (got == got || v == v) {
					t.Errorf("%v of %v: value %d is %v, want %v", c.by, c.from, i, got, v)
				}
				if n.Sparse == nil && math.Signbit(float64(n.Row(2 + i)[1])) && n.Row(2 + i)[1] == 0 {
					t.Errorf("%v of %v: value %d is −0", c.by, c.from, i)
				}
			}
		}
	}
	d := full()
	d.Row(4)[2] = float32(math.Inf(-1))
	if _, err := d.Normalize(NormalizeSum); err == nil || err.Error() != "rank: f.txt:24: feature 3 (z) is -Inf" {
		t.Error(err)
	}
	for _, by := range []Normalization{0, 4} {
		if _, err := d.Normalize(by); err == nil {
			t.Errorf("%v", by)
		}
	}
}

// TestNormalizeSparse compares dense and sparse results to the bit, also of data that list zeros.
func TestNormalizeSparse(t *testing.T) {
	draw := num.SplitMix(5)
	d := NewDataset(60, 40)
	for q := range 6 {
		d.Offsets, d.QueryIDs = append(d.Offsets, 10*q+10), append(d.QueryIDs, fmt.Sprint(q))
	}
	for i := range d.Rows() {
		for j := range d.Cols {
			if r := draw.Next(); r%8 == 0 {
				d.Row(i)[j] = float32(int64(r>>40)-1<<22) / 1000
			}
		}
	}
	s := d.ToSparse()
	for k := range s.Sparse.Values {
		if k%9 == 0 {
			s.Sparse.Values[k] = 0
			i, _ := slices.BinarySearch(s.Sparse.Offsets, k+1)
			d.Row(i - 1)[s.Sparse.Columns[k]] = 0
		}
	}
	for by := NormalizeSum; by <= NormalizeLinear; by++ {
		a, errA := d.Normalize(by)
		b, errB := s.Normalize(by)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		for i := range d.Rows() {
			if !slices.EqualFunc(a.Row(i), b.AppendRow(nil, i), func(x, y float32) bool {
				return math.Float32bits(x) == math.Float32bits(y)
			}) {
				t.Errorf("%v: row %d: %v and %v", by, i, a.Row(i), b.AppendRow(nil, i))
			}
			if from, to := b.Sparse.Offsets[i], b.Sparse.Offsets[i+1]; !slices.IsSorted(b.Sparse.Columns[from:to]) {
				t.Errorf("%v: columns %v", by, b.Sparse.Columns[from:to])
			}
		}
		if by == NormalizeSum && len(b.Sparse.Values) > len(s.Sparse.Values) {
			t.Errorf("%v lists %d values of %d", by, len(b.Sparse.Values), len(s.Sparse.Values))
		}
	}
}

func TestDescribe(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	d := NewDataset(6, 6)
	for i, row := range [][]float32{
		{1, 0, nan, 2, 0, 5},
		{1, 0, nan, 2, 0, inf},
		{1, 0, nan, 2, 1, 5},
		{1, 0, nan, 2, 0, 5}, // again
		{1, 0, nan, 0, 0, nan},
		{1, 0, nan, 2, 1, 5}, // again
	} {
		copy(d.Row(i), row)
	}
	d.Labels = []float64{2, 0, .5, 2, 0, 0}
	d.Offsets, d.QueryIDs, d.Absent = []int{0, 1, 4, 6}, []string{"a", "b", "c"}, 4
	want := &Description{Queries: 3, Rows: 6, Cols: 6, RowsPerQuery: [5]int{1, 1, 2, 3, 3},
		Labels: []LabelCount{{0, 3}, {.5, 1}, {2, 2}}, NonZero: 25, Density: 25. / 36, Absent: 4, NaN: 7, Infinite: 1,
		Constant: []int{0, 1, 2}, Duplicates: 2}
	for _, d := range []*Dataset{d, d.ToSparse()} {
		if got, err := d.Describe(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v\nwant %+v", got, err, want)
		}
	}
	if got, err := new(Dataset).Describe(t.Context()); err != nil || !reflect.DeepEqual(got, new(Description)) {
		t.Errorf("of nothing: %+v, %v", got, err)
	}
	d.Labels = []float64{math.NaN(), math.NaN(), 1, 1, math.NaN(), 1}
	if got, err := d.Describe(t.Context()); err != nil || len(got.Labels) != 2 || got.Labels[0].Rows != 3 ||
		got.Labels[1] != (LabelCount{1, 3}) {
		t.Errorf("labels %v, %v", got.Labels, err)
	}
}

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
