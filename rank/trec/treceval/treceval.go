// Package treceval evaluates TREC runs exactly as the program trec_eval does. It has the same
// measures under the same names, and prints the same digits. It uses package trec to read, sort and
// join runs and judgments.
//
// Start with [Load] for judgments, [NewMeasures] and [Measures.Eval], and print the results with
// [Results.WriteTopics] and [Results.WriteAll]. Errors about a line of a file wrap
// [*rank.ParseError]. If the run does not answer a judged topic, an error wraps [*rank.OptionError]
// with the option Complete.
//
// The measures are not a preset of [rank.Evaluator], because the last digits depend on the order of
// operations. trec_eval divides each gain by a logarithm and adds up topics one by one. Package
// rank multiplies gains by discounts in the order of its kernels, and rounds exact sums once. For
// each topic, only eight of 57 measures are bit-identical in both: map, map_cut, P, recall,
// success, Rprec, bpref and recip_rank. Most other measures have no counterpart in package rank.
package treceval

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank/trec"
)

// These values replace the relevance of unjudged retrieved documents.
const (
	notPooled = -1 // the document is not in the judgments
	notJudged = -2 // the relevance in the judgments is negative
)

// Measures is a list of trec_eval measures, and the options for evaluating runs. Set the fields
// before you evaluate a run. Measures must be used by only one goroutine at a time.
type Measures struct {
	// RelevanceLevel is the lowest relevance that counts as relevant (-l). It must not be negative.
	// NewMeasures sets it to 1.
	RelevanceLevel int
	// MaxDocs is the number of top-ranked documents per topic that count (-M). 0 means all.
	MaxDocs int
	// JudgedOnly ignores retrieved documents without a judgment (-J).
	JudgedOnly bool
	// Collection is the number of documents in the collection, which the measure utility uses (-N).
	Collection int

	// Complete counts judged topics that the run does not answer, as if it had retrieved a single
	// unjudged document (-c). Without Complete, such topics are an error, except in version 9.
	Complete bool

	version int
	columns []column

	// The following fields are memory of a worker's copy. The caller's Measures does not use them.
	logs  []float64
	gains gains
}

// A column is one of the values that a measure computes.
type column struct {
	name    string
	measure *measure
	p       *parameters
	k       int     // parameter of this column if the kind is ranks
	x       float64 // parameter of this column if the kind is shares
}

// A measure describes one of trec_eval's measures.
type measure struct {
	name    string
	kind    kind
	preset  parameters
	sum     summary
	groups  bool // whether the measure requires judgments by groups
	single  bool // whether the measure has no values for single topics
	since10 bool
	value   func(t *ranking, c *column) float64
	prefs   func(t *preferences) float64
}

// A summary specifies how the value over all topics is computed.
type summary uint8

const (
	mean      summary = iota
	total             // sum over the topics, an integer
	geometric         // exponential of the mean of logarithms
	topics            // number of topics
	runID             // name of the run
	noSummary         // no value, because the values of topics are texts
)

// NewMeasures returns the measures with these names. As for trec_eval -m, a name is a measure, a
// measure with parameters as in ndcg_cut.5,10, or a set of measures: official, set, all_trec,
// prefs, all_prefs or qrels_jg. Without names it returns the set official. As in trec_eval, values
// are printed in a fixed order. If a measure is named several times, the parameters given first are
// used.
//
// version is the trec_eval version: 10 for trec_eval 10.0, or 9 for 9.0.8. Version 9 rounds scores
// to float32. For iprec_at_recall and 11pt_avg, a recall level is multiplied by the number of
// relevant documents. Version 10 rounds the product to nearest; version 9 rounds it up if its
// fractional part is at least 0.1. Version 9 ignores topics that the run does not answer; with
// Complete, they count as 0 in means. Version 9 does not have the measures rbp, rbp_resid, unj, dcg
// and ideal_dcg.
func NewMeasures(version int, names ...string) (*Measures, error) {
	if version != 9 && version != 10 {
		return nil, errs.Errorf("treceval", "trec_eval version %d is not supported; it must be 9 or 10", version)
	}
	if len(names) == 0 {
		names = []string{"official"}
	}
	wanted := map[*measure]bool{}
	given := map[*measure]*parameters{}
	for _, name := range names {
		base, text, hasParameters := strings.Cut(name, ".")
		if set, ok := sets[base]; ok {
			if hasParameters {
				return nil, errs.Errorf("treceval", "measure %q: a set of measures accepts no parameters", name)
			}
			for _, name := range strings.Fields(set) {
				if m := measureNamed(name); !m.since10 || version == 10 {
					wanted[m] = true
				}
			}
			continue
		}
		m := measureNamed(base)
		if m == nil {
			return nil, errs.Errorf("treceval", "unknown measure %q%s", name, near(base))
		}
		if m.since10 && version == 9 {
			return nil, errs.Errorf("treceval", "trec_eval 9 has no measure %q", name)
		}
		wanted[m] = true
		if !hasParameters {
			continue
		}
		p, err := m.kind.parse(text)
		if err == nil && m.name == "utility" && len(p.values) != 4 {
			err = fmt.Errorf("it requires 4 parameters, not %d", len(p.values))
		}
		if err != nil {
			return nil, errs.Errorf("treceval", "measure %q: %w", name, err)
		}
		if given[m] == nil {
			given[m] = p
		}
	}
	ms := &Measures{RelevanceLevel: 1, version: version}
	for i := range allMeasures {
		m := &allMeasures[i]
		if !wanted[m] {
			continue
		}
		ms.columns = append(ms.columns, cmp.Or(given[m], &m.preset).columns(m)...)
	}
	return ms, nil
}

// takes reports whether the measure can be computed from judgments in the given format.
func (m *measure) takes(f format) bool {
	switch {
	case m.sum == topics || m.sum == runID:
		return true
	case m.groups:
		return f == ofGroups
	case m.prefs != nil:
		return f == ofPrefs || f == ofQrelsPrefs
	}
	return f == ofQrels
}

func measureNamed(name string) *measure {
	i := slices.IndexFunc(allMeasures, func(m measure) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return &allMeasures[i]
}

// near suggests a measure for an unknown name. The name may differ from a measure's name in case,
// or contain the parameters after an underscore.
func near(name string) string {
	at := max(0, strings.LastIndexByte(name, '_'))
	base, text := name[:at], strings.TrimPrefix(name[at:], "_")
	for i := range allMeasures {
		m := &allMeasures[i]
		if strings.EqualFold(m.name, name) {
			return fmt.Sprintf("; did you mean %s?", m.name)
		}
		if strings.EqualFold(m.name, base) {
			if _, err := m.kind.parse(text); err == nil {
				return fmt.Sprintf("; did you mean %s.%s?", m.name, text)
			}
		}
	}
	return ""
}

// Results contains the values of a run.
type Results struct {
	Topics []TopicResult // evaluated topics by ascending ID, byte by byte
	All    TopicResult   // values over all topics, with the ID "all"

	columns []column
}

// A TopicResult contains the values of a topic, or the values over all topics.
type TopicResult struct {
	ID     string
	values []float64 // one value per column
	text   string    // relstring if the result is for one topic; runid if it is for all topics
}

// Names returns the names of the values in trec_eval's order, without runid and relstring.
func (r *Results) Names() (names []string) {
	for _, c := range r.columns {
		if c.measure.sum < runID {
			names = append(names, c.name)
		}
	}
	return names
}

// Value returns the value with a name as trec_eval prints it, such as ndcg_cut_10, for one of the
// topics or for All. The second result is false if the measure was not evaluated, or for gm_map of
// a single topic.
func (r *Results) Value(t *TopicResult, name string) (float64, bool) {
	for i, c := range r.columns {
		if c.name == name && c.measure.sum < runID && (!c.measure.single || t == &r.All) {
			return t.values[i], true
		}
	}
	return math.NaN(), false
}

// RunID returns the name of the run, which is the run field of its last line.
func (r *Results) RunID() string { return r.All.text }

// Eval evaluates a run against judgments. Topics of the run without judgments are ignored.
func (ms *Measures) Eval(ctx context.Context, j *Judgments, run *trec.Run) (*Results, error) {
	return ms.EvalPieces(ctx, j, func(yield func(*trec.Run, error) bool) { yield(run, nil) })
}

// EvalPieces is like [Measures.Eval] but accepts a run that is streamed in pieces of whole topics,
// for example by [trec.StreamRuns]. The results are bit-identical to the results of
// [Measures.Eval]. The next piece may overwrite the previous one.
func (ms *Measures) EvalPieces(ctx context.Context, j *Judgments, pieces iter.Seq2[*trec.Run, error]) (*Results,
	error) {
	switch {
	case ms.RelevanceLevel < 0:
		return nil, errs.Errorf("treceval", "the relevance level is %d; it must not be negative", ms.RelevanceLevel)
	case ms.MaxDocs < 0:
		return nil, errs.Errorf("treceval", "the number of documents per topic is %d; it must be at least 1, or 0 for all", ms.MaxDocs)
	case ms.Collection < 0:
		return nil, errs.Errorf("treceval", "the number of documents in the collection is %d; it must not be negative", ms.Collection)
	}
	for _, c := range ms.columns {
		if !c.measure.takes(j.format) {
			return nil, errs.Errorf("treceval", "measure %s does not support judgments of the format %s",
				c.measure.name, formatNames[j.format])
		}
	}
	r := &Results{columns: ms.columns, All: TopicResult{ID: "all", values: make([]float64, len(ms.columns))}}
	workers := make([]worker, parallel.Threads(0))
	for i := range workers {
		workers[i].ms = *ms
	}
	for run, err := range pieces {
		if err != nil {
			return nil, err
		}
		r.All.text = run.Name
		if err := j.topics(ctx, workers, run, nil); err != nil {
			return nil, j.failed(err)
		}
	}
	answered := map[string]bool{}
	for i := range workers {
		for _, t := range workers[i].topics {
			answered[t.ID] = true
		}
	}
	if len(answered) < len(j.qrels.Topics()) {
		if err := j.topics(ctx, workers, new(trec.Run), answered); err != nil {
			return nil, j.failed(err)
		}
	}
	relevant, unanswered := 0, 0
	for i := range workers {
		r.Topics = append(r.Topics, workers[i].topics...)
		relevant += workers[i].relevant
		unanswered += workers[i].unanswered
	}
	if len(r.Topics) == 0 {
		return nil, errs.Errorf("treceval", "no topic of the run has judgments")
	}
	slices.SortFunc(r.Topics, func(a, b TopicResult) int { return cmp.Compare(a.ID, b.ID) })
	sums := r.All.values
	for i := range r.Topics {
		for c, v := range r.Topics[i].values {
			sums[c] += v
		}
	}
	n := len(r.Topics)
	if ms.Complete {
		n += unanswered
	}
	for i, c := range ms.columns {
		switch c.measure.sum {
		case mean:
			sums[i] /= float64(n)
		case geometric:
			if ms.Complete {
				sums[i] += float64(float64(unanswered) * log(leastGeometric))
			}
			sums[i] = num.RoundedExp(sums[i] / float64(n))
		case topics:
			sums[i] = float64(n)
		}
		if ms.Complete && c.name == "num_rel" {
			sums[i] = float64(relevant)
		}
	}
	return r, nil
}

// ofAnswers lists the measures that use no documents if the run does not answer the topic. Other
// measures use one unjudged document.
var ofAnswers = []string{"num_ret", "relstring", "utility", "rbp_resid"}

// values returns the values of the topic that the worker has judged.
func (w *worker) values(id string) TopicResult {
	ms, topic := &w.ms, TopicResult{ID: id, values: make([]float64, len(w.ms.columns))}
	for i := range ms.columns {
		c, v := &ms.columns[i], &topic.values[i]
		switch m := c.measure; {
		case m.sum == runID:
		case m.sum == topics:
			*v = 1
		case !w.answered && (m.name == "unj" || slices.Contains(ofAnswers, c.name)):
		case m.sum == noSummary:
			topic.text = w.rankings[0].relevanceString(integer(c.p.values[0]))
		case m.prefs != nil:
			*v = m.prefs(&w.prefs)
		default:
			*v = m.value(&w.rankings[0], c)
			for g := range w.rankings[1:] {
				*v += m.value(&w.rankings[1+g], c)
			}
			*v /= float64(len(w.rankings))
		}
	}
	return topic
}

// WriteTopics writes the values of each topic in trec_eval's format.
func (r *Results) WriteTopics(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	for i := range r.Topics {
		for c := range r.columns {
			if !r.columns[c].measure.single {
				line = r.appendLine(line[:0], &r.Topics[i], c)
				_, _ = out.Write(line) // Flush returns the error
			}
		}
	}
	return out.Flush()
}

// WriteAll writes the values over all topics in trec_eval's format.
func (r *Results) WriteAll(w io.Writer) error {
	var text []byte
	for c := range r.columns {
		if r.columns[c].measure.sum != noSummary {
			text = r.appendLine(text, &r.All, c)
		}
	}
	_, err := w.Write(text)
	return err
}

// appendLine appends the output line with the value of column i for a topic.
func (r *Results) appendLine(b []byte, t *TopicResult, i int) []byte {
	c, start := &r.columns[i], len(b)
	b = append(b, c.name...)
	for len(b) < start+22 {
		b = append(b, ' ')
	}
	b = append(append(append(b, '\t'), t.ID...), '\t')
	switch c.measure.sum {
	case runID:
		b = append(b, t.text...)
	case noSummary:
		b = append(append(append(b, '\''), t.text...), '\'')
	case total, topics:
		b = strconv.AppendInt(b, int64(t.values[i]), 10)
	default:
		b = appendValue(b, t.values[i])
	}
	return append(b, '\n')
}

// appendValue appends a number with four decimals, like %6.4f in C. NaN is written with a minus
// sign, because trec_eval computes it as 0/0, which has a negative sign on amd64.
func appendValue(b []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return append(b, "  -nan"...)
	case math.IsInf(v, 1):
		return append(b, "   inf"...)
	case math.IsInf(v, -1):
		return append(b, "  -inf"...)
	}
	return strconv.AppendFloat(b, v, 'f', 4, 64)
}
