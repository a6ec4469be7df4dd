package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A ResultsFile contains the values of a system on each query, as eval --save stores them. Means
// are not stored.
type ResultsFile struct {
	*rank.Results
	Conventions map[string]string // values of the flags that determine the metrics, by name
}

const (
	resultsFormat  = "simdrank-results"
	resultsVersion = 1
)

var resultsStart = regexp.MustCompile(`^\s*\{\s*"format"\s*:\s*"` + resultsFormat + `"`)

// BeginsResults reports whether a file that starts with head is a [ResultsFile].
func BeginsResults(head []byte) bool { return resultsStart.Match(head) }

// Write writes the file as JSON, with a line for each query. It returns an error if two queries
// have the same ID, if an ID is not UTF-8, or if a value is infinite.
func (f *ResultsFile) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	conventions, err := json.Marshal(f.Conventions) // sorted by name
	if err != nil {
		return err
	}
	names := make([]string, len(f.Metrics))
	for i, m := range f.Metrics {
		names[i] = m.Metric.String()
	}
	metrics, err := json.Marshal(names)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "{\"format\": %q, \"version\": %d,\n\"metrics\": %s,\n\"conventions\": %s,\n\"queries\": [",
		resultsFormat, resultsVersion, metrics, conventions)
	seen := map[string]bool{}
	values := make([]Number, len(f.Metrics))
	for q, id := range f.QueryIDs {
		if seen[id] {
			return fmt.Errorf("the query %q appears twice; saved results require distinct queries", id)
		}
		seen[id] = true
		for i, m := range f.Metrics {
			if math.IsInf(m.Values[q], 0) {
				return fmt.Errorf("%v of query %q is %v; saved values must be finite", m.Metric, id, m.Values[q])
			}
			values[i] = Number(m.Values[q])
		}
		var line strings.Builder
		if err := text.WriteJSON(&line, id); err != nil {
			return err
		}
		numbers, err := json.Marshal(values)
		if err != nil {
			return err
		}
		if q > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "\n{\"id\": %s, \"values\": %s}", strings.TrimSpace(line.String()), numbers)
	}
	b.WriteString("\n]}\n")
	return b.Flush()
}

// ReadResults reads a file that [ResultsFile.Write] has written. The file may be compressed.
func ReadResults(r io.Reader, o ...rank.ReadOptions) (*ResultsFile, error) {
	budget := files.NewBudget(r, o...)
	size := files.Size(r)
	r, err := budget.Uncompressed(r)
	if err != nil {
		return nil, err
	}
	content, err := budget.ReadAll(r, "the saved results", size)
	if err != nil {
		return nil, err
	}
	root, err := modelfile.ParseJSON(content, budget)
	if err != nil {
		return nil, err
	}
	f := &ResultsFile{Results: &rank.Results{}}
	if format := root.Get("format").Text(); root.Err() == nil && format != resultsFormat {
		return nil, errors.New("the file does not contain saved results")
	}
	if version := root.Get("version").Whole(0, math.MaxInt64); root.Err() == nil && version != resultsVersion {
		return nil, fmt.Errorf("version %d of %s is not supported; this release reads version %d", version, resultsFormat,
			resultsVersion)
	}
	f.Conventions = root.Get("conventions").TextsByName()
	f.readMetrics(root.Get("metrics"))
	f.readQueries(root.Get("queries"))
	if err := root.Err(); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *ResultsFile) readMetrics(list modelfile.Node) {
	for i, name := range list.Texts() {
		m, err := rank.ParseMetric(name)
		if err == nil && slices.ContainsFunc(f.Metrics, func(r rank.MetricResult) bool { return r.Metric == m }) {
			err = fmt.Errorf("the metric %v appears twice", m)
		}
		if err != nil {
			list.Failf("element %d: %s", i+1, errs.Bare(err))
			return
		}
		f.Metrics = append(f.Metrics, rank.MetricResult{Metric: m})
	}
	if len(f.Metrics) == 0 {
		list.Failf("must contain at least one metric")
	}
}

// queryBytes is the memory that a query needs in addition to its ID and its values: a string and an
// entry of a map.
const queryBytes = 96

func (f *ResultsFile) readQueries(list modelfile.Node) {
	n := list.Len()
	if list.Err() != nil || !list.Hold("the saved results", int64(n)*int64(queryBytes+8*len(f.Metrics))) {
		return
	}
	for i := range f.Metrics {
		f.Metrics[i].Values = make([]float64, 0, n)
	}
	seen := make(map[string]bool, n)
	for _, q := range list.List() {
		id, values := q.Get("id").Text(), q.Get("values")
		if k := values.Len(); list.Err() == nil && k != len(f.Metrics) {
			values.Failf("found %s, expected %d, one per metric", Count(k, "value", "values"), len(f.Metrics))
		}
		if seen[id] {
			q.Failf("the query %q appears twice", text.Excerpt(id))
		}
		if list.Err() != nil || !list.Hold("the saved results", int64(len(id))) {
			return
		}
		seen[id] = true
		f.QueryIDs = append(f.QueryIDs, id)
		for i, v := range values.List() {
			x := math.NaN()
			if !v.IsNull() {
				if x = v.Number(); math.IsNaN(x) || math.IsInf(x, 0) {
					v.Failf("the value is %v; it must be finite, or null if the query is skipped", x)
				}
			}
			f.Metrics[i].Values = append(f.Metrics[i].Values, x)
		}
	}
}

// Matching returns the results of the file in the form of other results: with the same queries in
// the same order, and with the given metrics. Errors contain the two names.
func (f *ResultsFile) Matching(name string, metrics []rank.Metric, other *rank.Results, otherName string) (
	*rank.Results, error) {
	place := make(map[string]int, len(f.QueryIDs))
	for q, id := range f.QueryIDs {
		place[id] = q
	}
	var missing []string // queries of other that the file lacks
	order := make([]int, len(other.QueryIDs))
	common := map[string]bool{}
	for i, id := range other.QueryIDs {
		q, ok := place[id]
		if order[i] = q; !ok {
			missing = append(missing, id)
		}
		common[id] = ok
	}
	extra := slices.DeleteFunc(slices.Clone(f.QueryIDs), func(id string) bool { return common[id] })
	var parts []string
	for _, part := range []struct {
		ids       []string
		all       int
		in, notIn string
	}{{missing, len(other.QueryIDs), otherName, name}, {extra, len(f.QueryIDs), name, otherName}} {
		if len(part.ids) > 0 {
			parts = append(parts, fmt.Sprintf("%d of %s of %s are not in %s (for example %q)", len(part.ids),
				Count(part.all, "query", "queries"), part.in, part.notIn, part.ids[0]))
		}
	}
	if parts != nil {
		return nil, errors.New("the queries differ: " + strings.Join(parts, "; "))
	}
	r := &rank.Results{QueryIDs: other.QueryIDs}
	for _, m := range metrics {
		i := slices.IndexFunc(f.Metrics, func(r rank.MetricResult) bool { return r.Metric == m })
		if i < 0 {
			return nil, fmt.Errorf("%s has no values of %v; its metrics are %s (use --metric to select them)", name, m,
				f.MetricNames())
		}
		values := make([]float64, len(order))
		for k, q := range order {
			values[k] = f.Metrics[i].Values[q]
		}
		r.Metrics = append(r.Metrics, rank.MetricResult{Metric: m, Values: values})
	}
	return r, nil
}

// MetricNames returns the names of the metrics, separated by commas.
func (f *ResultsFile) MetricNames() string {
	names := make([]string, len(f.Metrics))
	for i, m := range f.Metrics {
		names[i] = m.Metric.String()
	}
	return strings.Join(names, ",")
}

// CheckConventions returns an error about the first flag that has another value in the file. of is
// a clause such as "this command evaluates".
func (f *ResultsFile) CheckConventions(name string, want map[string]string, of string) error {
	with := func(flag, value string) string {
		if value == "" {
			return "without --" + flag
		}
		return "with --" + flag + " " + value
	}
	for _, flag := range []string{"preset", "gain", "ties", "empty", "max-label"} {
		if was, is := f.Conventions[flag], want[flag]; was != is {
			return fmt.Errorf("%s was evaluated %s, but %s %s", name, with(flag, was), of, with(flag, is))
		}
	}
	return nil
}
