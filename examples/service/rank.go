package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/rank/serve"
)

// A work contains the buffers of a slot.
type work struct {
	features json.RawMessage // of one document
	rows     []float32
	ids      []string
	best     []serve.Ranked
}

type ranked struct {
	ID            string             `json:"id"`
	Score         *float64           `json:"score"` // null if a linear model lacks a feature
	Contributions map[string]float64 `json:"contributions,omitempty"`
}

// rank reads a request from the buffer and replaces it with the response. It returns the number of
// documents.
func (m *servedModel) rank(w *work, buffer *bytes.Buffer) (int, error) {
	q, err := m.parse(w, buffer.Bytes())
	if err != nil {
		return 0, err
	}
	w.best = m.ranker.AppendTopK(w.best[:0], w.rows, len(w.ids), q.k)
	results := make([]ranked, len(w.best))
	for i := range w.best {
		results[i].ID = w.ids[w.best[i].Row]
		if score := &w.best[i].Score; !math.IsNaN(*score) && !math.IsInf(*score, 0) {
			results[i].Score = score
		}
	}
	if q.explain > 0 {
		if err := m.explain(w, results, q.explain); err != nil {
			return 0, fmt.Errorf("explain: %w", err)
		}
	}
	buffer.Reset()
	return len(w.ids), json.NewEncoder(buffer).Encode(map[string][]ranked{"ranked": results})
}

// explain adds the n largest contributions to each result with a score.
func (m *servedModel) explain(w *work, results []ranked, n int) error {
	cols := m.ranker.Features()
	var rows []float32 // explaining all rows in one call is faster
	for _, best := range w.best {
		rows = append(rows, w.rows[best.Row*cols:][:cols]...)
	}
	all := make([]float64, len(results)*(cols+1))
	if err := m.ranker.ContributionsInto(all, rows); err != nil {
		return err
	}
	for i := range results {
		if results[i].Score == nil {
			continue
		}
		phi := all[i*(cols+1):][:cols]
		order := make([]int, cols)
		for j := range order {
			order[j] = j
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(phi[b]), math.Abs(phi[a])) })
		results[i].Contributions = map[string]float64{}
		for _, j := range order[:min(n, cols)] {
			results[i].Contributions[m.names[j]] = phi[j]
		}
	}
	return nil
}
