package ranksvm

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// The columns that occur, and the rows in these alone, of dense and of sparse data: rows that are a
// part of others, narrower than all, and zeros that are listed.
func TestColumns(t *testing.T) {
	dense := &Matrix{Cols: 6, Stride: 7, X: []float32{
		0, 1, 0, 2, 0, 0, 9,
		0, 3, 0, 0, 0, 0, 9,
		0, 0, 0, 0, 0, 0, 9,
	}}
	all := &Matrix{Cols: 6, Columns: []int32{4, 1, 2, 3, 1, 5}, Values: []float32{7, 1, 0, 2, 3, 0},
		Offsets: []int{0, 1, 4, 6, 6}}
	part := *all
	part.Offsets = all.Offsets[1:]
	for name, x := range map[string]*Matrix{"dense": dense, "sparse": &part} {
		t.Run(name, func(t *testing.T) {
			s := NewColumns(200)
			s.Add(x, 3)
			s.Merge(Columns{1 << 0})
			s.Merge(Columns{0, 0, 1 << 1})
			columns := s.Few(200)
			if !slices.Equal(columns, []int32{0, 1, 3, 129}) {
				t.Fatal(columns)
			}
			if s.Few(15) != nil {
				t.Error("4 of 15 columns are few")
			}
			y := x.Only(columns, 3)
			want := Matrix{Cols: 4, Stride: 4, X: []float32{0, 1, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0}}
			if x.Offsets != nil {
				want = Matrix{Cols: 4, Offsets: []int{0, 2, 3, 3}, Columns: []int32{1, 2, 1},
					Values: []float32{1, 2, 3}}
			}
			if !reflect.DeepEqual(y, want) {
				t.Errorf("%+v, want %+v", y, want)
			}
		})
	}
}

// Only data of many columns and few values are narrowed.
func TestWide(t *testing.T) {
	for _, c := range []struct {
		cols, nonzeros int
		want           bool
	}{
		{1 << 16, 10, false}, {1<<16 + 1, 10, true}, {1<<16 + 1, 0, false},
		{1 << 20, 1<<24 - 1, true}, {1 << 20, 1 << 24, false},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := Wide(c.cols, c.nonzeros); got != c.want {
				t.Error(got)
			}
		})
	}
}
