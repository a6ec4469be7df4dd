// Package interleave compares rankings online: users see a mixture of them, and their clicks show
// which ranking they prefer.
//
// [TeamDraft] and [Balanced] interleave rankings for a user session, and [Ranking.Credits] credits
// the session's clicks to the rankings. [Compare] tests whether users prefer one ranking.
//
// An interleaved ranking depends only on the rankings, the length, a seed and the session key.
// Processes that serve the same session therefore show the same documents. Clicks can be credited
// later in another process, which interleaves the same rankings again.
package interleave

import (
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/rank/compare"
)

// A Ranking is a list of documents that [TeamDraft] or [Balanced] has interleaved.
type Ranking[ID comparable] struct {
	IDs []ID // documents, in the order in which users see them

	// Teams contains the ranking that receives the credit for each document, or −1 if no ranking
	// does. Rankings are counted from 0. It is nil for balanced interleaving.
	Teams []int

	rankings [][]ID
}

// TeamDraft interleaves two or more rankings by team draft (Radlinski, Kurup and Joachims 2008; for
// more than two rankings, Schuth et al. 2014). In each round, the rankings choose in random order.
// Each adds its first document that is not in the list yet to the list, and to its team. The list
// ends after k documents, or after all documents if k is 0 or negative.
//
// Users who click without regard to the documents prefer no ranking, even if their clicks depend on
// positions. For this purpose, documents beyond the shortest ranking's length belong to no team.
// Repeated documents in a ranking are ignored and do not count toward its length.
//
// With at most 8 rankings, TeamDraft allocates only the result. It compares each document that it
// considers with the documents in the list, and the first k documents in each ranking with each
// other.
func TeamDraft[ID comparable](rankings [][]ID, k int, seed uint64, session string) Ranking[ID] {
	r := newRanking(rankings, k)
	length := cap(r.IDs)
	r.Teams = make([]int, 0, length)
	credited := shortest(rankings, length)
	var places, starts [8]int
	next := append(places[:0], make([]int, len(rankings))...) // the first documents that were not considered
	order := ordered(starts[:0], len(rankings))
	random := generator(seed, session)
	for before := -1; len(r.IDs) < length && len(r.IDs) > before; {
		before = len(r.IDs)
		shuffle(order, &random)
		for _, team := range order {
			at := &next[team]
			for *at < len(rankings[team]) && slices.Contains(r.IDs, rankings[team][*at]) {
				*at++
			}
			if *at == len(rankings[team]) || len(r.IDs) == length {
				continue
			}
			r.IDs = append(r.IDs, rankings[team][*at])
			if len(r.IDs) > credited {
				team = -1
			}
			r.Teams = append(r.Teams, team)
		}
	}
	return r
}

// Balanced interleaves two or more rankings so that the list contains almost the same number of top
// documents from each (Joachims 2003). The rankings are ordered randomly, once. The list contains
// each ranking's first document in this order, then the second documents, and so on, without
// duplicates. It ends after k documents, or after all documents if k is 0 or negative.
//
// Balanced interleaving can prefer a ranking although the user clicks at random (Radlinski, Kurup
// and Joachims 2008). For example, let one ranking be a, b, c, d and the other b, c, d, a. The list
// is a, b, c, d or b, a, c, d. A click on a is credited to the first ranking, and a click on any
// other document to the second ranking, so that three of four random clicks prefer it. Use
// [TeamDraft] unless you need results that are comparable with earlier experiments.
//
// With at most 8 rankings, Balanced allocates only the result. It compares each document that it
// considers with the documents in the list.
func Balanced[ID comparable](rankings [][]ID, k int, seed uint64, session string) Ranking[ID] {
	r := newRanking(rankings, k)
	length := cap(r.IDs)
	var starts [8]int
	order := ordered(starts[:0], len(rankings))
	random := generator(seed, session)
	shuffle(order, &random)
	for depth, more := 0, true; more; depth++ {
		more = false
		for _, i := range order {
			if depth >= len(rankings[i]) || len(r.IDs) == length {
				continue
			}
			more = true
			if id := rankings[i][depth]; !slices.Contains(r.IDs, id) {
				r.IDs = append(r.IDs, id)
			}
		}
	}
	return r
}

// newRanking returns a ranking with space for its documents.
func newRanking[ID comparable](rankings [][]ID, k int) Ranking[ID] {
	all := 0
	for _, ranking := range rankings {
		all += len(ranking)
	}
	if k > 0 {
		all = min(all, k)
	}
	return Ranking[ID]{IDs: make([]ID, 0, all), rankings: rankings}
}

// shortest returns the smallest number of different documents in a ranking, at most k.
func shortest[ID comparable](rankings [][]ID, k int) int {
	for _, ranking := range rankings {
		different := 0
		for i := 0; i < len(ranking) && different < k; i++ {
			if !slices.Contains(ranking[:i], ranking[i]) {
				different++
			}
		}
		k = different
	}
	return k
}

// ordered appends the numbers from 0 to n−1.
func ordered(dst []int, n int) []int {
	for i := range n {
		dst = append(dst, i)
	}
	return dst
}

// generator returns the random numbers of a session. Its state is a hash (FNV-1a) of the session
// and the seed.
func generator(seed uint64, session string) num.SplitMix {
	h := uint64(14695981039346656037)
	for i := range len(session) {
		h = (h ^ uint64(session[i])) * 1099511628211
	}
	return num.SplitMix(num.Mix(num.Mix(seed) + h))
}

// shuffle sorts the values randomly (Fisher and Yates).
func shuffle(values []int, random *num.SplitMix) {
	for i := len(values) - 1; i > 0; i-- {
		j := random.Below(i + 1)
		values[i], values[j] = values[j], values[i]
	}
}

// Credits returns each ranking's credit for the clicks in a session. clicked reports whether each
// document in the list was clicked. Credits returns an error if len(clicked) is not the number of
// documents.
//
// With team draft, a ranking receives 1 for each clicked document in its team. With balanced
// interleaving, it receives 1 for each clicked document among its first d documents. Here, d is the
// best rank that any ranking gives to the last clicked document in the list, but at most the length
// of the shortest ranking.
func (r *Ranking[ID]) Credits(clicked []bool) ([]float64, error) {
	if len(clicked) != len(r.IDs) {
		return nil, errs.Errorf("interleave", "the number of clicks is %d; it must be %d, one per document", len(clicked),
			len(r.IDs))
	}
	credits := make([]float64, len(r.rankings))
	if r.Teams == nil {
		r.balance(credits, clicked)
		return credits, nil
	}
	for i, team := range r.Teams {
		if clicked[i] && team >= 0 {
			credits[team]++
		}
	}
	return credits, nil
}

// balance sets the credits of balanced interleaving.
func (r *Ranking[ID]) balance(credits []float64, clicked []bool) {
	last := len(clicked) - 1
	for last >= 0 && !clicked[last] {
		last--
	}
	if last < 0 {
		return
	}
	depth := math.MaxInt
	for _, ranking := range r.rankings {
		if at := slices.Index(ranking, r.IDs[last]); at >= 0 {
			depth = min(depth, at+1)
		}
	}
	for _, ranking := range r.rankings {
		depth = min(depth, len(ranking))
	}
	for i, ranking := range r.rankings {
		for at, id := range r.IDs {
			if clicked[at] && slices.Contains(ranking[:depth], id) {
				credits[i]++
			}
		}
	}
}

// Compare tests which rankings users prefer. credits[s] contains each ranking's credit in session
// s. Sessions must be independent, for example one session per user.
//
// The result contains, for each ranking, a difference from each earlier ranking. Better and Worse
// count the sessions in which the ranking has the higher or the lower credit. Mean is the
// preference as defined by Chapelle et al. (2012), which is positive if users prefer the ranking:
//
//	Δ = (Better + ties/2) / sessions − ½
//
// Low and High are the confidence interval of Δ, by default from a bootstrap over the sessions. P
// is the p-value of the exact sign test, which ignores ties, and CorrectedP is by default corrected
// by Holm's method for the number of pairs. Compare always uses the sign test and compares all
// pairs. It returns an error if o.Test is another test, if there are fewer than two sessions or
// rankings, or if a credit is NaN or infinite.
func Compare(ctx context.Context, credits [][]float64, o compare.Options) ([][]compare.Difference, error) {
	const sign = "sign"
	switch {
	case o.Test != "" && o.Test != sign:
		return nil, errs.Errorf("interleave", "the test %s is not supported; it must be %s", o.Test, sign)
	case len(credits) < 2:
		return nil, errs.New("interleave", "a test requires at least two sessions")
	case len(credits[0]) < 2:
		return nil, errs.New("interleave", "a test requires at least two rankings")
	}
	for s, row := range credits {
		if len(row) != len(credits[0]) {
			return nil, errs.Errorf("interleave", "session %d has %d credits but the first session has %d", s+1,
				len(row), len(credits[0]))
		}
		for i, c := range row {
			if math.IsNaN(c) || math.IsInf(c, 0) {
				return nil, errs.Errorf("interleave", "session %d: credit %d is %v; credits must be finite", s+1, i+1,
					c)
			}
		}
	}
	// Each pair of rankings is a system, so that Values corrects for their number. Its values are
	// compared with 0.
	values := [][]float64{make([]float64, len(credits))}
	for i := range credits[0] {
		for j := range i {
			values = append(values, outcomes(credits, i, j))
		}
	}
	o.Test, o.AllPairs = sign, false
	tested, err := compare.Values(ctx, values, o)
	if err != nil {
		return nil, err
	}
	differences := make([][]compare.Difference, len(credits[0]))
	tested = tested[1:]
	for i := range differences {
		for range i {
			differences[i] = append(differences[i], tested[0][0])
			tested = tested[1:]
		}
	}
	return differences, nil
}

// outcomes returns ½ for each session in which ranking i has a higher credit than ranking j, −½ if
// it has a lower credit, and 0 for a tie.
func outcomes(credits [][]float64, i, j int) []float64 {
	out := make([]float64, len(credits))
	for s, of := range credits {
		switch {
		case of[i] > of[j]:
			out[s] = 0.5
		case of[i] < of[j]:
			out[s] = -0.5
		}
	}
	return out
}
