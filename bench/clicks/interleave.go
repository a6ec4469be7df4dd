package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/interleave"
)

// A user reads a list from the top. The arrays are indexed by relevance, 0 or 1: the probability of
// a click, and the probability to stop after a click (Hofmann, Whiteson and de Rijke 2013, for two
// levels of relevance).
type user struct {
	name        string
	click, stop [2]float64
}

var users = []user{
	{"perfect", [2]float64{0, 1}, [2]float64{0, 0}},
	{"navigational", [2]float64{0.05, 0.95}, [2]float64{0.2, 0.9}},
	{"informational", [2]float64{0.4, 0.9}, [2]float64{0.1, 0.5}},
	{"random", [2]float64{0.5, 0.5}, [2]float64{0, 0}},
}

// browse sets the clicks of a user. relevant is indexed by document.
func (u *user) browse(clicked []bool, shown []int, relevant []int, random *num.SplitMix) {
	clear(clicked)
	for i, id := range shown {
		of := relevant[id]
		clicked[i] = random.Float64() < u.click[of]
		if clicked[i] && random.Float64() < u.stop[of] {
			return
		}
	}
}

const (
	sessions  = 500
	documents = 20 // candidates of a session
	relevants = 5
	length    = 10
)

// An experiment compares two rankers.
type experiment struct {
	name string
	// rankings sets the rankings of a session, and which documents are relevant.
	rankings func(rankings *[2][]int, relevant []int, random *num.SplitMix)
}

// ranker returns the documents by descending score. The score is a random number from 0 to 1, plus
// the quality of the ranker for relevant documents.
func ranker(ids []int, quality float64, relevant []int, random *num.SplitMix) []int {
	var scores [documents]float64
	for i := range scores {
		ids[i] = i
		scores[i] = random.Float64() + float64(quality*float64(relevant[i]))
	}
	slices.SortFunc(ids, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return ids
}

// rankers returns an experiment with two rankers of the given qualities.
func rankers(name string, first, second float64) experiment {
	return experiment{name, func(rankings *[2][]int, relevant []int, random *num.SplitMix) {
		clear(relevant)
		for placed := 0; placed < relevants; {
			if i := random.Below(documents); relevant[i] == 0 {
				relevant[i] = 1
				placed++
			}
		}
		rankings[0] = ranker(rankings[0], first, relevant, random)
		rankings[1] = ranker(rankings[1], second, relevant, random)
	}}
}

// shifted is an experiment with two rankings of equal documents. The second one begins with the
// second document of the first one.
var shifted = experiment{"shifted", func(rankings *[2][]int, relevant []int, _ *num.SplitMix) {
	for i := range documents {
		rankings[0][i], rankings[1][i], relevant[i] = i, (i+1)%documents, 1
	}
}}

// run returns the difference of the second ranker from the first one in one repetition.
func (e *experiment) run(ctx context.Context, u *user, balanced bool, seed uint64) (compare.Difference, error) {
	random := num.SplitMix(num.Mix(seed))
	relevant, clicked := make([]int, documents), make([]bool, length)
	rankings := [2][]int{make([]int, documents), make([]int, documents)}
	credits := make([][]float64, sessions)
	for s := range credits {
		e.rankings(&rankings, relevant, &random)
		mix := interleave.TeamDraft[int]
		if balanced {
			mix = interleave.Balanced[int]
		}
		list := mix(rankings[:], length, seed, fmt.Sprint(s))
		u.browse(clicked, list.IDs, relevant, &random)
		var err error
		if credits[s], err = list.Credits(clicked); err != nil {
			return compare.Difference{}, err
		}
	}
	d, err := interleave.Compare(ctx, credits, compare.Options{Interval: "t", Threads: 1})
	if err != nil {
		return compare.Difference{}, err
	}
	return d[1][0], nil
}

// interleaving prints how often the sign test prefers each ranker.
func interleaving(ctx context.Context, repetitions int, seed uint64) error {
	fmt.Println("| rankers | user | method | mean Δ | first preferred | second preferred |\n|---|---|---|---|---|---|")
	for k, e := range []experiment{rankers("second better", 0.3, 0.5), rankers("equal", 0.4, 0.4), shifted} {
		for _, u := range users {
			if k == 2 && u.name != "random" {
				continue
			}
			for _, balanced := range []bool{false, true} {
				all := make([]compare.Difference, repetitions)
				errors := make([]error, repetitions)
				err := parallel.For(ctx, parallel.Threads(0), repetitions, func(_, i int) {
					all[i], errors[i] = e.run(ctx, &u, balanced, seed<<32+uint64(i))
				})
				if err := cmp.Or(err, cmp.Or(errors...)); err != nil {
					return err
				}
				var first, second int
				var mean num.ExactMean
				for _, d := range all {
					mean.Add([]float64{d.Mean}, nil, false)
					switch {
					case d.P < 0.05 && d.Mean < 0:
						first++
					case d.P < 0.05:
						second++
					}
				}
				share := func(n int) float64 { return 100 * float64(n) / float64(repetitions) }
				name := map[bool]string{false: "team draft", true: "balanced"}[balanced]
				fmt.Printf("| %s | %s | %s | %+.4f | %.1f%% | %.1f%% |\n", e.name, u.name, name, mean.Value(),
					share(first), share(second))
			}
		}
	}
	return nil
}
