package treceval

import (
	"math"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/num"
)

// This file contains the measures that evaluate a single ranking. Sums have the same order and
// precision as in trec_eval, so that both programs print the same digits.

// These are the minimum value in geometric means and the constant of inferred average precision.
const (
	leastGeometric = .00001
	inferredAP     = .00001
)

// A ranking contains the data of a topic's ranking that the measures share.
type ranking struct {
	ms     *Measures
	ranked []int // relevance of the ranked documents, best document first
	levels []int // number of judged documents with each relevance from 0 to the highest
	hits   []int // indices of the relevant documents in ranked

	precisions []float64 // sum of the precisions at the first 0, 1, … relevant documents
	highest    []float64 // highest precision at each relevant document or at any later rank

	relevant, positive int // numbers of judged documents: relevant, and with a positive relevance

	discounted cumulation
}

// set computes the data that measures share. ranked contains the relevance of the ranked documents,
// which is NaN for documents that are not in the judgments. missed contains the relevance of the
// judged documents that were not retrieved.
func (t *ranking) set(ms *Measures, ranked, missed []float64) {
	*t = ranking{ms: ms, ranked: t.ranked[:0], levels: t.levels[:0], hits: t.hits[:0],
		precisions: append(t.precisions[:0], 0), highest: t.highest[:0], discounted: t.discounted}
	t.discounted.known = false
	for i, label := range ranked {
		r := int(label)
		switch {
		case label != label:
			r = notPooled
		case label < 0:
			r = notJudged
		}
		if r >= 0 {
			t.count(r)
		}
		if ms.MaxDocs > 0 && i >= ms.MaxDocs || ms.JudgedOnly && r < 0 {
			continue
		}
		if r >= ms.RelevanceLevel {
			t.hits = append(t.hits, len(t.ranked))
		}
		t.ranked = append(t.ranked, r)
	}
	for _, label := range missed {
		if label >= 0 {
			t.count(int(label))
		}
	}
	for level, n := range t.levels {
		if level >= ms.RelevanceLevel {
			t.relevant += n
		}
		if level > 0 {
			t.positive += n
		}
	}
	sum := 0.0
	for i, at := range t.hits {
		precision := float64(i+1) / float64(at+1)
		sum += precision
		t.precisions, t.highest = append(t.precisions, sum), append(t.highest, precision)
	}
	// Precision falls between relevant documents, so only the ranks of relevant documents and the
	// last rank matter.
	highest := t.relRet() / t.ret()
	for i, precision := range slices.Backward(t.highest) {
		highest = max(highest, precision)
		t.highest[i] = highest
	}
}

func (t *ranking) count(relevance int) {
	for relevance >= len(t.levels) {
		t.levels = append(t.levels, 0)
	}
	t.levels[relevance]++
}

// ret returns the number of ranked documents, rel the number of relevant judged documents, and
// relRet the number of relevant documents that were ranked.
func (t *ranking) ret() float64    { return float64(len(t.ranked)) }
func (t *ranking) rel() float64    { return float64(t.relevant) }
func (t *ranking) relRet() float64 { return float64(len(t.hits)) }

// found returns the number of relevant documents among the top k.
func (t *ranking) found(k int) int {
	n := 0
	for n < len(t.hits) && t.hits[n] < k {
		n++
	}
	return n
}

// over returns a/b, or 0 if b is 0.
func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func numRet(t *ranking, _ *column) float64    { return t.ret() }
func numRel(t *ranking, _ *column) float64    { return t.rel() }
func numRelRet(t *ranking, _ *column) float64 { return t.relRet() }

func numNonrelJudgedRet(t *ranking, _ *column) float64 {
	n := 0
	for _, r := range t.ranked {
		if r >= 0 && r < t.ms.RelevanceLevel {
			n++
		}
	}
	return float64(n)
}

func averagePrecision(t *ranking, _ *column) float64 {
	return over(t.precisions[len(t.hits)], t.rel())
}

func averagePrecisionCut(t *ranking, c *column) float64 {
	return over(t.precisions[t.found(c.k)], t.rel())
}

// yaap is Robertson's "yet another average precision" ("On smoothing average precision", 2012).
func yaap(t *ranking, _ *column) float64 {
	sum := t.precisions[len(t.hits)]
	return log((1 + sum) / (1 + t.rel() - sum))
}

// logOf returns a function that computes the logarithm of a measure's value. The mean of the
// logarithms determines the geometric mean of the measure.
func logOf(value func(*ranking, *column) float64) func(*ranking, *column) float64 {
	return func(t *ranking, c *column) float64 { return log(max(value(t, c), leastGeometric)) }
}

func rPrecision(t *ranking, _ *column) float64 { return over(float64(t.found(t.relevant)), t.rel()) }

func bpref(t *ranking, _ *column) float64 {
	nonrelevant := 0
	for _, n := range t.levels[:min(t.ms.RelevanceLevel, len(t.levels))] {
		nonrelevant += n
	}
	sum, above := 0.0, 0
	for _, r := range t.ranked {
		switch {
		case r < 0:
		case r < t.ms.RelevanceLevel:
			above++
		case above > 0:
			sum += 1 - float64(min(above, t.relevant))/float64(min(nonrelevant, t.relevant))
		default:
			sum++
		}
	}
	return over(sum, t.rel())
}

func reciprocalRank(t *ranking, _ *column) float64 {
	if len(t.hits) == 0 {
		return 0
	}
	return 1 / float64(t.hits[0]+1)
}

func interpolated(t *ranking, c *column) float64 { return t.interpolated(c.x) }

// interpolated returns the interpolated precision at a fraction of the relevant documents. It is
// the highest precision at the rank that reaches this fraction or at any later rank. It is 0 if the
// run does not reach the fraction.
func (t *ranking) interpolated(share float64) float64 {
	at := float64(share * t.rel())
	if t.ms.version == 9 {
		at += .9
	} else {
		at = math.Round(at)
	}
	switch k := integer(at); {
	case k > len(t.hits):
		return 0
	case len(t.hits) == 0:
		return t.relRet() / t.ret()
	default:
		return t.highest[max(k, 1)-1]
	}
}

func average11(t *ranking, c *column) float64 {
	sum := 0.0
	for _, share := range slices.Backward(c.p.values) {
		sum += t.interpolated(share)
	}
	return sum / float64(len(c.p.values))
}

func precision(t *ranking, c *column) float64 { return float64(t.found(c.k)) / float64(c.k) }
func recall(t *ranking, c *column) float64    { return over(float64(t.found(c.k)), t.rel()) }
func success(t *ranking, c *column) float64   { return float64(min(t.found(c.k), 1)) }

func relativePrecision(t *ranking, c *column) float64 {
	return over(float64(t.found(c.k)), float64(min(c.k, t.relevant)))
}

func unjudged(t *ranking, c *column) float64 {
	n := 0
	for _, r := range t.ranked[:min(c.k, len(t.ranked))] {
		if r < 0 {
			n++
		}
	}
	return float64(n) / float64(c.k)
}

// precisionAtMultiple is the precision at a rank that is a multiple of the number of relevant
// documents.
func precisionAtMultiple(t *ranking, c *column) float64 {
	k := integer(float64(c.x*t.rel()) + .9)
	if k <= 0 {
		return 0
	}
	return float64(t.found(k)) / float64(k)
}

// inferred is the inferred average precision of Yilmaz and Aslam ("Estimating average precision
// with incomplete and imperfect judgments", 2006).
func inferred(t *ranking, _ *column) float64 {
	sum := 0.0
	relevant, nonrelevant, pool := 0, 0, 0
	for i, r := range t.ranked {
		switch {
		case r == notPooled:
		case r == notJudged:
			pool++
		case r < t.ms.RelevanceLevel:
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
	return over(sum, t.rel())
}

func utility(t *ranking, c *column) float64 {
	w := c.p.values
	return float64(w[0]*t.relRet()) + float64(w[1]*(t.ret()-t.relRet())) + float64(w[2]*(t.rel()-t.relRet())) +
		float64(w[3]*(float64(t.ms.Collection)+t.relRet()-t.ret()-t.rel()))
}

func setPrecision(t *ranking, _ *column) float64 { return over(t.relRet(), t.ret()) }
func setRecall(t *ranking, _ *column) float64    { return over(t.relRet(), t.rel()) }

func setRelativePrecision(t *ranking, _ *column) float64 {
	return over(t.relRet(), min(t.ret(), t.rel()))
}

func setAveragePrecision(t *ranking, _ *column) float64 {
	return over(float64(t.relRet()*t.relRet()), float64(t.ret()*t.rel()))
}

func setF(t *ranking, c *column) float64 {
	if len(t.hits) == 0 {
		return 0
	}
	precision, recall := t.relRet()/t.ret(), t.relRet()/t.rel()
	x := c.p.values[0]
	return float64((x+1)*precision) * recall / (float64(x*precision) + recall)
}

// binaryG and g are Buckley's normalized gain G, which trec_eval has computed since 2008.
func binaryG(t *ranking, _ *column) float64 {
	sum := 0.0
	for i, at := range t.hits {
		sum += 1 / t.ms.log2(2+at-i)
	}
	return over(sum, t.rel())
}

func g(t *ranking, col *column) float64 {
	c := t.cumulate(col.p)
	sum, cost, results, best := 0.0, 0.0, 0.0, 0.0
	for i, gain := range c.gains {
		results += gain
		if i < len(c.best) {
			cost += max(c.best[i], 1)
		} else {
			cost++
		}
		if gain != 0 {
			sum += gain / log2(2+cost-results)
		}
	}
	for _, gain := range c.best {
		best += gain
	}
	return over(sum, best)
}

// A cumulation contains the data of discounted cumulative gain: gains divided by the logarithm of
// the rank plus 1 (Järvelin and Kekäläinen 2002).
type cumulation struct {
	gains, best []float64 // gains of the ranked documents; positive gains of the ideal ranking
	dcg, ideal  []float64 // sums of the discounted gains over the first 0, 1, … ranks

	known bool
	of    *pair // first of the parameters that determined the gains
}

// cumulate returns the cumulation for the gains of p. It computes the cumulation only if the gains
// differ from the gains of the previous call. The result is valid until cumulate is called with
// other gains.
func (t *ranking) cumulate(p *parameters) *cumulation {
	c := &t.discounted
	var first *pair
	if len(p.pairs) > 0 {
		first = &p.pairs[0]
	}
	if c.known && c.of == first {
		return c
	}
	c.known, c.of = true, first
	gains := p.gainsOf(t)
	c.gains, c.best = c.gains[:0], gains.ideal(c.best[:0])
	for _, r := range t.ranked {
		c.gains = append(c.gains, gains.of(r))
	}
	sums := func(sums, gains []float64) []float64 {
		sum := 0.0
		sums = append(sums[:0], sum)
		for i, gain := range gains {
			if gain != 0 {
				sum += gain / t.ms.log2(i+2)
			}
			sums = append(sums, sum)
		}
		return sums
	}
	c.dcg, c.ideal = sums(c.dcg, c.gains), sums(c.ideal, c.best)
	return c
}

// at returns the discounted cumulative gains of the first k documents and of the ideal ranking.
func (c *cumulation) at(k int) (dcg, ideal float64) {
	return c.dcg[min(k, len(c.gains))], c.ideal[min(k, len(c.best))]
}

func dcg(t *ranking, c *column) float64 {
	sum, _ := t.cumulate(c.p).at(math.MaxInt)
	return sum
}

func idealDCG(t *ranking, c *column) float64 {
	_, ideal := t.cumulate(c.p).at(math.MaxInt)
	return ideal
}

func ndcg(t *ranking, c *column) float64    { return over(t.cumulate(c.p).at(math.MaxInt)) }
func ndcgCut(t *ranking, c *column) float64 { return over(t.cumulate(c.p).at(c.k)) }

// ndcgAtRelevant is the mean of the NDCG at the ranks of all relevant documents. Relevant documents
// that were not retrieved are treated as if they followed the last retrieved document.
func ndcgAtRelevant(t *ranking, col *column) float64 {
	c := t.cumulate(col.p)
	sum, missed := 0.0, len(c.best)
	for i, gain := range c.gains {
		if gain > 0 {
			dcg, ideal := c.at(i + 1)
			sum += dcg / ideal
			missed--
		}
	}
	dcg, ideal := c.at(math.MaxInt)
	if sum += float64(float64(missed)*dcg) / ideal; sum > 0 {
		return sum / float64(len(c.best))
	}
	return 0
}

// ndcgAtChanges is the mean of the NDCG at the ranks at which the gain in the ideal ranking changes
// and, if the ranking is longer than the ideal ranking by at least two documents, at its last rank.
func ndcgAtChanges(t *ranking, col *column) float64 {
	if t.relevant == 0 {
		return 0
	}
	c := t.cumulate(col.p)
	sum, changes := 0.0, 0
	add := func(k int) {
		dcg, ideal := c.at(k)
		sum += dcg / ideal
		changes++
	}
	for k := 1; k <= len(c.best); k++ {
		if k == len(c.best) || c.best[k] != c.best[k-1] {
			add(k)
		}
	}
	if len(c.best) > 0 && len(c.gains) > len(c.best)+1 {
		add(len(c.gains))
	}
	return sum / float64(changes)
}

// rbp is the rank-biased precision of Moffat and Zobel, with gains scaled to the range 0 to 1.
func rbp(t *ranking, c *column) float64 {
	gains := c.p.gainsOf(t)
	gains.scale()
	persistence := c.p.persistence()
	sum, weight := 0.0, 1.0
	for _, r := range t.ranked {
		if gain := gains.of(r); gain != 0 {
			sum += float64(gain * weight)
		}
		weight = float64(weight * persistence)
	}
	return float64((1 - persistence) * sum)
}

// rbpResidual is the amount by which rbp would increase if all unjudged documents had the highest
// gain. It is 0 if all ranked documents were judged.
func rbpResidual(t *ranking, c *column) float64 {
	persistence := c.p.persistence()
	sum, weight, any := 0.0, 1.0, false
	for _, r := range t.ranked {
		if r < 0 {
			any = true
			sum += weight
		}
		weight = float64(weight * persistence)
	}
	if !any {
		return 0
	}
	return weight + float64((1-persistence)*sum)
}

// relevanceString returns a string with one character for the relevance of each of the top n
// documents.
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

// integer converts a number to an integer as C does on amd64. A number beyond int64 becomes the
// smallest integer. Other numbers are truncated and limited to 32 bits, because no topic has more
// documents.
func integer(x float64) int {
	if !(math.Abs(x) < 1<<63) {
		return math.MinInt
	}
	return int(max(math.MinInt32, min(x, math.MaxInt32)))
}

// log returns the natural logarithm, or NaN unless x is positive.
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

// log2 returns log₂ n for an integer n.
func (ms *Measures) log2(n int) float64 {
	if n >= len(ms.logs) {
		ms.logs = num.Log2Integers(max(2*n, 2048))
	}
	return ms.logs[n]
}
