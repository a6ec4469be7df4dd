package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// describe returns the content of a dataset as text, one row per line.
func describe(d *Dataset) string {
	var s strings.Builder
	fmt.Fprintln(&s, d.Names, d.Cols, d.Sparse != nil)
	for q, id := range d.QueryIDs {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			fmt.Fprintln(&s, id, d.Labels[i], d.Row(i))
		}
	}
	return s.String()
}

func TestBuilder(t *testing.T) {
	for _, c := range []struct {
		name string
		add  func(b *Builder)
		want string
	}{
		{"dense", func(b *Builder) {
			b.Add("b", 2, []float32{1, 2})
			b.Add("b", 0, []float32{3, float32(math.NaN())})
			b.Add("a", 1, []float32{5, 6})
		}, "[] 2 false\nb 2 [1 2]\nb 0 [3 NaN]\na 1 [5 6]\n"},
		{"no queries", func(b *Builder) {
			b.Add("", 2, []float32{1})
			b.Add("", 0, []float32{3})
		}, "[] 1 false\n1 2 [1]\n1 0 [3]\n"},
		{"no features", func(b *Builder) { b.Add("a", 2, nil) }, "[] 0 false\na 2 []\n"},
		{"sparse", func(b *Builder) {
			b.AddSparse("a", 1, []int32{0, 3}, []float32{7, 8})
			b.AddSparse("a", 0, nil, nil)
			b.AddSparse("b", 0, []int32{1}, []float32{9})
		}, "[] 4 true\na 1 [7 0 0 8]\na 0 [0 0 0 0]\nb 0 [0 9 0 0]\n"},
		{"named", func(b *Builder) {
			b.AddNamed("a", 1, map[string]float32{"price": 7, "age": 8, "clicks": 0})
			b.AddNamed("a", 0, nil)
			b.AddNamed("b", 0, map[string]float32{"bm25": 1, "age": 2, "aa": 3})
		}, "[age clicks price aa bm25] 5 false\na 1 [8 0 7 NaN NaN]\na 0 [NaN NaN NaN NaN NaN]\nb 0 [2 NaN NaN 3 1]\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b Builder
			for range 2 { // a builder can be used again
				c.add(&b)
				d, err := b.Dataset()
				if err != nil {
					t.Fatal(err)
				}
				if got := describe(d); got != c.want {
					t.Errorf("got\n%swant\n%s", got, c.want)
				}
			}
		})
	}
}

func TestBuilderErrors(t *testing.T) {
	x := []float32{1, 2}
	for _, c := range []struct {
		want string
		add  func(b *Builder)
	}{
		{"rank: the dataset contains no documents", func(*Builder) {}},
		{"rank: row 1: the number of features is 1; it must be 2, as in the first row", func(b *Builder) {
			b.Add("a", 0, x)
			b.Add("a", 0, x[:1])
			b.Add("b", 0, nil) // the first error is reported
		}},
		{"rank: row 0: the number of columns is 1; it must be 2, one per value", func(b *Builder) {
			b.AddSparse("a", 0, []int32{0}, x)
		}},
		{"rank: column 3 follows column 3 in sparse row 1; columns must be at least 0 and in ascending order",
			func(b *Builder) {
				b.AddSparse("a", 0, nil, nil)
				b.AddSparse("a", 0, []int32{3, 3}, x)
			}},
		{"rank: column -1 follows column -1 in sparse row 0; columns must be at least 0 and in ascending order",
			func(b *Builder) { b.AddSparse("a", 0, []int32{-1}, x[:1]) }},
		{"rank: row 1: AddNamed cannot be combined with Add", func(b *Builder) {
			b.Add("a", 0, x)
			b.AddNamed("a", 0, nil)
		}},
		{"rank: row 3: query a is not contiguous: its previous rows ended at row 1 (sort the rows by query)",
			func(b *Builder) {
				for _, q := range []string{"a", "a", "b", "a"} {
					b.Add(q, 0, x)
				}
			}},
		{"rank: row 1: query IDs must be given for all rows or for none", func(b *Builder) {
			b.Add("", 0, x)
			b.Add("a", 0, x)
		}},
		{"rank: row 1: query IDs must be given for all rows or for none", func(b *Builder) {
			b.Add("a", 0, x)
			b.Add("", 0, x)
		}},
		{`rank: the name of feature 1 must be UTF-8, not "\xff" (re-encode the file, for example with iconv -f WINDOWS-1252 -t UTF-8)`, func(b *Builder) {
			b.AddNamed("a", 0, map[string]float32{"\xff": 1})
		}},
	} {
		t.Run(c.want, func(t *testing.T) {
			var b Builder
			c.add(&b)
			if _, err := b.Dataset(); err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

func TestFromColumns(t *testing.T) {
	columns := [][]float32{{1, 2, 3}, {4, 5, 6}}
	for _, c := range []struct {
		name, want     string
		names, queries []string
		columns        [][]float32
	}{
		{"queries", "[x y] 2 false\na 2 [1 4]\na 0 [2 5]\nb 1 [3 6]\n",
			[]string{"x", "y"}, []string{"a", "a", "b"}, columns},
		{"one query", "[] 2 false\n1 2 [1 4]\n1 0 [2 5]\n1 1 [3 6]\n", nil, nil, columns},
		{"too few queries", "rank: the number of queries is 1; it must be 3, one per label", nil, []string{"a"}, columns},
		{"parts of a query",
			"rank: row 2: query a is not contiguous: its previous rows ended at row 0 (sort the rows by query)",
			nil, []string{"a", "b", "a"}, columns},
		{"too few values", "rank: the number of values of feature 2 (y) is 1; it must be 3, one per label",
			[]string{"x", "y"}, nil, [][]float32{{1, 2, 3}, {4}}},
		{"too few names", "rank: the number of names is 1; it must be 2, one per column", []string{"x"}, nil, columns},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := FromColumns(c.names, c.columns, []float64{2, 0, 1}, c.queries)
			got := fmt.Sprint(err)
			if err == nil {
				got = describe(d)
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	if _, err := FromColumns(nil, nil, nil, nil); fmt.Sprint(err) != "rank: the dataset contains no documents" {
		t.Errorf("without rows: %v", err)
	}
}

// TestBuilderForms checks that models do not depend on how a dataset was built.
func TestBuilderForms(t *testing.T) {
	var dense, sparse, named Builder
	columns := make([][]float32, 20)
	labels, queries, names := []float64{}, []string{}, []string{}
	for j := range columns {
		names = append(names, fmt.Sprintf("f%02d", j))
	}
	for i := range 60 {
		query, label := fmt.Sprint(i/6), float64(i%3)
		x := make([]float32, len(columns))
		at := []int32{}
		values := map[string]float32{}
		for j := range x {
			if x[j] = float32((i*7+j*j)%5) - 1; x[j] != 0 {
				at = append(at, int32(j))
			}
			columns[j] = append(columns[j], x[j])
			values[names[j]] = x[j]
		}
		dense.Add(query, label, x)
		sparse.AddSparse(query, label, at, slices.DeleteFunc(slices.Clone(x), func(v float32) bool { return v == 0 }))
		named.AddNamed(query, label, values)
		labels, queries = append(labels, label), append(queries, query)
	}
	fit := func(d *Dataset, err error) []float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		m, err := (&RankSVM{C: 1}).Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return m.Weights
	}
	want := fit(dense.Dataset())
	for name, got := range map[string][]float64{"sparse": fit(sparse.Dataset()), "named": fit(named.Dataset()),
		"columns": fit(FromColumns(names, columns, labels, queries))} {
		t.Run(name, func(t *testing.T) {
			if !slices.Equal(got, want) {
				t.Errorf("weights %v, want %v", got, want)
			}
		})
	}
}
