package rankbeam

import (
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
	"math"
	"unicode/utf8"

	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

// Evaluate computes the metrics of a model, as [rank.Evaluate] does. The means are bit-identical to
// the means over all files on one machine. The results contain no per-query values. If perQuery is
// not "", they are written to files that are named as in [Job.Predict]. Each query is a line of
// JSON, for example {"ndcg@10":0.5,"query":"17"}. A value that is not finite is null.
func (j *Job) Evaluate(ctx context.Context, s System, perQuery string) (*rank.Results, *Pass, error) {
	e, err := evaluatorOr(j.Evaluator)
	if err != nil {
		return nil, nil, err
	}
	r := &rank.Results{Metrics: make([]rank.MetricResult, len(e.Metrics()))}
	done, err := j.score(ctx, "evaluate", []System{s}, perQuery, func(parts []part) error {
		if err := checkIDs(e.Options(), parts, j.Data.Glob); err != nil {
			return err
		}
		for i, m := range e.Metrics() {
			var mean num.ExactMean
			for k := range parts {
				mean.Merge(&parts[k].Means[i])
			}
			r.Metrics[i] = rank.MetricResult{Metric: m, Mean: mean.Value(), Counted: mean.Counted,
				Skipped: mean.Skipped}
		}
		if perQuery == "" {
			return nil
		}
		return publish(ctx, parts, perQuery)
	})
	if err != nil {
		return nil, nil, err
	}
	return r, done, nil
}

// Compare compares models on the same queries, as [compare.Compare] does. It collects the values of
// all queries in the memory of the program, using 8 bytes per query, metric and model.
func (j *Job) Compare(ctx context.Context, systems []System, o compare.Options) (*compare.Table, *Pass, error) {
	e, err := evaluatorOr(j.Evaluator)
	if err != nil {
		return nil, nil, err
	}
	all := make([]compare.System, len(systems))
	for i, s := range systems {
		all[i] = compare.System{Name: s.Name, Results: &rank.Results{}}
		for _, m := range e.Metrics() {
			all[i].Results.Metrics = append(all[i].Results.Metrics, rank.MetricResult{Metric: m})
		}
	}
	done, err := j.score(ctx, "compare", systems, "", func(parts []part) error {
		if err := checkIDs(e.Options(), parts, j.Data.Glob); err != nil {
			return err
		}
		for k := range parts {
			list, err := remote.Load(ctx, parts[k].Output, readRecords)
			if err != nil {
				return cli.FileError(parts[k].Output, err)
			}
			addRecords(all, list)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	table, err := compare.Compare(ctx, all, o)
	return table, done, err
}

// evaluatorOr returns e or, if e is nil, the default evaluator.
func evaluatorOr(e *rank.Evaluator) (*rank.Evaluator, error) {
	if e != nil {
		return e, nil
	}
	return rank.NewEvaluator("ndcg@10", rank.Options{})
}

// checkIDs returns an error if ties are ordered by document ID and no row has one.
func checkIDs(o rank.Options, parts []part, glob string) error {
	byKey := o.Ties == "key" || o.Ties == "" && (o.Preset == "trec_eval" || o.Preset == "trec_eval9")
	ids := false
	for i := range parts {
		ids = ids || parts[i].DocIDs
	}
	if byKey && !ids {
		return errs.Wrap(&rank.OptionError{Option: "Ties",
			Err: errors.New("ties are broken by document ID, but the data has no document IDs")}, "%s", glob)
	}
	return nil
}

func init() { tasks["evaluate"], tasks["compare"] = fileTaskOf(measureFile), fileTaskOf(measureFile) }

// An evaluation adds up metrics. It can also write per-query values: a [record] per query if
// systems are compared, and JSON otherwise.
type evaluation struct {
	plan      *scorePlan
	evaluator *rank.Evaluator
	part      part
	compares  bool
	out       *output      // nil without per-query values
	records   *gob.Encoder // to out
}

// A record contains the values of a query: all metrics of the first system, then of the next.
type record struct {
	ID     string
	Values []float64
}

func measureFile(ctx context.Context, a *attempt, p *scorePlan, f file) (_ any, err error) {
	w := &evaluation{plan: p, compares: a.task == "compare"}
	if w.evaluator, err = evaluatorOr(p.Evaluator); err != nil {
		return nil, err
	}
	if !w.compares {
		w.part.Means = make([]num.ExactMean, len(w.evaluator.Metrics()))
	}
	if p.Output != "" {
		if w.out, err = a.create(ctx, p.Output, p.Target); err != nil {
			return nil, err
		}
		defer func() { err = w.out.close(err) }()
		w.part.Output, w.records = w.out.name, gob.NewEncoder(w.out)
	}
	for d, err := range a.pieces(ctx, &f, f.options()) {
		if err == nil {
			err = w.piece(ctx, d)
		}
		if err != nil {
			return nil, err
		}
	}
	return &w.part, nil
}

func (w *evaluation) piece(ctx context.Context, d *rank.Dataset) error {
	if d.DocIDs != nil {
		w.part.DocIDs = true
	} else { // other rows may have IDs; the IDs of these rows are then empty
		withIDs := *d
		withIDs.DocIDs = make([]string, d.Rows())
		d = &withIDs
	}
	var results []*rank.Results
	for i := range w.plan.Models {
		scores, err := w.plan.scores(ctx, i, d)
		if err != nil {
			return err
		}
		r, err := w.evaluator.EvalScores(ctx, scores, d)
		if err != nil {
			return cli.FileError(d.File, err)
		}
		results = append(results, r)
	}
	addMeans(w.part.Means, results[0])
	if w.out == nil {
		return nil
	}
	for q := range d.Queries() {
		id := ""
		if q < len(d.QueryIDs) {
			id = d.QueryIDs[q]
		}
		if !w.compares && !utf8.ValidString(id) {
			first, _ := d.Query(q)
			return d.RowError(first, text.NotUTF8("an identifier in JSON", id))
		}
		if err := w.write(id, q, results); err != nil {
			return err
		}
	}
	return nil
}

// addMeans adds per-query values to means.
func addMeans(means []num.ExactMean, r *rank.Results) {
	for i := range means {
		m := &r.Metrics[i]
		means[i].Add(m.Values, m.Weights, m.Skipped > 0) // an option skips all undefined values or none
	}
}

// write writes the values of a query.
func (w *evaluation) write(id string, q int, results []*rank.Results) error {
	if w.compares {
		out := record{ID: id}
		for _, r := range results {
			for _, m := range r.Metrics {
				out.Values = append(out.Values, m.Values[q])
			}
		}
		return w.records.Encode(out)
	}
	values := map[string]any{"query": id}
	for _, m := range results[0].Metrics {
		values[m.Metric.String()] = nil
		if v := m.Values[q]; !math.IsNaN(v) && !math.IsInf(v, 0) {
			values[m.Metric.String()] = v
		}
	}
	line, err := json.Marshal(values)
	w.out.Write(append(line, '\n')) // an error is returned again at the end
	return err
}

// readRecords reads the records of a file.
func readRecords(r io.Reader) (list []record, err error) {
	for records := gob.NewDecoder(r); ; {
		var r record
		if err := records.Decode(&r); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
}

// addRecords appends records to the results of systems.
func addRecords(systems []compare.System, list []record) {
	for _, r := range list {
		for _, s := range systems {
			s.Results.QueryIDs = append(s.Results.QueryIDs, r.ID)
			for i := range s.Results.Metrics {
				m := &s.Results.Metrics[i]
				m.Values, r.Values = append(m.Values, r.Values[0]), r.Values[1:]
			}
		}
	}
}
