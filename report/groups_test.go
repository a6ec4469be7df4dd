package report

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestPageGroups checks the tables of groups, also on a page about one system and with many groups.
func TestPageGroups(t *testing.T) {
	d := small()
	p := &Page{Data: Set{"test.txt", d}, Systems: make([]System, 2)}
	for s := range p.Systems {
		p.Systems[s] = System{Name: fmt.Sprint("system ", s), Scores: make([]float64, d.Rows())}
		for i := range d.Rows() {
			p.Systems[s].Scores[i] = float64(d.Row(i)[s])
		}
	}
	all := p.Systems
	queries := p.Data.Data.Queries()
	for q := range queries {
		p.Groups = append(p.Groups, []string{"<odd>", "even"}[q%2])
	}
	p.Groups[0] = "single"
	for systems, want := range map[int][]string{
		1: {"Query groups", "<td>&lt;odd&gt;</td>", "<td>single</td>"},
		2: {"Query groups", "<td>&lt;odd&gt;</td>", "<td>single</td>", "method for all systems in all groups"},
	} {
		t.Run(fmt.Sprint(systems, " systems"), func(t *testing.T) {
			p.Systems = all[:systems]
			text := pageHTML(t, p)
			for _, w := range want {
				if !strings.Contains(text, w) {
					t.Errorf("the page lacks %q", w)
				}
			}
			if strings.Contains(text, ">NaN") {
				t.Error("the page shows NaN")
			}
		})
	}
	for q := range queries {
		p.Groups[q] = fmt.Sprint("group ", q)
	}
	p.Systems = all[:1]
	if n := strings.Count(pageHTML(t, p), "<td>group "); n != min(queries*5, tableRows) {
		t.Errorf("%d rows of groups for %d queries", n, queries)
	}
	p.Groups = p.Groups[1:]
	err := p.Write(t.Context(), io.Discard)
	if err == nil || !strings.HasPrefix(err.Error(), "report: the number of group names is ") {
		t.Errorf("too few groups: %v", err)
	}
}
