// Command retrieval ranks the items of a catalogue in two stages. The first stage finds the 1,000
// items whose embeddings are nearest to the query. The second stage ranks these items with a
// LambdaMART model, which also uses popularity, price and freshness.
//
//	go run ./examples/retrieval
//
// The catalogue and the queries are synthetic. The value of an item grows with its similarity to
// the query, its popularity and its freshness. It falls if the price exceeds the budget of the
// query. The program trains on some queries. For other queries, it prints the share of the ten most
// valuable items that each stage finds, and the time of each stage.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"time"

	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/nearest"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/serve"
)

func main() {
	log.SetFlags(0)
	m := market{items: 200_000, dims: 64, train: 200, test: 100, candidates: 1000, trees: 100}
	r, err := m.run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	r.print(os.Stdout, &m)
}

// A market contains the sizes of the synthetic data and the stages.
type market struct {
	items, dims int
	train, test int // numbers of queries
	candidates  int // number of items that the first stage passes to the second
	trees       int
}

const (
	shown    = 10 // items in the final ranking
	features = 6
)

// A catalogue contains items and the index of their embeddings.
type catalogue struct {
	dims       int
	embeddings []float32 // items × dims
	traits     []traits
	index      *nearest.Index[float32]
}

// traits are the features of an item. All are between 0 and 1.
type traits struct{ popularity, price, freshness float32 }

// A query is an embedding and the budget of its user.
type query struct {
	embedding []float32
	budget    float32
}

// unit returns a random number between 0 and 1 in steps of 1/4096. It is identical on every
// machine.
func unit(r *rand.Rand) float32 { return float32(r.IntN(4097)) / 4096 }

// newCatalogue generates items around a hundred topics.
func newCatalogue(r *rand.Rand, m *market) (*catalogue, error) {
	topics := make([]float32, 100*m.dims)
	for i := range topics {
		topics[i] = unit(r) - 0.5
	}
	c := &catalogue{dims: m.dims, embeddings: make([]float32, m.items*m.dims), traits: make([]traits, m.items)}
	for i := range c.traits {
		topic := topics[r.IntN(100)*m.dims:][:m.dims]
		for j := range m.dims {
			c.embeddings[i*m.dims+j] = topic[j] + unit(r) - 0.5
		}
		c.traits[i] = traits{unit(r), unit(r), unit(r)}
	}
	var err error
	c.index, err = nearest.New[float32](c.embeddings, m.items, m.dims, m.dims, "cosine")
	if err != nil {
		return nil, err
	}
	c.index.Threads = 1
	return c, nil
}

// query generates a query that is similar to one of the items.
func (c *catalogue) query(r *rand.Rand) query {
	item := c.embeddings[r.IntN(len(c.traits))*c.dims:][:c.dims]
	q := query{make([]float32, c.dims), unit(r)}
	for j := range q.embedding {
		q.embedding[j] = item[j] + unit(r) - 0.5
	}
	return q
}

// features sets x to the features of an item in the second stage.
func (c *catalogue) features(x []float32, q query, item nearest.Neighbor) {
	t := c.traits[item.ID]
	copy(x, []float32{float32(item.Score), t.popularity, t.price, t.freshness, q.budget, q.budget - t.price})
}

// value returns the value that the ranker learns to predict. In practice, this value is unknown.
// The conversions prevent the compiler from fusing products and sums.
func (c *catalogue) value(q query, item nearest.Neighbor) float32 {
	t := c.traits[item.ID]
	v := float32(4*float32(item.Score)) + float32(t.popularity*t.popularity) + float32(t.freshness/2)
	return v - float32(3*max(0, t.price-q.budget))
}

// best returns the indices of the k most valuable items.
func (c *catalogue) best(q query, items []nearest.Neighbor, k int) []int {
	values := make([]float32, len(items))
	for i, item := range items {
		values[i] = c.value(q, item)
	}
	return kernels.AppendTopK(nil, values, k, nil)
}

// trainRanker trains on the values of the candidates of m.train queries.
func (c *catalogue) trainRanker(ctx context.Context, r *rand.Rand, m *market) (*serve.Ranker, error) {
	d := rank.NewDataset(m.train*m.candidates, features)
	d.Offsets = []int{0}
	for i := range m.train {
		q := c.query(r)
		candidates, err := c.index.AppendNearest(nil, q.embedding, m.candidates)
		if err != nil {
			return nil, err
		}
		first := i * m.candidates
		for j, item := range candidates {
			c.features(d.Row(first+j), q, item)
		}
		for place, j := range c.best(q, candidates, m.candidates/5) {
			switch { // grades, as a judge would assign them
			case place < shown:
				d.Labels[first+j] = 3
			case place < 5*shown:
				d.Labels[first+j] = 2
			default:
				d.Labels[first+j] = 1
			}
		}
		d.Offsets = append(d.Offsets, first+m.candidates)
		d.QueryIDs = append(d.QueryIDs, fmt.Sprint("train-", i))
	}
	trainer := lambdamart.DefaultTrainer()
	trainer.Trees = m.trees
	result, err := trainer.Fit(ctx, d)
	if err != nil {
		return nil, err
	}
	return serve.New(result.Model)
}

// A result contains means over the test queries.
type result struct {
	nearest, candidates, ranked float64       // share of the most valuable items that each set contains
	retrieve, prepare, rank     time.Duration // time per query
}

func (m *market) run(ctx context.Context) (r result, err error) {
	rng := rand.New(rand.NewPCG(1, 2))
	c, err := newCatalogue(rng, m)
	if err != nil {
		return r, err
	}
	ranker, err := c.trainRanker(ctx, rng, m)
	if err != nil {
		return r, err
	}
	var (
		candidates []nearest.Neighbor
		order      []serve.Ranked
		x          = make([]float32, m.candidates*features)
		ranked     = make([]nearest.Neighbor, shown)
	)
	for range m.test {
		q := c.query(rng)
		start := time.Now()
		if candidates, err = c.index.AppendNearest(candidates[:0], q.embedding, m.candidates); err != nil {
			return r, err
		}
		retrieved := time.Now()
		for i, item := range candidates {
			c.features(x[i*features:][:features], q, item)
		}
		prepared := time.Now()
		order = ranker.AppendTopK(order[:0], x, len(candidates), shown)
		done := time.Now()
		r.retrieve += retrieved.Sub(start) / time.Duration(m.test)
		r.prepare += prepared.Sub(retrieved) / time.Duration(m.test)
		r.rank += done.Sub(prepared) / time.Duration(m.test)

		for i, best := range order {
			ranked[i] = candidates[best.Row]
		}
		all, err := c.index.AppendNearest(nil, q.embedding, m.items)
		if err != nil {
			return r, err
		}
		var truth []int32
		for _, place := range c.best(q, all, shown) {
			truth = append(truth, all[place].ID)
		}
		n := float64(m.test)
		r.nearest += nearest.Recall(candidates[:shown], truth) / n
		r.candidates += nearest.Recall(candidates, truth) / n
		r.ranked += nearest.Recall(ranked, truth) / n
	}
	return r, nil
}

func (r result) print(w io.Writer, m *market) {
	fmt.Fprintf(w, "Share of the %d most valuable of %d items, mean of %d queries:\n", shown, m.items, m.test)
	fmt.Fprintf(w, "  among the %d nearest                  %3.0f%%\n", shown, 100*r.nearest)
	fmt.Fprintf(w, "  among the %d nearest                %3.0f%%\n", m.candidates, 100*r.candidates)
	fmt.Fprintf(w, "  among the top %d after the ranking    %3.0f%%\n", shown, 100*r.ranked)
	total := r.retrieve + r.prepare + r.rank
	fmt.Fprintf(w, "Time per query on one thread: %v\n", total.Round(time.Microsecond))
	for _, s := range []struct {
		what string
		took time.Duration
	}{{"Index.AppendNearest", r.retrieve}, {"features", r.prepare}, {"Ranker.AppendTopK", r.rank}} {
		share := 100 * float64(s.took) / float64(total)
		fmt.Fprintf(w, "  %-19s %8v %3.0f%%\n", s.what, s.took.Round(time.Microsecond), share)
	}
}
