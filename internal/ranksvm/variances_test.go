package ranksvm

import (
	"math"
	"testing"

	"github.com/simdrank/simdrank/internal/parallel"
)

// TestVariancesWide computes variances of wide data in the columns that occur, and in all: they
// have the same bits.
func TestVariancesWide(t *testing.T) {
	const cols, rows = 1 << 20, 2500
	x := Matrix{Cols: cols, Offsets: []int{0}}
	for i := range rows {
		for _, j := range []int{i % 7, 1000 + i%3, cols - 1 - i%2} {
			x.Columns, x.Values = append(x.Columns, int32(j)), append(x.Values, float32(i%13)/3)
		}
		x.Offsets = append(x.Offsets, len(x.Values))
	}
	d := &Data{Cols: cols, Features: x, Labels: make([]float64, rows)}
	want := make([]float64, cols)
	if err := d.variances(t.Context(), want, parallel.Threads(0)); err != nil { // of all columns
		t.Fatal(err)
	}
	if d.Nonzeros = len(x.Values); !Wide(cols, d.Nonzeros) {
		t.Fatal("the data are not wide")
	}
	got := make([]float64, cols)
	if err := d.variances(t.Context(), got, parallel.Threads(0)); err != nil {
		t.Fatal(err)
	}
	for j := range want {
		if math.Float64bits(got[j]) != math.Float64bits(want[j]) {
			t.Fatalf("column %d: %v, want %v", j, got[j], want[j])
		}
	}
	if want[0] == 1 || want[cols-1] == 1 || want[500] != 1 {
		t.Errorf("variances %v, %v and %v", want[0], want[cols-1], want[500])
	}
}
