package tune

import (
	"cmp"
	"slices"
)

// A rung is a stage of successive halving (Jamieson and Talwalkar 2016): the best trials of the
// rung before are evaluated on more folds, and with more trees. trees is the limit per fold. For
// RankSVM, it is 0.
type rung struct{ trials, folds, trees int }

// rungs returns the stages of a search. Without Halving, all trials are evaluated on all folds with
// all trees. The rungs never train on more folds in total than this, although each rung trains its
// trials from the beginning.
func (s *Study) rungs() (rungs []rung) {
	trials, trees := s.Trials, 0
	if s.LambdaMART != nil {
		trees = s.LambdaMART.Trees
	}
	share := 1 // by which the numbers of folds and trees are divided
	for s.Halving > 0 && share*s.Halving <= s.Folds {
		share *= s.Halving
	}
	for ; share > 1 && trials > 1; share /= s.Halving {
		some := min(trees, (trees-1)/share+1) // rounded up; an invalid limit is kept for the error message
		rungs = append(rungs, rung{trials, s.Folds / share, some})
		trials = max(trials/s.Halving, 1)
	}
	return append(rungs, rung{trials, s.Folds, trees})
}

// next returns the trial to evaluate after the given evaluations, and its rung. ok is false if the
// search has ended.
func (s *Study) next(done []Trial) (trial int, of rung, ok bool) {
	rungs := s.rungs()
	var order []int // the trials of the current rung, in ascending order; nil means all trials
	for k, r := range rungs {
		if len(done) < r.trials {
			if trial = len(done); order != nil {
				trial = order[trial]
			}
			return trial, r, true
		}
		if k+1 < len(rungs) {
			order = promote(order, done[:r.trials], rungs[k+1].trials)
		}
		done = done[r.trials:]
	}
	return 0, rung{}, false
}

// promote returns the n trials of a rung with the highest values. Of equal values, the first is
// preferred.
func promote(order []int, results []Trial, n int) []int {
	places := make([]int, len(results))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(results[b].Value, results[a].Value) })
	places = places[:n]
	slices.Sort(places)
	if order != nil {
		for i, place := range places {
			places[i] = order[place]
		}
	}
	return places
}

// add adds the evaluation of a trial. It replaces an earlier one on fewer folds.
func (r *Result) add(trial int, t Trial) {
	if trial == len(r.Trials) {
		r.Trials = append(r.Trials, t)
	} else {
		r.Trials[trial] = t
	}
	top := &r.Trials[r.Best]
	if len(t.Folds) > len(top.Folds) || len(t.Folds) == len(top.Folds) && t.Value > top.Value {
		r.Best = trial
	}
}
