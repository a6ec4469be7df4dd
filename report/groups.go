package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/rank/compare"
)

var differenceColumns = []string{"system", "metric", "difference", "95% interval", "p", "Holm p", "d", "better",
	"worse", "queries"}

// differenceRow returns a row of a table with differenceColumns.
func differenceRow(name string, m compare.Cell) []string {
	d := &m.Differences[0]
	row := []string{name, m.Metric.String(), signed(d.Mean) + d.Stars(), "–", "–", "–", "–", fmt.Sprint(d.Better),
		fmt.Sprint(d.Worse), fmt.Sprint(m.Queries)}
	if !math.IsNaN(d.P) {
		copy(row[3:], []string{interval(signed(d.Low), signed(d.High)), fmt.Sprintf("%.3g", d.P),
			fmt.Sprintf("%.3g", d.CorrectedP), minus(fmt.Sprintf("%+.2f", d.CohenD))})
	}
	return row
}

// byGroup writes the means of each group and, if systems were compared, the differences from the
// first system. means contains a table for each system.
func (b *builder) byGroup(groups []compare.Group, means []*compare.Table) {
	b.subtitle("Query groups")
	t := &table{columns: []string{"group", "queries", "metric"}}
	for _, s := range b.results {
		t.columns = append(t.columns, s.Name)
	}
	for _, g := range groups {
		for m, metric := range b.metrics {
			row := []string{g.Name, fmt.Sprint(g.Queries), metric.String()}
			for _, of := range means {
				k := slices.IndexFunc(of.ByGroup, func(other compare.Group) bool { return other.Name == g.Name })
				row = append(row, meanCell(of.ByGroup[k].Systems[0].Metrics[m]))
			}
			t.rows = append(t.rows, row)
		}
	}
	b.table(t.first())
	if len(groups[0].Systems) == 1 {
		return
	}
	t = &table{columns: append([]string{"group"}, differenceColumns...)}
	for _, g := range groups {
		for _, s := range g.Systems[1:] {
			for _, m := range s.Metrics {
				t.rows = append(t.rows, append([]string{g.Name}, differenceRow(s.Name, m)...))
			}
		}
	}
	t = t.first()
	t.note += "The group with the largest loss comes first. p-values are corrected by Holm's method for all systems " +
		"in all groups with at least two queries."
	b.table(t)
}
