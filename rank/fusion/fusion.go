// Package fusion makes one run of several that answer the same topics, by ranks (reciprocal rank
// fusion and others) or by normalized scores (CombSUM and others), and finds weights of the runs on
// judgments.
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

// Names of methods and normalizations, the defaults first.
var (
	methods        = []string{"rrf", "combsum", "combmnz", "combanz", "combmed", "combmax", "combmin", "isr", "borda"}
	normalizations = []string{"min-max", "zscore", "sum", "rank", "none"}
)

// OptionWords returns the words that a field of [Fuser] accepts, the default first. The kind is
// method or normalization.
func OptionWords(kind string) []string {
	return slices.Clone(map[string][]string{"method": methods, "normalization": normalizations}[kind])
}

// A Fuser makes one run of several. The zero value is reciprocal rank fusion with K = 60.
type Fuser struct {
	// Method combines what runs say of a document. In the formulas r is the document's rank in a
	// run, from 1 in trec_eval's order, s its normalized score, w the run's weight, m the number of
	// runs that retrieved it, and Σ goes over these runs, in their order, but for borda.
	//
	//	rrf      Σ w/(K + r): Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms
	//	         Condorcet and individual rank learning methods", SIGIR 2009. The default.
	//	combsum  Σ w·s: Fox and Shaw, "Combination of multiple searches", TREC-2, 1994. With
	//	         weights it is the weighted sum that ranx calls wsum.
	//	combmnz  Σ s · Σ w, which without weights is m · Σ s: Fox and Shaw; with weights Wu and
	//	         Crestani, "Data fusion with estimated weights", CIKM 2002, which ranx calls
	//	         wmnz.
	//	combanz  Σ s / m: Fox and Shaw.
	//	combmed  the median of s, of an even number the mean of the middle two: Fox and Shaw.
	//	combmax  the largest s: Fox and Shaw.
	//	combmin  the smallest s: Fox and Shaw.
	//	isr      m · Σ 1/r²: Mourão, Martins and Magalhães, "Multimodal medical information
	//	         retrieval with unsupervised rank fusion", Computerized Medical Imaging and
	//	         Graphics 39, 2015.
	//	borda    Σ w·p over all runs, where p is C − r + 1 for a document that the run retrieved
	//	         and (C − n + 1)/2 for others. C is the number of documents that any run
	//	         retrieved for the topic, n the number of those that the run did. Aslam and
	//	         Montague, "Models for metasearch", SIGIR 2001.
	Method string

	// Normalization makes the scores of runs comparable, for the methods of scores, which begin
	// with comb. It is of the n documents that a run retrieved for a topic, and makes all 0 if
	// their scores x are equal, except by rank and none. The formulas are those of ranx, except
	// that ranx replaces divisors below 1e-9 by 1e-9.
	//
	//	min-max  (x − min)/(max − min). The default.
	//	zscore   (x − μ)/σ, where μ = Σx/n and σ² = Σ(x − μ)²/n
	//	sum      (x − min)/Σ(x − min)
	//	rank     1 − (r − 1)/n
	//	none     x
	Normalization string

	K       float64   // of rrf; 0 means 60, as in the paper
	Weights []float64 // of the runs, finite; nil means 1. Only for rrf, combsum, combmnz and borda

	Depth   int    // documents that a topic of the fused run has at most; 0 means all
	Name    string // of the fused run; "" means the method's
	Threads int    // goroutines; 0 or less means GOMAXPROCS. Results do not depend on it

	// Progress reports the number of topics that Fuse has fused, or of weights that Tune has tried;
	// see the comment of package rank. FusePieces does not call it.
	Progress func(done, total int64)
}

// UsesScores reports whether the method combines scores, and not ranks alone.
func (f *Fuser) UsesScores() bool { return strings.HasPrefix(f.Method, "comb") }

// UsesWeights reports whether the method has weights of runs.
func (f *Fuser) UsesWeights() bool {
	return slices.Contains([]string{"rrf", "combsum", "combmnz", "borda"}, f.method())
}

// method returns the name of the method.
func (f *Fuser) method() string { return cmp.Or(f.Method, methods[0]) }

// normalization returns the name of the normalization.
func (f *Fuser) normalization() string { return cmp.Or(f.Normalization, normalizations[0]) }

// normalize fills dst, of the same length, with the normalized scores of a run's documents, the
// best first.
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
	// Scores are taken times a power of two: no sum or square overflows, and none vanishes.
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
	Run int // its index, from 0
	Err error
}

// Error returns the number of the run, from 1, and what is wrong.
func (e *RunError) Error() string {
	return fmt.Sprintf("fusion: run %d: %s", e.Run+1, errs.Bare(e.Err))
}

// Unwrap returns Err.
func (e *RunError) Unwrap() error { return e.Err }

// Fuse fuses runs. The fused run has all topics that any run has, in the order in which the runs
// first have them; a run that lacks a topic or a document says nothing of it. Documents stand by
// descending score, and equal ones by descending identifier, as in trec_eval.
//
// Sums are made in the order of the runs, each operation is rounded to float64, and so the bits of
// scores are the same everywhere. A score that is infinite is an error of type *RunError for a
// method that uses scores, and so is a fused score that is not finite, without the type.
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

// FusePieces fuses runs that come in pieces, as [trec.StreamRuns] has them, and yields the fused
// run in pieces, which follow each other: their topics and bits are those of Fuse. It is for runs
// that are larger than the memory; [trec.Together] says what they are to have in common. The first
// error ends it.
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

// check returns an error for settings that make no sense.
func (f *Fuser) check(runs int) error {
	if _, err := text.Choose("fusion", "method", methods, f.Method); err != nil {
		return err
	}
	if _, err := text.Choose("fusion", "normalization", normalizations, f.Normalization); err != nil {
		return err
	}
	switch {
	case runs == 0:
		return errs.New("fusion", "no runs")
	case !(f.K >= 0) || math.IsInf(f.K, 1):
		return errs.Errorf("fusion", "k %v: want a positive number", f.K)
	case f.K != 0 && f.method() != "rrf":
		return errs.Errorf("fusion", "%v has no k, which is of rrf", f.Method)
	case f.Depth < 0:
		return errs.Errorf("fusion", "depth %d: want 0 or more", f.Depth)
	case f.Weights != nil && !f.UsesWeights():
		return errs.Errorf("fusion", "%v has no weights; rrf, combsum, combmnz and borda have", f.Method)
	case f.Weights != nil && len(f.Weights) != runs:
		return errs.Errorf("fusion", "%d weights for %d runs", len(f.Weights), runs)
	}
	for _, w := range f.Weights {
		if w-w != 0 {
			return errs.Errorf("fusion", "weight %v is not finite", w)
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

// score scores the documents of a topic.
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

// combine is score for the methods that use scores.
func (f *Fuser) combine(p *trec.Pool, scores []float64) error {
	// Of each document, what the runs that retrieved it say, in their order.
	type said struct{ score, weight float64 }
	all := make([]said, len(scores)*len(p.Ranked))
	counts := make([]int, len(scores))
	var normalized []float64
	for run, ranked := range p.Ranked {
		for i, d := range ranked {
			if math.IsInf(d.Score, 0) {
				return &RunError{run, p.Fail(run, i,
					fmt.Errorf("the score of the document is infinite, and %v cannot use it", f.Method))}
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
