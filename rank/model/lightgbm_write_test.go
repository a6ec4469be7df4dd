package model

import (
	"maps"
	"testing"

	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Ranges extend from the least to the greatest threshold, and sets are united, over all trees.
func TestLightGBMInfos(t *testing.T) {
	list := []tree{
		{Tree: lambdamart.Tree{Feature: []int32{0, 2, 0, 2}, Threshold: []float32{2, 0, 5, 0},
			Categories: [][]uint32{nil, {1 << 3}, nil, {1<<3 | 1, 1 << 1}}}},
		{Tree: lambdamart.Tree{Feature: []int32{4, 2, 0, 0, 6}, Threshold: []float32{-1, 0, 3, 1.5, 0},
			Categories: [][]uint32{nil, {1 << 5}, nil, nil, {0}}}},
	}
	want := map[int32]string{0: "[1.5:5]", 2: "0:3:5:33", 4: "[-1:-1]"}
	if got := lightgbmInfos(list); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
