package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/simdrank/simdrank/rank"
)

// RankSVM is the result of training RankSVM.
type RankSVM struct {
	Loss        string  `json:"loss"`
	C           float64 `json:"c"`
	Pairs       int64   `json:"pairs"`
	PairQueries int     `json:"queries_with_pairs"`
	Objective   Number  `json:"objective"`
	Gap         Number  `json:"gap"` // upper bound of the gap to the minimum, relative to the objective
	Stop        string  `json:"stop"`
	Converged   bool    `json:"converged"`
	Iterations  int     `json:"iterations"`
	Passes      int     `json:"passes"`
}

// NewRankSVM returns the result in the report of a training.
func NewRankSVM(loss string, r *rank.FitReport) *RankSVM {
	return &RankSVM{Loss: loss, C: r.C, Pairs: r.Pairs, PairQueries: r.Queries,
		Objective: Number(r.Objective), Gap: Number(r.Gap), Stop: r.Stop,
		Converged: r.Converged(), Iterations: r.Iterations, Passes: r.Passes}
}

// Text writes a line about the training.
func (s *RankSVM) Text(w io.Writer) {
	fmt.Fprintf(w, "%s, C = %g: objective %.10g over %s, relative gap at most %.1e after %s (%s)\n", s.Loss, s.C,
		float64(s.Objective), Count(s.Pairs, "pair", "pairs"), float64(s.Gap), Count(s.Passes, "pass", "passes"),
		s.Stop)
}

// Unconverged returns a warning about trainings that ended before they reached the tolerance of m.
// what names them.
func Unconverged(data, what string, gap float64, m *rank.RankSVM) string {
	return fmt.Sprintf("%s: %s did not converge: the relative gap is at most %.1e, but --tol is %g; "+
		"increase --max-passes (%d) or --tol", data, what, gap, m.Tol, m.MaxPasses)
}

// A CPath records how C was chosen.
type CPath struct {
	Metric string   `json:"metric"` // metric that C was chosen by
	Best   float64  `json:"best"`
	Points []CPoint `json:"points"`
}

// A CPoint is a value of C that was tried.
type CPoint struct {
	C         float64 `json:"c"`
	Score     Number  `json:"score"`
	Converged bool    `json:"converged"` // whether all trainings with this C converged
	Gap       Number  `json:"gap"`       // largest gap of these trainings
}

// NewCPath records that C of m was chosen among points by a metric.
func NewCPath(metric string, m *rank.Linear, points []rank.CPoint) *CPath {
	s := &CPath{Metric: metric, Best: m.Report.C}
	for _, p := range points {
		s.Points = append(s.Points, CPoint{p.C, Number(p.Value), p.Unconverged == 0, Number(p.Gap)})
	}
	return s
}

// Text writes a line for each value of C, with a star after the best.
func (s *CPath) Text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "\nC\t%s\t\n", s.Metric)
	for _, p := range s.Points {
		mark := ""
		if p.C == s.Best {
			mark = " *"
		}
		fmt.Fprintf(t, "%g\t%.4f\t%s\n", p.C, float64(p.Score), mark)
	}
	return t.Flush()
}
