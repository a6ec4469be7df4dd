package data

import (
	"io"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

func TestTooManyFeatures(t *testing.T) {
	d := &rank.Dataset{Cols: 1<<27 + 5, Sparse: &rank.CSR{Offsets: []int{0, 0}}, Labels: []float64{1},
		Offsets: []int{0, 1}, QueryIDs: []string{"q"}}
	const want = "data: LETOR text supports at most 134217728 features, but the data has 134217733"
	if err := WriteLETOR(io.Discard, d); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestDigitsThenColon(t *testing.T) {
	for text, want := range map[string]bool{"12:1 ": true, ":1 ": false, "x5:1 ": false, "5x:1 ": false, " ": false} {
		t.Run(text, func(t *testing.T) {
			if got := digitsThenColon([]byte(text)); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
