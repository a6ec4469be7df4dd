package fuzz

import (
	"bytes"
	"math"
	"testing"

	"github.com/simdrank/simdrank/rank/lambdamart"
)

// readModel: a model file is read or refused. What is read is valid, scores, and is the same after
// writing.
func readModel(t *testing.T, text []byte) {
	m, err := lambdamart.Read(bytes.NewReader(text))
	if err != nil {
		return
	}
	if err := m.Validate(); err != nil {
		t.Fatalf("read a model that is not valid: %v", err)
	}
	rows := [][]float32{nil, {0, 1, 2, 3, 4}, {float32(math.NaN()), float32(math.Inf(1)), -1, .5},
		{-3e38, 1e-40, 33, 0}}
	if m.NumFeatures > 1<<12 {
		return // LightGBM's text names them all
	}
	for _, format := range []lambdamart.Format{lambdamart.FormatJSON, lambdamart.FormatLightGBM,
		lambdamart.FormatXGBoost} {
		var b bytes.Buffer
		if m.Write(&b, format) != nil {
			if format == lambdamart.FormatJSON {
				t.Fatal("a valid model cannot be written")
			}
			continue // what the format cannot say
		}
		back, err := lambdamart.Read(&b)
		if err != nil && format == lambdamart.FormatXGBoost {
			continue // leaves that float32 cannot hold
		}
		if err != nil {
			t.Fatalf("format %d: cannot be read back: %v", format, err)
		}
		for _, x := range rows {
			got, want := back.Score(x), m.Score(x)
			if got != want && got == got && format != lambdamart.FormatXGBoost {
				t.Fatalf("format %d: %v scores %v after writing, %v before", format, x, got, want)
			}
		}
	}
}

func FuzzReadModelJSON(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) { readModel(t, text) })
}

func FuzzReadLightGBM(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) { readModel(t, text) })
}

func FuzzReadXGBoost(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) { readModel(t, text) })
}

func FuzzReadUBJSON(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { readModel(t, data) })
}
