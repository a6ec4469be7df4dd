//go:build race

package kernels

import (
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// The race detector sees the memory accesses of assembly.
func TestRaceIsSeen(t *testing.T) {
	testkit.RaceIsSeen(t, func(s []float64) { AxpyF64(1, make([]float64, len(s)), s) }, map[string]func(s []float64){
		"DotF64":      func(s []float64) { DotF64(s, make([]float64, len(s))) },
		"AxpyF64":     func(s []float64) { AxpyF64(1, s, make([]float64, len(s))) },
		"GemvF64":     func(s []float64) { GemvF64(make([]float64, 8), make([]float64, 8), s, 8, 8, 8) },
		"AddGemvTF64": func(s []float64) { AddGemvTF64(make([]float64, 8), make([]float64, 8), s, 8, 8, 8) },
	})
}
