// Command lateinteraction searches passages in two stages and evaluates both. The first stage finds
// the 100 passages whose mean vectors are nearest to the mean vector of the query. The second stage
// compares the token vectors of the query and of these passages by MaxSim, as ColBERT does.
//
//	go run ./examples/lateinteraction
//
// The passages and queries are synthetic. Each token is a word with some noise from its context,
// and a query consists of words of its only relevant passage. The program writes the result of the
// second stage to the TREC run reranked.run, and prints the metrics of both stages.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/simdrank/simdrank/nearest"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

func main() {
	log.SetFlags(0)
	f, err := os.Create("reranked.run")
	if err != nil {
		log.Fatal(err)
	}
	r, err := search{passages: 5000, queries: 100, dims: 64, candidates: 100}.run(context.Background(), f)
	if err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	r.print(os.Stdout)
}

// A search contains the sizes of the synthetic data and of the first stage.
type search struct{ passages, queries, dims, candidates int }

const (
	words       = 2000 // size of the vocabulary
	topicWords  = 30   // number of words that a passage draws from
	queryTokens = 16
)

// A collection contains token vectors and their means.
type collection struct {
	dims       int
	vocabulary []float32
	tokens     []float32 // token vectors of all passages
	lengths    []int     // numbers of tokens
	means      []float32 // a vector per passage
}

// newCollection generates passages of 20 to 99 tokens.
func newCollection(r *rand.Rand, s search) *collection {
	c := &collection{dims: s.dims, vocabulary: make([]float32, words*s.dims)}
	for i := range c.vocabulary {
		c.vocabulary[i] = noise(r)
	}
	for range s.passages {
		first, topic := len(c.tokens), r.IntN(words)
		for range 20 + r.IntN(80) {
			word := (topic + r.IntN(topicWords)) % words
			c.tokens = c.appendToken(c.tokens, r, c.vocabulary[word*s.dims:][:s.dims])
		}
		c.lengths = append(c.lengths, (len(c.tokens)-first)/s.dims)
		c.means = append(c.means, c.mean(c.tokens[first:])...)
	}
	return c
}

// noise returns a random number between −1 and 1 in steps of 1/2048. It is identical on every
// machine.
func noise(r *rand.Rand) float32 { return float32(r.IntN(4097)-2048) / 2048 }

// appendToken appends a vector near x. Its length is 1, as in models for late interaction. The
// conversions prevent the compiler from fusing products and sums.
func (c *collection) appendToken(tokens []float32, r *rand.Rand, x []float32) []float32 {
	first, squares := len(tokens), float32(0)
	for _, v := range x {
		v += noise(r) / 2
		squares += float32(v * v)
		tokens = append(tokens, v)
	}
	norm := float32(math.Sqrt(float64(squares)))
	for i := range tokens[first:] {
		tokens[first+i] /= norm
	}
	return tokens
}

// mean returns the sum of token vectors, which has the same direction as their mean.
func (c *collection) mean(tokens []float32) []float32 {
	m := make([]float32, c.dims)
	for i, v := range tokens {
		m[i%c.dims] += v
	}
	return m
}

// query generates the token vectors of a query from tokens of a passage. It returns the passage.
func (c *collection) query(r *rand.Rand) (tokens []float32, passage int) {
	passage = r.IntN(len(c.lengths))
	first := 0
	for _, n := range c.lengths[:passage] {
		first += n
	}
	for range queryTokens {
		token := first + r.IntN(c.lengths[passage])
		tokens = c.appendToken(tokens, r, c.tokens[token*c.dims:][:c.dims])
	}
	return tokens, passage
}

// A result contains the metrics of both stages.
type result struct{ first, second *rank.Results }

// run searches for all queries, writes the run of the second stage to w, and evaluates both stages.
func (s search) run(ctx context.Context, w io.Writer) (r result, err error) {
	rng := rand.New(rand.NewPCG(1, 2))
	c := newCollection(rng, s)
	index, err := nearest.New[float32](c.means, s.passages, s.dims, s.dims, "cosine")
	if err != nil {
		return r, err
	}
	reranker, err := nearest.NewReranker[float32](c.tokens, len(c.tokens)/s.dims, s.dims, s.dims, c.lengths)
	if err != nil {
		return r, err
	}
	var (
		judgments     []trec.Judgment
		first, second []trec.ScoredDoc
		found         []nearest.Neighbor
	)
	for i := range s.queries {
		tokens, passage := c.query(rng)
		topic := fmt.Sprint("q", i)
		judgments = append(judgments, trec.Judgment{Topic: topic, Doc: name(passage), Relevance: 1})
		if found, err = index.AppendNearest(found[:0], c.mean(tokens), s.candidates); err != nil {
			return r, err
		}
		first = appendDocs(first, topic, found)
		if found, err = reranker.AppendReranked(ctx, found[:0], tokens, found, s.candidates); err != nil {
			return r, err
		}
		second = appendDocs(second, topic, found)
	}
	qrels, err := trec.NewQrels(slices.Values(judgments))
	if err != nil {
		return r, err
	}
	if r.first, err = evaluate(ctx, io.Discard, qrels, "means", first); err != nil {
		return r, err
	}
	r.second, err = evaluate(ctx, w, qrels, "reranked", second)
	return r, err
}

func name(passage int) string { return fmt.Sprint("p", passage) }

func appendDocs(docs []trec.ScoredDoc, topic string, found []nearest.Neighbor) []trec.ScoredDoc {
	for _, n := range found {
		docs = append(docs, trec.ScoredDoc{Topic: topic, Doc: name(int(n.ID)), Score: n.Score})
	}
	return docs
}

// evaluate writes a run to w and returns its metrics.
func evaluate(ctx context.Context, w io.Writer, qrels *trec.Qrels, name string, docs []trec.ScoredDoc) (
	*rank.Results, error) {
	run, err := trec.NewRun(name, slices.Values(docs))
	if err != nil {
		return nil, err
	}
	if err := run.Write(w); err != nil {
		return nil, err
	}
	return trec.Evaluate(ctx, qrels, run, "mrr,ndcg@10,recall@100", rank.Options{Preset: "trec_eval"})
}

func (r result) print(w io.Writer) {
	fmt.Fprintf(w, "%-12s %8s %8s\n", "", "means", "reranked")
	for i, m := range r.first.Metrics {
		fmt.Fprintf(w, "%-12v %8.4f %8.4f\n", m.Metric, m.Mean, r.second.Metrics[i].Mean)
	}
}
