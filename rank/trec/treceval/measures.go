package treceval

import (
	"math"
	"strconv"

	"github.com/simdrank/simdrank/internal/num"
)

// This file has the measures of single rankings. Sums have trec_eval's order and precision, so that
// the digits that both print agree.

// The least value that geometric means count, and the constant of inferred average precision.
const (
	leastGeometric = .00001
	inferredAP     = .00001
)

// A ranking is a topic's ranking as the measures see it.
type ranking struct {
	e      *Evaluator
	ranked []int // relevance, the best document first
	levels []int // how many judged documents have each relevance from 0 to the highest
	hits   []int // indices of the relevant documents in ranked

	relevant             int // of the judged documents
	notPooled, notJudged int // of the ranked documents
}

// set computes what measures share from relevance values, ranked and missed.
func (t *ranking) set(e *Evaluator, ranked, missed []int) {
	*t = ranking{e: e, ranked: t.ranked[:0], levels: t.levels[:0], hits: t.hits[:0]}
	for i, r := range ranked {
		if r >= 0 {
			t.count(r)
		}
		if e.MaxDocs > 0 && i >= e.MaxDocs || e.JudgedOnly && r < 0 {
			continue
		}
		switch {
		case r == notPooled:
			t.notPooled++
		case r == notJudged:
			t.notJudged++
		}
		if r >= e.Level {
			t.hits = append(t.hits, len(t.ranked))
		}
		t.ranked = append(t.ranked, r)
	}
	for _, r := range missed {
		if r >= 0 {
			t.count(r)
		}
	}
	for level, n := range t.levels {
		if level >= e.Level {
			t.relevant += n
		}
	}
}

func (t *ranking) count(relevance int) {
	for relevance >= len(t.levels) {
		t.levels = append(t.levels, 0)
	}
	t.levels[relevance]++
}

// ret and rel are the numbers of ranked documents and of judged relevant ones, relRet that of both.
func (t *ranking) ret() float64    { return float64(len(t.ranked)) }
func (t *ranking) rel() float64    { return float64(t.relevant) }
func (t *ranking) relRet() float64 { return float64(len(t.hits)) }

// found returns the number of relevant documents among the k best.
func (t *ranking) found(k int) int {
	n := 0
	for n < len(t.hits) && t.hits[n] < k {
		n++
	}
	return n
}

func numRet(t *ranking, _ *parameters, out []float64)    { out[0] = t.ret() }
func numRel(t *ranking, _ *parameters, out []float64)    { out[0] = t.rel() }
func numRelRet(t *ranking, _ *parameters, out []float64) { out[0] = t.relRet() }

func numNonrelJudgedRet(t *ranking, _ *parameters, out []float64) {
	out[0] = float64(len(t.ranked) - t.notPooled - t.notJudged - len(t.hits))
}

// sumOfPrecisions is Σ precision at the relevant documents among the k best.
func (t *ranking) sumOfPrecisions(k int) float64 {
	sum := 0.0
	for i, at := range t.hits {
		if at >= k {
			break
		}
		sum += float64(i+1) / float64(at+1)
	}
	return sum
}

func averagePrecision(t *ranking, _ *parameters, out []float64) {
	if len(t.hits) > 0 {
		out[0] = t.sumOfPrecisions(len(t.ranked)) / t.rel()
	}
}

func logAveragePrecision(t *ranking, p *parameters, out []float64) {
	averagePrecision(t, p, out)
	out[0] = log(max(out[0], leastGeometric))
}

func averagePrecisionCut(t *ranking, p *parameters, out []float64) {
	for i, k := range p.cuts {
		if t.relevant > 0 {
			out[i] = t.sumOfPrecisions(k) / t.rel()
		}
	}
}

// yaap is Robertson's ("On smoothing average precision", 2012).
func yaap(t *ranking, _ *parameters, out []float64) {
	sum := t.sumOfPrecisions(len(t.ranked))
	out[0] = log((1 + sum) / (1 + t.rel() - sum))
}

func rPrecision(t *ranking, _ *parameters, out []float64) {
	if n := min(len(t.ranked), t.relevant); n > 0 {
		out[0] = float64(t.found(n)) / t.rel()
	}
}

func bpref(t *ranking, _ *parameters, out []float64) {
	nonrelevant := 0
	for level := 0; level < min(t.e.Level, len(t.levels)); level++ {
		nonrelevant += t.levels[level]
	}
	sum, above := 0.0, 0
	for _, r := range t.ranked {
		switch {
		case r < 0:
		case r < t.e.Level:
			above++
		case above > 0:
			sum += 1 - float64(min(above, t.relevant))/float64(min(nonrelevant, t.relevant))
		default:
			sum++
		}
	}
	if t.relevant > 0 {
		sum /= t.rel()
	}
	out[0] = sum
}

func logBpref(t *ranking, p *parameters, out []float64) {
	bpref(t, p, out)
	out[0] = log(max(out[0], leastGeometric))
}

func reciprocalRank(t *ranking, _ *parameters, out []float64) {
	if len(t.hits) > 0 {
		out[0] = 1 / float64(t.hits[0]+1)
	}
}

// interpolated returns the interpolated precision at shares of the relevant documents: the highest
// at this rank or below it. Of shares beyond what was retrieved it is 0.
func interpolated(t *ranking, p *parameters, out []float64) {
	cut := len(p.values) - 1
	cuts := make([]int, len(p.values))
	for i, share := range p.values {
		if x := float64(share * t.rel()); t.e.version == 9 {
			cuts[i] = integer(x + .9)
		} else {
			cuts[i] = integer(math.Round(x))
		}
	}
	for cut >= 0 && cuts[cut] > len(t.hits) {
		cut--
	}
	best := t.relRet() / t.ret()
	for found := len(t.hits); found > 0; found-- {
		// Between two relevant documents, precision is highest at the upper one.
		if precision := float64(found) / float64(t.hits[found-1]+1); best < precision {
			best = precision
		}
		for ; cut >= 0 && cuts[cut] == found; cut-- {
			out[cut] = best
		}
	}
	for ; cut >= 0; cut-- {
		out[cut] = best
	}
}

func average11(t *ranking, p *parameters, out []float64) {
	values := make([]float64, len(p.values))
	interpolated(t, p, values)
	sum := 0.0
	for i := len(values) - 1; i >= 0; i-- {
		sum += values[i]
	}
	out[0] = sum / float64(len(values))
}

func precision(t *ranking, p *parameters, out []float64) {
	for i, k := range p.cuts {
		out[i] = float64(t.found(k)) / float64(k)
	}
}

func recall(t *ranking, p *parameters, out []float64) {
	for i, k := range p.cuts {
		if t.relevant > 0 {
			out[i] = float64(t.found(k)) / t.rel()
		}
	}
}

func relativePrecision(t *ranking, p *parameters, out []float64) {
	for i, k := range p.cuts {
		if t.relevant > 0 {
			out[i] = float64(t.found(k)) / float64(min(k, t.relevant))
		}
	}
}

func success(t *ranking, p *parameters, out []float64) {
	for i, k := range p.cuts {
		if t.found(k) > 0 {
			out[i] = 1
		}
	}
}

func unjudged(t *ranking, p *parameters, out []float64) {
	for i, k := range p.cuts {
		n := 0
		for _, r := range t.ranked[:min(k, len(t.ranked))] {
			if r < 0 {
				n++
			}
		}
		out[i] = float64(n) / float64(k)
	}
}

// precisionAtMultiples is the precision at multiples of the number of relevant documents.
func precisionAtMultiples(t *ranking, p *parameters, out []float64) {
	for i, multiple := range p.values {
		k := integer(float64(multiple*t.rel()) + .9)
		switch {
		case k > len(t.ranked):
			out[i] = t.relRet() / float64(k)
		case k > 0:
			out[i] = float64(t.found(k)) / float64(k)
		}
	}
}

// inferred is Yilmaz and Aslam's inferred average precision ("Estimating average precision with
// incomplete and imperfect judgments", 2006).
func inferred(t *ranking, _ *parameters, out []float64) {
	sum := 0.0
	relevant, nonrelevant, pool := 0, 0, 0
	for i, r := range t.ranked {
		switch {
		case r == notPooled:
		case r == notJudged:
			pool++
		case r < t.e.Level:
			nonrelevant++
		case i == 0:
			relevant++
			sum++
		default:
			above := float64(i)
			pooled := float64(relevant+nonrelevant+pool) / above
			judged := (float64(relevant) + inferredAP) / (float64(relevant+nonrelevant) + 2*inferredAP)
			sum += 1/(above+1) + float64(float64(above/(above+1)*pooled)*judged)
			relevant++
		}
	}
	if t.relevant > 0 {
		sum /= t.rel()
	}
	out[0] = sum
}

func utility(t *ranking, p *parameters, out []float64) {
	w := p.values
	out[0] = float64(w[0]*t.relRet()) + float64(w[1]*(t.ret()-t.relRet())) + float64(w[2]*(t.rel()-t.relRet())) +
		float64(w[3]*(float64(t.e.Collection)+t.relRet()-t.ret()-t.rel()))
}

func setPrecision(t *ranking, _ *parameters, out []float64) {
	if len(t.ranked) > 0 {
		out[0] = t.relRet() / t.ret()
	}
}

func setRecall(t *ranking, _ *parameters, out []float64) {
	if t.relevant > 0 {
		out[0] = t.relRet() / t.rel()
	}
}

func setRelativePrecision(t *ranking, _ *parameters, out []float64) {
	if n := min(len(t.ranked), t.relevant); n > 0 {
		out[0] = t.relRet() / float64(n)
	}
}

func setAveragePrecision(t *ranking, _ *parameters, out []float64) {
	if min(len(t.ranked), t.relevant) > 0 {
		out[0] = float64(t.relRet()*t.relRet()) / float64(t.ret()*t.rel())
	}
}

func setF(t *ranking, p *parameters, out []float64) {
	if len(t.hits) > 0 {
		precision, recall := t.relRet()/t.ret(), t.relRet()/t.rel()
		x := p.values[0]
		out[0] = float64((x+1)*precision) * recall / (float64(x*precision) + recall)
	}
}

// binaryG and g are Buckley's normalized gain (trec_eval, 2008).
func binaryG(t *ranking, _ *parameters, out []float64) {
	sum := 0.0
	for i, at := range t.hits {
		sum += 1 / t.e.log2(2+at-i)
	}
	if len(t.hits) > 0 {
		out[0] = sum / t.rel()
	}
}

func g(t *ranking, p *parameters, out []float64) {
	gains := p.gainsOf(t)
	ideal := gains.ideal()
	sum, cost, results, best := 0.0, 0.0, 0.0, 0.0
	for _, r := range t.ranked {
		gain := gains.of(r)
		results += gain
		next := ideal.next()
		if next > 0 {
			best += next
		}
		cost += max(next, 1)
		if gain != 0 {
			sum += gain / log2(2+cost-results)
		}
	}
	for next := ideal.next(); next > 0; next = ideal.next() {
		best += next
	}
	if best > 0 {
		out[0] = sum / best
	}
}

// A cumulation is what measures of discounted cumulative gain are made of.
type cumulation struct {
	dcg, ideal float64
	// Sums and numbers of DCG over the ideal, at the retrieved relevant documents and where the
	// gain of the ideal ranking changes; and the number of documents that add to the ideal.
	atRelevant, atChanges        float64
	retrieved, changes, relevant int
}

// cumulate sums gains over the logarithm of the rank plus 1 (Järvelin and Kekäläinen 2002).
func (t *ranking) cumulate(p *parameters) (c cumulation) {
	gains := p.gainsOf(t)
	ideal := gains.ideal()
	change := func() {
		if c.ideal > 0 {
			c.atChanges += c.dcg / c.ideal
			c.changes++
		}
	}
	beyond := false // the run is longer than the ideal
	for i := 0; i < len(t.ranked) || ideal.gain > 0; i++ {
		if was := ideal.gain; was <= 0 {
			beyond = true
		} else {
			now := ideal.next()
			if now != was {
				change()
			}
			if now > 0 {
				c.ideal += now / t.e.log2(i+2)
				c.relevant++
			}
		}
		if i >= len(t.ranked) {
			continue
		}
		if gain := gains.of(t.ranked[i]); gain != 0 {
			c.dcg += gain / t.e.log2(i+2)
			if gain > 0 {
				c.atRelevant += c.dcg / c.ideal
				c.retrieved++
			}
		}
	}
	if beyond {
		change()
	}
	return c
}

func dcg(t *ranking, p *parameters, out []float64)      { out[0] = t.cumulate(p).dcg }
func idealDCG(t *ranking, p *parameters, out []float64) { out[0] = t.cumulate(p).ideal }

func ndcg(t *ranking, p *parameters, out []float64) {
	if c := t.cumulate(p); c.ideal > 0 {
		out[0] = c.dcg / c.ideal
	}
}

// ndcgAtRelevant is the mean of NDCG at all relevant documents; those that were not retrieved count
// as at the end.
func ndcgAtRelevant(t *ranking, p *parameters, out []float64) {
	c := t.cumulate(p)
	if sum := c.atRelevant + float64(float64(c.relevant-c.retrieved)*c.dcg)/c.ideal; sum > 0 {
		out[0] = sum / float64(c.relevant)
	}
}

// ndcgAtChanges is the mean of NDCG where the ideal ranking goes to another gain.
func ndcgAtChanges(t *ranking, p *parameters, out []float64) {
	if t.relevant > 0 {
		c := t.cumulate(p)
		out[0] = c.atChanges / float64(c.changes)
	}
}

// ndcgCut is NDCG at cutoffs, its gains the relevance values.
func ndcgCut(t *ranking, p *parameters, out []float64) {
	at, sum := 0, 0.0
	for i, k := range p.cuts {
		for ; at < min(k, len(t.ranked)); at++ {
			if r := t.ranked[at]; r > 0 {
				sum += float64(r) / t.e.log2(at+2)
			}
		}
		out[i] = sum
	}
	at, sum = 0, 0.0
	level, left := len(t.levels), 0
	for i, k := range p.cuts {
		for ; at < k; at++ {
			for left == 0 && level > 1 {
				level--
				left = t.levels[level]
			}
			if left == 0 || level == 0 {
				break
			}
			left--
			sum += float64(level) / t.e.log2(at+2)
		}
		if sum > 0 {
			out[i] /= sum
		}
	}
}

// rbp is Moffat and Zobel's rank-biased precision, of gains scaled to 0..1.
func rbp(t *ranking, p *parameters, out []float64) {
	gains := p.gainsOf(t)
	gains.scale()
	persistence := p.persistence()
	sum, weight := 0.0, 1.0
	for _, r := range t.ranked {
		if gain := gains.of(r); gain != 0 {
			sum += float64(gain * weight)
		}
		weight = float64(weight * persistence)
	}
	out[0] = float64((1 - persistence) * sum)
}

// rbpResidual is what the unjudged documents would add if all were of the highest gain.
func rbpResidual(t *ranking, p *parameters, out []float64) {
	persistence := p.persistence()
	sum, weight, any := 0.0, 1.0, false
	for _, r := range t.ranked {
		if r < 0 {
			any = true
			sum += weight
		}
		weight = float64(weight * persistence)
	}
	if any {
		out[0] = weight + float64((1-persistence)*sum)
	}
}

// relevanceString is a character for the relevance of each of the n best documents.
func (t *ranking) relevanceString(n int) string {
	best := t.ranked[:max(0, min(n, len(t.ranked)))]
	s := make([]byte, 0, len(best))
	for _, r := range best {
		switch {
		case r > 9:
			s = append(s, '>')
		case r >= 0:
			s = strconv.AppendInt(s, int64(r), 10)
		case r == notPooled:
			s = append(s, '-')
		default:
			s = append(s, '.')
		}
	}
	return string(s)
}

// integer truncates a number. One beyond int64 becomes the least integer, as in C on amd64; others
// are cut to 32 bits, which count more documents than a topic has.
func integer(x float64) int {
	if !(math.Abs(x) < 1<<63) {
		return math.MinInt
	}
	return int(max(math.MinInt32, min(x, math.MaxInt32)))
}

// log is the natural logarithm.
func log(x float64) float64 {
	if !(x > 0) {
		return math.NaN()
	}
	return num.RoundedLog(x)
}

func log2(x float64) float64 {
	if !(x > 0) {
		return math.NaN()
	}
	return num.RoundedLog2(x)
}

// log2 returns log₂ n of an integer.
func (e *Evaluator) log2(n int) float64 {
	if n >= len(e.logs) {
		e.logs = num.Log2Integers(max(2*n, 2048))
	}
	return e.logs[n]
}
