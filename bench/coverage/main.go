// Command coverage prints the table in docs/explanation/confidence-intervals.md. It simulates the
// metric values of two systems on a population of queries, and then samples queries many times. It
// counts how often the intervals of package compare, at a nominal level of 95%, contain the mean of
// the population. The program uses five minutes of processor time.
//
// The documents of a query have binary labels. A query's difficulty, its number of relevant
// documents and the scores are random. The systems' scores are correlated, as the scores of similar
// rankers are.
package main

import (
	"context"
	"fmt"
	"math"
	"os"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

const (
	population  = 100_000 // queries
	documents   = 50      // per query
	repetitions = 2000
	rounds      = 2000 // of the bootstrap
	seed        = 1
	names       = "map,ndcg@10,mrr,ndcg"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	rng := num.SplitMix(seed)
	a, b, err := simulate(ctx, &rng)
	if err != nil {
		return err
	}
	fmt.Println("| Metric | Skewness, value and difference | Queries | Mean, `bootstrap` | Mean, `student` | " +
		"Difference, `bootstrap` | Difference, `student` |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|")
	rows := make([][]string, len(a.Metrics))
	for _, n := range []int{10, 20, 50, 200, 1000} {
		counts := make([][4]int, len(a.Metrics))
		for range repetitions {
			if err := count(ctx, a, b, n, &rng, counts); err != nil {
				return err
			}
		}
		for m, c := range counts {
			row := fmt.Sprintf("| `%v` | %.1f, %.1f | %d |", a.Metrics[m].Metric, skewness(a.Metrics[m].Values),
				skewness(minus(b.Metrics[m].Values, a.Metrics[m].Values)), n)
			for _, hits := range c {
				row += fmt.Sprintf(" %.1f%% |", 100*float64(hits)/repetitions)
			}
			rows[m] = append(rows[m], row)
		}
	}
	for _, of := range rows {
		for _, row := range of {
			fmt.Println(row)
		}
	}
	return nil
}

// count samples n queries and adds, for each metric, whether the four intervals contain the values
// of the population.
func count(ctx context.Context, a, b *rank.Results, n int, rng *num.SplitMix, counts [][4]int) error {
	queries := make([]int, n)
	for i := range queries {
		queries[i] = rng.Below(population)
	}
	systems := []compare.System{{Name: "a", Results: sample(a, queries)}, {Name: "b", Results: sample(b, queries)}}
	for k, method := range []string{"bootstrap", "student"} {
		o := compare.Options{Test: "t", Interval: method, Rounds: rounds, Seed: rng.Next()}
		means, err := compare.Means(ctx, systems[0], o)
		if err != nil {
			return err
		}
		differences, err := compare.Compare(ctx, systems, o)
		if err != nil {
			return err
		}
		for m := range counts {
			mean, d := means.Systems[0].Metrics[m], differences.Systems[1].Metrics[m].Differences[0]
			if truth := a.Metrics[m].Mean; mean.Low <= truth && truth <= mean.High {
				counts[m][k]++
			}
			if truth := b.Metrics[m].Mean - a.Metrics[m].Mean; d.Low <= truth && truth <= d.High {
				counts[m][2+k]++
			}
		}
	}
	return nil
}

// sample returns the results for some queries, which may repeat.
func sample(r *rank.Results, queries []int) *rank.Results {
	s := &rank.Results{QueryIDs: make([]string, len(queries))}
	for _, of := range r.Metrics {
		m := rank.MetricResult{Metric: of.Metric, Values: make([]float64, len(queries))}
		for i, q := range queries {
			m.Values[i] = of.Values[q]
		}
		s.Metrics = append(s.Metrics, m)
	}
	return s
}

// simulate returns the results of two systems on the population.
func simulate(ctx context.Context, rng *num.SplitMix) (a, b *rank.Results, err error) {
	lists := [2][]rank.List{make([]rank.List, population), make([]rank.List, population)}
	for q := range population {
		labels := make([]float64, documents)
		difficulty, relevant := 1.5*rng.Float64(), 1+rng.Below(1+rng.Below(10))
		var scores [2][]float64
		for i := range labels {
			if i < relevant {
				labels[i] = 1
			}
			shared := difficulty*labels[i] + normal(rng)
			for s, strength := range []float64{0.3, 0.5} {
				scores[s] = append(scores[s], shared+float64(strength*labels[i])+float64(0.5*normal(rng)))
			}
		}
		for s := range lists {
			lists[s][q] = rank.List{Labels: labels, Scores: scores[s]}
		}
	}
	e, err := rank.NewEvaluator(names, rank.Options{})
	if err != nil {
		return nil, nil, err
	}
	if a, err = e.EvalAll(ctx, lists[0]); err != nil {
		return nil, nil, err
	}
	b, err = e.EvalAll(ctx, lists[1])
	return a, b, err
}

// normal returns a sum of 12 uniform numbers minus 6, which is approximately normal.
func normal(rng *num.SplitMix) float64 {
	sum := -6.0
	for range 12 {
		sum += rng.Float64()
	}
	return sum
}

func minus(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	return d
}

// skewness returns the skewness of values: the third central moment divided by the cube of the
// standard deviation.
func skewness(values []float64) float64 {
	var mean, squares, cubes float64
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		d := v - mean
		squares += float64(d * d)
		cubes += float64(float64(d*d) * d)
	}
	n := float64(len(values))
	return cubes / n / math.Pow(squares/n, 1.5)
}
