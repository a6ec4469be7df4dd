package lambdamart

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
)

// TestLeaves: the leaf values of a row sum to its score, for dense and sparse data and any number
// of threads and trees.
func TestLeaves(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	m := randomModel(rng, testkit.Shape{Features: 20, Trees: 9, Leaves: 31,
		Missing: true, Zero: true, Categories: true})
	s, err := m.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	d := synth.TreeRows(rng, 300, 19)
	part := *m
	part.Trees = m.Trees[:4]
	first, err := part.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 3} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			for _, s := range []*Scorer{s, first} {
				s.Threads = threads
				trees := len(s.model.Trees)
				leaves := make([]int32, d.Rows()*trees)
				sparse := make([]int32, len(leaves))
				if err := s.LeavesInto(t.Context(), leaves, d); err != nil {
					t.Fatal(err)
				}
				if err := s.LeavesInto(t.Context(), sparse, d.ToSparse()); err != nil {
					t.Fatal(err)
				}
				for i := range d.Rows() {
					score := m.Bias
					for k := range trees {
						if leaves[i*trees+k] != sparse[i*trees+k] {
							t.Fatalf("row %d, tree %d: leaf %d, of sparse rows %d", i, k,
								leaves[i*trees+k], sparse[i*trees+k])
						}
						score += m.Trees[k].Leaf[leaves[i*trees+k]]
					}
					if want := m.score(d.Row(i), trees); score != want {
						t.Fatalf("row %d: the leaves sum to %v, want %v", i, score, want)
					}
				}
			}
		})
	}
	if err := s.LeavesInto(t.Context(), make([]int32, 3), d); err == nil {
		t.Error("too few places: no error")
	}
	if err := s.LeavesInto(t.Context(), make([]int32, 300*4), synth.TreeRows(rng, 300, 21)); err == nil {
		t.Error("features that the model has not: no error")
	}
}
