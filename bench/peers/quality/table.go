package main

import (
	"context"
	"fmt"
	"io"

	"github.com/simdrank/simdrank/rank/compare"
)

// table prints a row for each set and system. The first system is the one that the others are
// compared with, over the seeds that both have.
func table(ctx context.Context, w io.Writer, results map[key]result) error {
	list := systems()
	head := "| Set | System | NDCG@10 | Difference | 95% interval | p | Time |\n|---|---|---:|---:|---|---:|---:|\n"
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	for _, s := range sets() {
		for _, y := range list {
			base, values, slower := paired(results, s.name, list[0].name, y.name)
			if len(values) == 0 {
				continue
			}
			row := fmt.Sprintf("| %s | %s | %.4f |  |  |  | %.2g |", s.name, y.name, mean(values), slower)
			if y.name != list[0].name {
				d, err := compare.Values(ctx, [][]float64{base, values}, compare.Options{Seed: 1})
				if err != nil {
					return err
				}
				c := d[1][0]
				row = fmt.Sprintf("| %s | %s | %.4f | %+.4f | %+.4f to %+.4f | %.2g | %.2g |", s.name, y.name,
					mean(values), c.Mean, c.Low, c.High, c.P, slower)
			}
			if _, err := fmt.Fprintln(w, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// paired returns the values of two systems for all queries of the seeds that both have, and the
// training time of the second system divided by the first one's.
func paired(results map[key]result, set, base, system string) (a, b []float64, slower float64) {
	var seconds [2]float64
	for seed := range uint64(seeds) {
		r, ok := results[key{set, base, seed}]
		s, both := results[key{set, system, seed}]
		if ok && both {
			a, b = append(a, r.Values...), append(b, s.Values...)
			seconds[0] += r.Seconds
			seconds[1] += s.Seconds
		}
	}
	return a, b, seconds[1] / seconds[0]
}

func mean(values []float64) (sum float64) {
	for _, v := range values {
		sum += v / float64(len(values))
	}
	return sum
}
