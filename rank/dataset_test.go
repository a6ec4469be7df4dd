package rank

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

func TestNewDataset(t *testing.T) {
	for _, c := range []struct{ rows, cols, stride int }{
		{0, 0, 0}, {3, 0, 0}, {3, 1, 16}, {3, 16, 16}, {3, 17, 32}, {5, 46, 48},
		{30_000, 136, 144}, // large enough for huge pages
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			d := NewDataset(c.rows, c.cols)
			if d.Rows() != c.rows || d.Cols != c.cols || d.Stride != c.stride || len(d.X) != c.rows*c.stride ||
				d.Queries() != 0 {
				t.Errorf("%d×%d: %d rows, %d columns, stride %d, %d values", c.rows, c.cols, d.Rows(), d.Cols, d.Stride,
					len(d.X))
			}
			for i, v := range d.X {
				if v != 0 {
					t.Fatalf("%d×%d: value %d is %v", c.rows, c.cols, i, v)
				}
			}
			if len(d.X) > 4096 && uintptr(unsafe.Pointer(&d.X[0]))%64 != 0 {
				t.Errorf("%d×%d: rows are not aligned to 64 bytes", c.rows, c.cols)
			}
			if c.rows > 0 {
				if row := d.Row(c.rows - 1); len(row) != c.cols || cap(row) != c.cols {
					t.Errorf("%d×%d: row of length %d, capacity %d", c.rows, c.cols, len(row), cap(row))
				}
			}
		})
	}
}

func TestValidate(t *testing.T) {
	valid := func() *Dataset {
		d := NewDataset(3, 2)
		d.Offsets = []int{0, 1, 3}
		d.QueryIDs = []string{"a", "b"}
		return d
	}
	if err := valid().Validate(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		want   string
		change func(d *Dataset)
	}{
		{"rank: the stride is 1; it must be at least the number of columns, 2", func(d *Dataset) { d.Stride = 1 }},
		{"rank: the number of values in X is 32; it must be the number of rows times the stride, 3 × 16",
			func(d *Dataset) { d.X = d.X[:32] }},
		{"rank: the number of labels is 0; it must be 3, one per row", func(d *Dataset) { d.Labels = nil }},
		{"rank: the query offsets are empty", func(d *Dataset) { d.Offsets = nil }},
		{"rank: the query offsets start at 0 and end at 2; they must start at 0 and end at 3, the row count",
			func(d *Dataset) { d.Offsets[2] = 2 }},
		{"rank: the number of query IDs is 1; it must be 2, one per query",
			func(d *Dataset) { d.QueryIDs = d.QueryIDs[1:] }},
		{"rank: the number of document IDs is 1; it must be 3, one per row",
			func(d *Dataset) { d.DocIDs = []string{"x"} }},
		{"rank: query offsets must not decrease: at query 1, 2 follows 3", func(d *Dataset) {
			d.Offsets, d.QueryIDs = []int{0, 3, 2, 3}, []string{"a", "b", "c"}
		}},
	} {
		t.Run(c.want, func(t *testing.T) {
			d := valid()
			c.change(d)
			if err := d.Validate(); err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

func TestConcat(t *testing.T) {
	a, b := NewDataset(3, 2), NewDataset(1, 20)
	a.Offsets, a.QueryIDs, a.DocIDs = []int{0, 1, 3}, []string{"a", "b"}, []string{"x", "y", "z"}
	b.Offsets, b.QueryIDs, b.DocIDs = []int{0, 1}, []string{"c"}, []string{"u"}
	a.Labels[2], b.Labels[0] = 1, 2
	a.Row(2)[1], b.Row(0)[19] = 5, 6
	a.Absent, b.Absent = 2, 5
	d := Concat(a, &Dataset{}, b)
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	if d.Rows() != 4 || d.Cols != 20 || d.Queries() != 3 || d.Labels[2] != 1 || d.Labels[3] != 2 ||
		d.Row(2)[1] != 5 || d.Row(3)[19] != 6 || d.Row(2)[2] != 0 || strings.Join(d.QueryIDs, "") != "abc" {
		t.Errorf("%+v", d)
	}
	if d.Absent != 2+3*18+5 {
		t.Errorf("%d values are absent, want 61", d.Absent)
	}
	if d.DocIDs != nil {
		t.Errorf("document ids %q of parts without some", d.DocIDs)
	}
	if d := Concat(a, b); strings.Join(d.DocIDs, "") != "xyzu" {
		t.Errorf("document ids %q", d.DocIDs)
	}
	a.File, b.File = "a", "b"
	a.SetLine(0, 2)
	a.SetLine(1, 5)
	b.SetLine(0, 7)
	d, err := Concat(Concat(a, NewDataset(1, 2)), b).SubsetRows([]int{4, 3, 2, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"b:7: bad", "row 1: bad", "a:6: bad", "a:5: bad", "a:2: bad"} {
		if got := d.RowError(i, errors.New("bad")).Error(); got != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}
	if d := Concat(); d.Rows() != 0 || d.Validate() != nil {
		t.Errorf("%+v", d)
	}
}

// sparseSet returns a valid sparse dataset of 3 rows and 4 columns in which every field is set.
func sparseSet() *Dataset {
	return &Dataset{
		Cols: 4,
		Sparse: &CSR{
			Offsets: []int{0, 2, 2, 4}, Columns: []int32{1, 3, 0, 2},
			Values: []float32{5, 0, -1, float32(math.NaN())},
		},
		Labels: []float64{1, 0, 2}, Offsets: []int{0, 1, 3}, QueryIDs: []string{"a", "b"},
		Weights: []float64{1, 0, 0.5}, QueryWeights: []float64{2, 0}, Positions: []int32{1, 2, 1},
		Names: []string{"w", "x", "y", "z"},
	}
}

func TestSparseDataset(t *testing.T) {
	d := sparseSet()
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	want := [][]float32{{0, 5, 0, 0}, {0, 0, 0, 0}, {-1, 0, nan, 0}}
	scratch := make([]float32, 0, 4)
	for i, want := range want {
		if got := d.Row(i); !sameF32(got, want) {
			t.Errorf("row %d is %v, want %v", i, got, want)
		}
		if got := d.AppendRow([]float32{9}, i); got[0] != 9 || !sameF32(got[1:], want) {
			t.Errorf("row %d behind 9 is %v, want %v", i, got, want)
		}
		if n := testing.AllocsPerRun(9, func() { d.AppendRow(scratch, i) }); n > 0 {
			t.Errorf("%v allocations for a row into memory that is there", n)
		}
	}
	if columns, values := d.Sparse.Row(0); len(columns) != 2 || columns[1] != 3 || values[0] != 5 {
		t.Errorf("row 0: columns %v, values %v", columns, values)
	}
	bare := &Dataset{Cols: 4, Sparse: d.Sparse} // neither labels nor queries
	if bare.Rows() != 3 || CheckScoring(bare, 4) != nil || CheckScoring(bare, 3) == nil {
		t.Errorf("%d rows of features alone", bare.Rows())
	}

	dense := d.ToDense()
	if err := dense.Validate(); err != nil || dense.Sparse != nil || dense.ToDense() != dense || d.Sparse == nil {
		t.Fatalf("to dense: %v, %+v", err, dense)
	}
	again := dense.ToSparse()
	if err := again.Validate(); err != nil || again.X != nil || again.ToSparse() != again || dense.X == nil {
		t.Fatalf("to sparse: %v, %+v", err, again)
	}
	if got := again.Sparse; !slices.Equal(got.Offsets, []int{0, 1, 1, 3}) || len(got.Values) != 3 {
		t.Errorf("to dense and back: %+v; want no zeros", got)
	}
	for i, want := range want {
		if !sameF32(dense.Row(i), want) || !sameF32(again.Row(i), want) {
			t.Errorf("row %d is %v dense and %v sparse, want %v", i, dense.Row(i), again.Row(i), want)
		}
		for _, d := range []*Dataset{d, dense} {
			if part := d.FeatureRows(i, 3); part.Rows() != 3-i || !sameF32(part.Row(0), want) {
				t.Errorf("features from row %d on: %+v", i, part)
			}
		}
		for n := range 20 {
			want := append(slices.Clone(want), make([]float32, 16)...)[:n]
			for _, d := range []*Dataset{d, dense} {
				if got := d.WithColumns(n); !sameF32(got.Row(i), want) || got.Validate() != nil {
					t.Errorf("%d columns of row %d: %v, %v", n, i, got.Row(i), got.Validate())
				}
			}
		}
	}
	if first := d.WithColumns(4); first.Sparse != d.Sparse {
		t.Error("features are copied although all columns are kept")
	}
}

// sameF32 reports whether a and b contain the same values, where NaN equals NaN.
func sameF32(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(a, b float32) bool { return a == b || a != a && b != b })
}

func TestValidateSparse(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(d *Dataset)
	}{
		{"rank: the number of sparse row offsets is 2; it must be the number of rows + 1, 4", func(d *Dataset) {
			d.Sparse.Offsets = d.Sparse.Offsets[:2]
		}},
		{"rank: the number of sparse row offsets is 0; it must be the number of rows + 1, 4", func(d *Dataset) { d.Sparse = &CSR{} }},
		{"rank: the number of sparse columns is 3; it must be 4, one per sparse value", func(d *Dataset) {
			d.Sparse.Columns = d.Sparse.Columns[:3]
		}},
		{"rank: the sparse row offsets start at 0 and end at 3; they must start at 0 and end at 4, the value count",
			func(d *Dataset) { d.Sparse.Offsets[3] = 3 }},
		{"rank: the sparse row offsets start at 1 and end at 4; they must start at 0 and end at 4, the value count",
			func(d *Dataset) { d.Sparse.Offsets[0] = 1 }},
		{"rank: the sparse row offsets start at -1 and end at 4; they must start at 0 and end at 4, the value count",
			func(d *Dataset) { d.Sparse.Offsets[0] = -1 }},
		{"rank: sparse row offsets must not decrease: in row 1, 1 follows 2", func(d *Dataset) { d.Sparse.Offsets[2] = 1 }},
		{"rank: sparse row offsets must not decrease: in row 0, 7 follows 0", func(d *Dataset) { d.Sparse.Offsets[1] = 7 }},
		{"rank: column 1 follows column 1 in sparse row 0; columns must be at least 0 and in ascending order",
			func(d *Dataset) { d.Sparse.Columns[1] = 1 }},
		{"rank: column -1 follows column -1 in sparse row 2; columns must be at least 0 and in ascending order",
			func(d *Dataset) { d.Sparse.Columns[2] = -1 }},
		{"rank: column 4 of sparse row 0 is out of range: there are 4 columns",
			func(d *Dataset) { d.Sparse.Columns[1] = 4 }},
		{"rank: column 3 of sparse row 0 is out of range: there are 2 columns", func(d *Dataset) { d.Cols = 2 }},
		{"rank: the number of columns is -1; it must not be negative", func(d *Dataset) { d.Cols = -1 }},
		{"rank: sparse features cannot be combined with dense features (12 values, stride 0)", func(d *Dataset) {
			d.X = make([]float32, 12)
		}},
		{"rank: sparse features cannot be combined with dense features (0 values, stride 16)",
			func(d *Dataset) { d.Stride = 16 }},
		{"rank: the number of weights is 2; it must be 3, one per row",
			func(d *Dataset) { d.Weights = d.Weights[:2] }},
		{"rank: the number of query weights is 1; it must be 2, one per query",
			func(d *Dataset) { d.QueryWeights = d.QueryWeights[:1] }},
		{"rank: the number of positions is 4; it must be 3, one per row",
			func(d *Dataset) { d.Positions = make([]int32, 4) }},
		{"rank: the number of names is 3; it must be 4, one per column", func(d *Dataset) { d.Names = d.Names[:3] }},
		{"rank: row 1: the weight is NaN; it must be finite and not negative",
			func(d *Dataset) { d.Weights[1] = math.NaN() }},
		{"rank: row 2: the weight is -1; it must be finite and not negative", func(d *Dataset) { d.Weights[2] = -1 }},
		{"rank: row 0: the weight is +Inf; it must be finite and not negative",
			func(d *Dataset) { d.Weights[0] = math.Inf(1) }},
		{"rank: weight of query b is -2; it must be finite and not negative",
			func(d *Dataset) { d.QueryWeights[1] = -2 }},
		{"rank: row 2: the position is 0; it must be at least 1", func(d *Dataset) { d.Positions[2] = 0 }},
		{`rank: the name of feature 2 must be UTF-8, not "\xe9" ` +
			"(re-encode the file, for example with iconv -f WINDOWS-1252 -t UTF-8)",
			func(d *Dataset) {
				d.Names = []string{"a", "\xe9", "b", "c"}
			}},
		{`rank: columns 1 and 3 (counted from 0) have the same name: "x"`, func(d *Dataset) {
			d.Names[3] = "x"
		}},
		{"rank: line 7: the weight is -1; it must be finite and not negative", func(d *Dataset) {
			d.Weights[0] = -1
			d.SetLine(0, 7)
		}},
	} {
		t.Run(c.want, func(t *testing.T) {
			d := sparseSet()
			c.change(d)
			if err := d.Validate(); err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

// If the product of the sizes overflows, the matrix must be neither small nor empty.
func TestLargeMatrix(t *testing.T) {
	const wide = math.MaxInt/8 + 1 // 16 times that are 0
	d := &Dataset{Cols: 1, Stride: wide, Labels: make([]float64, 16), Offsets: []int{0, 16}, QueryIDs: []string{"a"}}
	if err := d.Validate(); err == nil || !strings.Contains(err.Error(), "the number of values in X is 0; it must be") {
		t.Errorf("a stride of %d: %v", wide, err)
	}
	sparse := &Dataset{Cols: wide, Sparse: &CSR{Offsets: make([]int, 17)}, Labels: d.Labels, Offsets: d.Offsets,
		QueryIDs: d.QueryIDs}
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"NewDataset", func() { NewDataset(16, wide) }},
		{"ToDense", func() { sparse.ToDense() }},
		{"WithColumns", func() { NewDataset(16, 1).WithColumns(wide) }},
		{"Concat", func() { Concat(NewDataset(16, 0), &Dataset{Cols: wide, Stride: wide, Offsets: []int{0}}) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, "more than this machine can address") {
					t.Errorf("panic %s", text)
				}
			}()
			c.do()
			t.Error("no panic")
		})
	}
}

func TestConcatSparse(t *testing.T) {
	a := sparseSet()
	for name, b := range map[string]*Dataset{
		"sparse": sparseSet().WithColumns(3), "dense": sparseSet().ToDense().WithColumns(3),
	} {
		t.Run(name, func(t *testing.T) {
			d := Concat(b, a)
			if err := d.Validate(); err != nil || d.Sparse == nil || d.Cols != 4 {
				t.Fatalf("%v, %+v", err, d)
			}
			for i := range 3 {
				first := append(slices.Clone(b.Row(i)), 0)
				if !sameF32(d.Row(i), first) || !sameF32(d.Row(3+i), a.Row(i)) {
					t.Errorf("rows %v and %v", d.Row(i), d.Row(3+i))
				}
			}
			extras := func(want string) {
				t.Helper()
				if got := fmt.Sprint(d.Weights, d.QueryWeights, d.Positions, d.Names); got != want {
					t.Errorf("weights, of queries, positions and names %s, want %s", got, want)
				}
			}
			extras("[1 0 0.5 1 0 0.5] [2 0 2 0] [1 2 1 1 2 1] [w x y z]")
			b.Weights, b.QueryWeights, b.Positions, b.Names = nil, nil, nil, []string{"w", "x", "?"}
			d = Concat(b, a)
			extras("[1 1 1 1 0 0.5] [1 1 2 0] [] []")
		})
	}
	if d := Concat(a.ToDense(), a.ToDense()); d.Sparse != nil || d.Validate() != nil {
		t.Errorf("two dense parts: %+v", d)
	}
}
