package fuzz

import (
	"bytes"
	"math"
	"runtime"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// exactFormats are the formats that preserve scores exactly.
var exactFormats = map[string]bool{"json": true, "svmlight": true,
	"liblinear": true, "lightgbm": true, "lightgbm-v3": true,
	"lightgbm-dump": true}

// readModel reads a model file. The result must be an error, or a valid model that scores documents
// and survives writing and reading.
func readModel(t *testing.T, text []byte) {
	const limit = 1 << 20 // sets of categories need much more memory as text
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := model.Read(bytes.NewReader(text), rank.ReadOptions{MemoryLimit: limit})
	runtime.ReadMemStats(&after)
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 4*limit+64*uint64(len(text)) {
		t.Fatalf("%d bytes took %d", len(text), spent)
	}
	if err != nil {
		return
	}
	trees, ok := m.(*lambdamart.Model)
	if ok {
		if err := trees.Validate(); err != nil {
			t.Fatalf("read a model that is not valid: %v", err)
		}
	}
	rows := [][]float32{nil, {0, 1, 2, 3, 4}, {float32(math.NaN()), float32(math.Inf(1)), -1, .5},
		{-3e38, 1e-40, 33, 0}}
	if m.Features() > 1<<12 {
		return // LightGBM's text contains all names
	}
	for _, format := range model.OptionWords("format") {
		var b bytes.Buffer
		if model.Write(&b, m, format) != nil {
			linear := format == "svmlight" || format == "liblinear"
			if format == "json" || !ok && linear {
				t.Fatalf("%v: a valid model cannot be written", format)
			}
			continue // the format does not support this model
		}
		back, err := model.Read(&b)
		if err != nil {
			t.Fatalf("%v: cannot be read back: %v", format, err)
		}
		for _, x := range rows {
			got, want := back.Score(x), m.Score(x)
			if got != want && got == got && exactFormats[format] {
				t.Fatalf("%v: %v scores %v after writing, %v before", format, x, got, want)
			}
		}
		if linear, ok := m.(*rank.Linear); ok && exactFormats[format] {
			for j, w := range back.(*rank.Linear).Weights {
				if w != linear.Weights[j] {
					t.Fatalf("%v: weight %d is %v after writing, %v before", format, j, w, linear.Weights[j])
				}
			}
		}
	}
}

func FuzzReadModelJSON(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) { readModel(t, text) })
}

func FuzzReadLinear(f *testing.F) {
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

// FuzzReadDump reads the dumps of LightGBM and XGBoost, and models of CatBoost and Solr.
func FuzzReadDump(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) { readModel(t, text) })
}

func FuzzReadONNX(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { readModel(t, data) })
}

func FuzzReadRankLib(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) { readModel(t, text) })
}
