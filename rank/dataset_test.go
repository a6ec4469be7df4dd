package rank

import (
	"strings"
	"testing"
	"unsafe"
)

func TestNewDataset(t *testing.T) {
	for _, c := range []struct{ rows, cols, stride int }{
		{0, 0, 0}, {3, 0, 0}, {3, 1, 16}, {3, 16, 16}, {3, 17, 32}, {5, 46, 48},
		{30_000, 136, 144}, // large enough for huge pages
	} {
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
	for want, change := range map[string]func(d *Dataset){
		"stride 1 is less":        func(d *Dataset) { d.Stride = 1 },
		"32 features for 3 rows":  func(d *Dataset) { d.X = d.X[:32] },
		"must start at 0 and end": func(d *Dataset) { d.Offsets[2] = 2 },
		"1 query ids":             func(d *Dataset) { d.QueryIDs = d.QueryIDs[1:] },
		"1 document ids":          func(d *Dataset) { d.DocIDs = []string{"x"} },
		"decrease at query 1": func(d *Dataset) {
			d.Offsets, d.QueryIDs = []int{0, 3, 2, 3}, []string{"a", "b", "c"}
		},
	} {
		d := valid()
		change(d)
		if err := d.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
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
	if d := Concat(); d.Rows() != 0 || d.Validate() != nil {
		t.Errorf("%+v", d)
	}
}
