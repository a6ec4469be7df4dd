// Package fusion fuses several runs for the same topics into one run. It combines ranks (reciprocal
// rank fusion and others) or normalized scores (CombSUM and others).
//
// Start with [Fuser]: its zero value is reciprocal rank fusion. [Fuser.Fuse] fuses runs in memory,
// and [Fuser.FusePieces] streams runs that are larger than RAM. [Fuser.Tune] finds the best weights
// of the runs on judgments.
//
// An error about one of the runs is a [*RunError]. [Fuser.Tune] returns [ErrNoTopics] if no topic
// has judgments.
package fusion

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/trec"
)

// These are the names of the methods and normalizations. The first of each is the default.
var (
	methods        = []string{"rrf", "combsum", "combmnz", "combanz", "combmed", "combmax", "combmin", "isr", "borda"}
	normalizations = []string{"min-max", "zscore", "sum", "rank", "none"}
)

// OptionWords returns the words that a field of [Fuser] accepts, with the default first. Valid
// kinds are method and normalization.
func OptionWords(kind string) []string {
	return slices.Clone(map[string][]string{"method": methods, "normalization": normalizations}[kind])
}

// A Fuser fuses several runs into one. The zero value is reciprocal rank fusion with K = 60.
type Fuser struct {
	// Method is the formula for the fused score of a document. In the formulas, r is the document's
	// rank in a run, counted from 1 in trec_eval's order. s is its normalized score, w is the run's
	// weight, and m is the number of runs that retrieved the document. Except for borda, Σ is over
	// these runs, in their order.
	//
	//	rrf      Σ w/(K + r): Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms
	//	         Condorcet and individual rank learning methods", SIGIR 2009. The default.
	//	combsum  Σ w·s: Fox and Shaw, "Combination of multiple searches", TREC-2, 1994. With
	//	         weights it is the weighted sum that ranx calls wsum.
	//	combmnz  Σ s · Σ w, which without weights is m · Σ s: Fox and Shaw. With weights it is due
	//	         to Wu and Crestani, "Data fusion with estimated weights", CIKM 2002; ranx calls
	//	         it wmnz.
	//	combanz  Σ s / m: Fox and Shaw.
	//	combmed  the median of s, or the mean of the middle two values: Fox and Shaw.
	//	combmax  the largest s: Fox and Shaw.
	//	combmin  the smallest s: Fox and Shaw.
	//	isr      m · Σ 1/r²: Mourão, Martins and Magalhães, "Multimodal medical information
	//	         retrieval with unsupervised rank fusion", Computerized Medical Imaging and
	//	         Graphics 39, 2015.
	//	borda    Σ w·p over all runs, where p is C − r + 1 for a document that the run retrieved
	//	         and (C − n + 1)/2 for others. C is the number of documents that any run
	//	         retrieved for the topic, and n is the number that this run retrieved. Aslam
	//	         and Montague, "Models for metasearch", SIGIR 2001.
	Method string

	// Normalization makes the scores of different runs comparable. It applies to the methods that
	// combine scores, whose names begin with comb. In the formulas, n is the number of documents
	// that a run retrieved for a topic, and x is a document's score. If all n scores are equal, the
	// result is 0, except for rank and none. The formulas match ranx, except that ranx replaces
	// divisors below 1e-9 by 1e-9.
	//
	//	min-max  (x − min)/(max − min). The default.
	//	zscore   (x − μ)/σ, where μ = Σx/n and σ² = Σ(x − μ)²/n
	//	sum      (x − min)/Σ(x − min)
	//	rank     1 − (r − 1)/n
	//	none     x
	Normalization string

	K float64 // constant of rrf; the default is 60, as in the paper
	// Weights contains the weight of each run, which must be finite. nil means that each weight is
	// 1. Only rrf, combsum, combmnz and borda support weights.
	Weights []float64

	Depth int    // maximum number of documents per topic of the fused run; 0 means all
	Name  string // name of the fused run; "" means the name of the method
	// Threads is the number of goroutines. If it is 0 or negative, GOMAXPROCS goroutines are used.
	// Results do not depend on it.
	Threads int

	// Progress reports the number of topics that Fuse has fused, or the number of weight
	// combinations that Tune has tried; see the comment of package rank. FusePieces does not call
	// it.
	Progress func(done, total int64)
}

// UsesScores reports whether the method combines scores rather than only ranks.
func (f *Fuser) UsesScores() bool { return strings.HasPrefix(f.Method, "comb") }

// UsesWeights reports whether the method supports run weights.
func (f *Fuser) UsesWeights() bool {
	return slices.Contains([]string{"rrf", "combsum", "combmnz", "borda"}, f.method())
}

// method returns the name of the method, or the default method if none is set.
func (f *Fuser) method() string { return cmp.Or(f.Method, methods[0]) }

// normalization returns the name of the normalization, or the default normalization if none is set.
func (f *Fuser) normalization() string { return cmp.Or(f.Normalization, normalizations[0]) }

// normalize sets dst to the normalized scores of a run's documents. ranked must be sorted by
// descending score, and must be as long as dst.
func normalize(dst []float64, ranked []trec.PooledDoc, by string) {
	count := float64(len(ranked))
	switch by {
	case "rank":
		for i := range dst {
			dst[i] = 1 - float64(i)/count
		}
		return
	case "none":
		for i := range dst {
			dst[i] = ranked[i].Score
		}
		return
	}
	clear(dst)
	if len(ranked) == 0 || ranked[0].Score == ranked[len(ranked)-1].Score {
		return
	}
	// Scale the scores by a power of two, so that sums and squares neither overflow nor underflow.
	first, last := ranked[0].Score, ranked[len(ranked)-1].Score
	_, exponent := math.Frexp(max(math.Abs(first), math.Abs(last)))
	for i, d := range ranked {
		dst[i] = math.Ldexp(d.Score, -exponent)
	}
	shift := dst[len(dst)-1]
	var scale float64
	switch by {
	case "min-max":
		scale = dst[0] - shift
	case "sum":
		for _, x := range dst {
			scale += x - shift
		}
	case "zscore":
		var sum, squares float64
		for _, x := range dst {
			sum += x
		}
		shift = sum / count
		for _, x := range dst {
			squares += float64((x - shift) * (x - shift))
		}
		scale = math.Sqrt(squares / count)
	}
	for i, x := range dst {
		dst[i] = (x - shift) / scale
	}
}

// A RunError is an error about one of the runs.
type RunError struct {
	Run int // index of the run, counted from 0
	Err error
}

// Error returns the number of the run, counted from 1, and the message of Err.
func (e *RunError) Error() string {
	return fmt.Sprintf("fusion: run %d: %s", e.Run+1, errs.Bare(e.Err))
}

// Unwrap returns Err.
func (e *RunError) Unwrap() error { return e.Err }

// Fuse fuses runs. The fused run contains all topics of all runs, in the order of their first
// occurrence. Except for borda, a run has no effect on the scores of documents that it did not
// retrieve. Documents are sorted by descending score; ties are broken by descending document ID, as
// in trec_eval.
//
// Scores are bit-identical on every machine: sums are computed in the order of the runs, and each
// operation is rounded to float64. If the method uses scores and a score is infinite, Fuse returns
// a *RunError. If a fused score is not finite, Fuse returns an error that is not a *RunError.
func (f *Fuser) Fuse(ctx context.Context, runs []*trec.Run) (*trec.Run, error) {
	if err := f.check(len(runs)); err != nil {
		return nil, err
	}
	run, err := trec.Merge(ctx, runs, cmp.Or(f.Name, f.method()), f.Depth, f.Threads, f.score, f.Progress)
	if about := (*RunError)(nil); err == nil || ctx.Err() != nil || errors.As(err, &about) {
		return run, err
	}
	return nil, errs.Op("fusion", errs.Wrap(err, "%v", f.method()))
}

// FusePieces fuses runs that are streamed in pieces, for example by [trec.StreamRuns]. Use it for
// runs that are larger than RAM. It yields consecutive pieces of the fused run; together they are
// bit-identical to the result of Fuse. The runs must meet the requirements of [trec.Together]. It
// stops at the first error.
func (f *Fuser) FusePieces(ctx context.Context, runs []iter.Seq2[*trec.Run, error]) iter.Seq2[*trec.Run, error] {
	return func(yield func(*trec.Run, error) bool) {
		if err := f.check(len(runs)); err != nil {
			yield(nil, err)
			return
		}
		part := *f
		part.Progress = nil
		for pieces, err := range trec.Together(runs...) {
			var fused *trec.Run
			if err == nil {
				fused, err = part.Fuse(ctx, pieces)
			}
			if !yield(fused, err) || err != nil {
				return
			}
		}
	}
}

// check returns an error if the settings are invalid for the given number of runs.
func (f *Fuser) check(runs int) error {
	if _, err := text.Choose("fusion", "method", methods, f.Method); err != nil {
		return err
	}
	if _, err := text.Choose("fusion", "normalization", normalizations, f.Normalization); err != nil {
		return err
	}
	switch {
	case runs == 0:
		return errs.New("fusion", "at least one run is required")
	case !(f.K >= 0) || math.IsInf(f.K, 1):
		return errs.Errorf("fusion", "K is %v; it must be positive and finite", f.K)
	case f.K != 0 && f.method() != "rrf":
		return errs.Errorf("fusion", "method %v does not use K (only rrf does)", f.Method)
	case f.Depth < 0:
		return errs.Errorf("fusion", "Depth is %d; it must not be negative", f.Depth)
	case f.Weights != nil && !f.UsesWeights():
		return errs.Errorf("fusion", "method %v does not support weights (supported: rrf, combsum, combmnz, borda)", f.Method)
	case f.Weights != nil && len(f.Weights) != runs:
		return errs.Errorf("fusion", "the number of weights is %d; it must be %d, one per run", len(f.Weights), runs)
	}
	for _, w := range f.Weights {
		if w-w != 0 {
			return errs.Errorf("fusion", "the weight is %v; it must be finite", w)
		}
	}
	if f.Name != "" {
		if err := text.CheckField(f.Name); err != nil {
			return errs.Op("fusion", err)
		}
	}
	return nil
}

// weight returns the weight of a run.
func (f *Fuser) weight(run int) float64 {
	if f.Weights == nil {
		return 1
	}
	return f.Weights[run]
}

// score sets the fused scores of a topic's documents.
func (f *Fuser) score(p *trec.Pool, scores []float64) error {
	switch f.method() {
	case "rrf":
		k := cmp.Or(f.K, 60)
		for run, ranked := range p.Ranked {
			w := f.weight(run)
			for i, d := range ranked {
				scores[d.Doc] += w / (k + float64(i+1))
			}
		}
	case "isr":
		counts := make([]float64, len(scores))
		for _, ranked := range p.Ranked {
			for i, d := range ranked {
				r := float64(i + 1)
				scores[d.Doc] += 1 / (r * r)
				counts[d.Doc]++
			}
		}
		for i, m := range counts {
			scores[i] *= m
		}
	case "borda":
		points := make([]float64, len(scores))
		for run, ranked := range p.Ranked {
			for i := range points {
				points[i] = float64(len(points)-len(ranked)+1) / 2
			}
			for i, d := range ranked {
				points[d.Doc] = float64(len(points) - i)
			}
			w := f.weight(run)
			for i, v := range points {
				scores[i] += float64(w * v)
			}
		}
	default:
		return f.combine(p, scores)
	}
	return nil
}

// combine computes the fused scores for the methods that use the scores of the runs.
func (f *Fuser) combine(p *trec.Pool, scores []float64) error {
	// all contains, for each document, its scores in the runs that retrieved it and the weights of
	// these runs, in the order of the runs.
	type said struct{ score, weight float64 }
	all := make([]said, len(scores)*len(p.Ranked))
	counts := make([]int, len(scores))
	var normalized []float64
	for run, ranked := range p.Ranked {
		for i, d := range ranked {
			if math.IsInf(d.Score, 0) {
				return &RunError{run, p.Fail(run, i,
					fmt.Errorf("the score of the document is infinite; scores must be finite for %v", f.Method))}
			}
		}
		normalized = slices.Grow(normalized[:0], len(ranked))[:len(ranked)]
		normalize(normalized, ranked, f.normalization())
		w := f.weight(run)
		for i, d := range ranked {
			all[int(d.Doc)*len(p.Ranked)+counts[d.Doc]] = said{normalized[i], w}
			counts[d.Doc]++
		}
	}
	weighted := f.Method == "combsum"
	for doc := range scores {
		of := all[doc*len(p.Ranked):][:counts[doc]]
		var sum, weights float64
		least, most := of[0].score, of[0].score
		for _, s := range of {
			if weighted {
				sum += float64(s.weight * s.score)
			} else {
				sum += s.score
			}
			weights += s.weight
			least, most = min(least, s.score), max(most, s.score)
		}
		switch f.Method {
		case "combsum":
			scores[doc] = sum
		case "combmnz":
			scores[doc] = sum * weights
		case "combanz":
			scores[doc] = sum / float64(len(of))
		case "combmed":
			slices.SortFunc(of, func(a, b said) int { return cmp.Compare(a.score, b.score) })
			scores[doc] = of[len(of)/2].score
			if len(of)%2 == 0 {
				scores[doc] = (of[len(of)/2-1].score + scores[doc]) / 2
			}
		case "combmax":
			scores[doc] = most
		case "combmin":
			scores[doc] = least
		}
	}
	return nil
}
