package model

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// TestWideSets: readers accept the sparse sets of large categories that writers write, within the
// limit of MemoryLimit and no further.
func TestWideSets(t *testing.T) {
	const largest, splits = 500000, 20
	m := &lambdamart.Model{NumFeatures: 1}
	sets := setMemory{Budget: files.BudgetOf(0)}
	for i := range splits {
		m.Trees = append(m.Trees, lambdamart.Tree{Feature: []int32{0}, Threshold: []float32{0},
			Categories: [][]uint32{sets.of([]int64{3, int64(i), largest - int64(i)})}, MissingLeft: []bool{false},
			Left: []int32{^0}, Right: []int32{^1}, Leaf: []float64{float64(i), -1}})
	}
	need := files.BudgetOf(0).Left() - sets.Left()
	for _, format := range []string{
		"json", "lightgbm", "lightgbm-dump", "xgboost", "xgboost-ubj", "xgboost-dump",
	} {
		t.Run(format, func(t *testing.T) {
			var b bytes.Buffer
			if err := Write(&b, m, format); err != nil {
				t.Fatal(err)
			}
			limit := 2*need + 8*int64(b.Len())
			back, err := Read(bytes.NewReader(b.Bytes()), rank.ReadOptions{MemoryLimit: limit})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := read(bytes.NewReader(b.Bytes())); err != nil {
				t.Errorf("without options: %v", err)
			}
			for _, v := range []float32{-1, 0, 3, 19, 20, largest - 20, largest - 19, largest, largest + 1} {
				if got, want := back.Score([]float32{v}), m.Score([]float32{v}); got != want {
					t.Errorf("category %v scores %v, want %v", v, got, want)
				}
			}
			_, err = Read(&b, rank.ReadOptions{MemoryLimit: need - 1})
			option := (*rank.OptionError)(nil)
			want := fmt.Sprintf(" bytes of memory, but the limit is %d", need-1)
			if !errors.As(err, &option) || option.Option != "MemoryLimit" || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
}

// TestLargestCategory: a set that LightGBM can name in ten digits, which takes 256 MiB, does not
// overflow int on 32 bits.
func TestLargestCategory(t *testing.T) {
	if testing.Short() {
		t.Skip("a set of 256 MiB")
	}
	sets := setMemory{Budget: files.BudgetOf(0)}
	set := sets.of([]int64{7, 1<<31 - 1})
	if got := categoriesOf(set); len(got) != 2 || got[0] != 7 || got[1] != 1<<31-1 {
		t.Errorf("categories %d", got)
	}
}
