package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/nearest"
	"github.com/simdrank/simdrank/nearest/vectorfile"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
	"github.com/simdrank/simdrank/vectors"
)

func nearestCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "nearest -i vectors -q queries",
		Short: "Find the exact nearest neighbors of query vectors",
		Long: `Compare each query with all vectors (brute force), and print its nearest neighbors. Each
output line contains a query number, a vector ID and a score, separated by tabs. Query
numbers and IDs start at 0, unless --query-ids and --ids name them. --format trec writes
a TREC run. With --truth, print recall@k instead.

Vectors are the rows of a file:
  .npy                      float64, float32, float16, int8, uint8, or uint64 (bits)
  .fbin, .u8bin, .i8bin     float32, uint8 or int8, as in big-ann-benchmarks
  .fvecs, .bvecs            float32 or uint8
Queries must have the type of the vectors. Queries of type float32 also work with
float16, int8 and uint8 vectors. docs/reference/cli.md describes the scores and
their order.`,
		Example: `  simdrank nearest -i vectors.npy -q queries.npy --k 100 --metric cosine
  simdrank nearest -i sift_base.fvecs -q sift_query.fvecs --k 100 --metric l2 \
    --truth sift_groundtruth.ivecs
  simdrank nearest -i docs.fbin -q queries.fbin --ids docs.txt --query-ids queries.txt \
    --format trec -o dense.run`,
		Args: noArguments,
	}
	var s nearestSearch
	var output, name string
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&s.input, "input", "i", "", "vector `file`")
	flags.StringVarP(&s.queries, "queries", "q", "", "query vector `file`")
	flags.IntVar(&s.k, "k", 10, "neighbors per query")
	metric := choiceFlag(cmd, "metric", "similarity `metric`", nearest.OptionWords("metric")...)
	flags.StringVar(&s.ids, "ids", "", "`file` with an ID for each vector, one per line")
	flags.StringVar(&s.queryIDs, "query-ids", "", "`file` with an ID for each query, one per line")
	flags.StringVar(&s.truth, "truth", "", "`file` with the true neighbors' IDs, to compute recall@k")
	flags.IntVar(&s.threads, "threads", 0, "threads (default one per processor)")
	flags.StringVarP(&output, "output", "o", "-", "output `file` for the neighbors")
	format := choiceFlag(cmd, "format", "output `format`", "text", "json", "csv", "trec")
	flags.StringVar(&name, "run-name", "", "`name` of the run (default: the metric)")
	cmd.MarkFlagRequired("input")
	cmd.MarkFlagRequired("queries")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s.metric = metric.value
		if s.k < 1 {
			return usagef("--k %d: must be at least 1", s.k)
		}
		if s.threads < 0 {
			return usagef("--threads %d: must be at least 0", s.threads)
		}
		if s.truth != "" && output == "-" && flags.Changed("output") {
			return usagef("--truth cannot be combined with --output -: standard output shows the recall")
		}
		if s.truth != "" && output == "-" && format.value == "trec" {
			return usagef("--truth with --format trec requires --output (-o): standard output shows the recall")
		}
		if flags.Changed("run-name") {
			if format.value != "trec" {
				return usagef("--run-name requires --format trec")
			}
			if err := checkRunName(name); err != nil {
				return err
			}
		}
		if err := checkFiles(output, s.input, s.queries, s.ids, s.queryIDs, s.truth); err != nil {
			return err
		}
		found, recall, err := s.run(cmd)
		if err != nil {
			return err
		}
		if s.truth == "" || output != "-" {
			write := func(w io.Writer) error { return printResult(w, format, found) }
			if format.value == "trec" {
				run, err := found.run(cmp.Or(name, s.metric))
				if err != nil {
					return errs.Wrap(err, "--format trec")
				}
				write = run.Write
			}
			total := int64(s.k) * int64(len(found.Queries))
			err := writeSized(cmd, output, "neighbors", total, write)
			if err != nil {
				return err
			}
		}
		if s.truth == "" {
			return nil
		}
		return printResult(cmd.OutOrStdout(), format, recall)
	}
	return cmd
}

// A nearestSearch holds the flags of nearest.
type nearestSearch struct {
	input, queries, truth string
	ids, queryIDs         string
	metric                string
	k, threads            int
}

func (s *nearestSearch) run(cmd *cobra.Command) (found neighborLists, recall recallResult, err error) {
	matrix, err := openVectors(cmd, s.input)
	if err != nil {
		return found, recall, err
	}
	defer matrix.Close()
	queries, err := openVectors(cmd, s.queries)
	if err != nil {
		return found, recall, err
	}
	defer queries.Close()
	ids, err := readIDs(cmd, s.ids, s.input, matrix.Rows)
	if err != nil {
		return found, recall, err
	}
	queryIDs, err := readIDs(cmd, s.queryIDs, s.queries, queries.Rows)
	if err != nil {
		return found, recall, err
	}
	var truth [][]int32
	if s.truth != "" {
		if truth, err = s.readTruth(cmd, queries.Rows, matrix.Rows); err != nil {
			return found, recall, err
		}
	}
	var all []nearest.Neighbor
	scoreBits := 64
	switch q := queries.Data.(type) {
	case []float64:
		all, err = findNearest(cmd, s, q, queries, matrix)
	case []float32:
		scoreBits = 32
		all, err = findNearest(cmd, s, q, queries, matrix)
	case []vectors.F16:
		scoreBits = 32
		all, err = findNearest(cmd, s, q, queries, matrix)
	case []int8:
		all, err = findNearest(cmd, s, q, queries, matrix)
	case []uint8:
		all, err = findNearest(cmd, s, q, queries, matrix)
	case []uint64:
		all, err = findNearest(cmd, s, q, queries, matrix)
	default:
		err = fmt.Errorf("%s: the file contains %s, which is not supported for queries", inputName(s.queries), queries.Type())
	}
	if err != nil {
		return found, recall, err
	}
	found = neighborLists{Metric: s.metric, Queries: make([]neighborList, queries.Rows), scoreBits: scoreBits}
	recall.K, recall.Queries = s.k, queries.Rows
	var sum float64
	n := len(all) / max(1, queries.Rows) // neighbors per query
	for i := range found.Queries {
		list := all[i*n:][:n]
		l := neighborList{IDs: make([]int32, n), Scores: make([]number, n)}
		for j, neighbor := range list {
			l.IDs[j], l.Scores[j] = neighbor.ID, number(neighbor.Score)
			if ids != nil {
				l.Docs = append(l.Docs, ids[neighbor.ID])
			}
		}
		if queryIDs != nil {
			l.Query = queryIDs[i]
		}
		found.Queries[i] = l
		if truth != nil {
			sum += nearest.Recall(list, truth[i])
		}
	}
	recall.Recall = number(sum / float64(queries.Rows))
	return found, recall, nil
}

// readIDs reads the IDs of the rows of a vector file. It returns nil if path is "".
func readIDs(cmd *cobra.Command, path, vectors string, rows int) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	ids, err := readInput(cmd, path, cli.ReadIDs)
	if err == nil && len(ids) != rows {
		err = fmt.Errorf("%s contains %s, but %s contains %s", inputName(path), counted(len(ids), "ID"),
			inputName(vectors), counted(rows, "vector"))
	}
	return ids, err
}

// findNearest returns the neighbors of all queries. q holds the elements of the queries.
func findNearest[Q vectors.Element | uint64](cmd *cobra.Command, s *nearestSearch, q []Q,
	queries, matrix *vectorfile.File) ([]nearest.Neighbor, error) {
	if queries.Cols != matrix.Cols {
		return nil, fmt.Errorf("%s is %d × %d %s, but %s is %d × %d: vectors and queries must have the same length",
			inputName(s.queries), queries.Rows, queries.Cols, queries.Type(), inputName(s.input), matrix.Rows,
			matrix.Cols)
	}
	var index *nearest.Index[Q]
	var err error
	switch a := matrix.Data.(type) {
	case []float64:
		index, err = nearest.New[Q](a, matrix.Rows, matrix.Cols, matrix.Stride, s.metric)
	case []float32:
		index, err = nearest.New[Q](a, matrix.Rows, matrix.Cols, matrix.Stride, s.metric)
	case []vectors.F16:
		index, err = nearest.New[Q](a, matrix.Rows, matrix.Cols, matrix.Stride, s.metric)
	case []int8:
		index, err = nearest.New[Q](a, matrix.Rows, matrix.Cols, matrix.Stride, s.metric)
	case []uint8:
		index, err = nearest.New[Q](a, matrix.Rows, matrix.Cols, matrix.Stride, s.metric)
	case []uint64:
		index, err = nearest.New[Q](a, matrix.Rows, matrix.Cols, matrix.Stride, s.metric)
	default:
		err = fmt.Errorf("the file contains %s, which is not supported for vectors", matrix.Type())
	}
	if err != nil {
		return nil, errs.Wrap(err, "%s", inputName(s.input))
	}
	index.Threads = s.threads
	searching := begin(cmd, "searching "+inputName(s.input), "")
	defer searching.end()
	index.Progress = searching.at
	found, err := index.AppendNearestBatch(cmd.Context(), nil, q, queries.Rows, queries.Stride, s.k)
	return found, readError(s.queries, err)
}

// openVectors opens a vector file; "-" is standard input.
func openVectors(cmd *cobra.Command, path string) (*vectorfile.File, error) {
	if path == "-" {
		return readInput(cmd, path, func(r io.Reader, o ...rank.ReadOptions) (*vectorfile.File, error) {
			return vectorfile.Read(r, "", o...)
		})
	}
	f, err := await(cmd.Context(), func() (*vectorfile.File, error) { return vectorfile.Open(path, readOptions(cmd)) })
	return f, readError(path, err)
}

// readTruth returns the IDs of the first k true neighbors of each query. A negative ID means that
// there are no more neighbors.
func (s *nearestSearch) readTruth(cmd *cobra.Command, queries, vectors int) ([][]int32, error) {
	f, err := openVectors(cmd, s.truth)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var id func(i int) int64
	switch data := f.Data.(type) {
	case []int32:
		id = func(i int) int64 { return int64(data[i]) }
	case []int64:
		id = func(i int) int64 { return data[i] }
	default:
		return nil, readError(s.truth,
			fmt.Errorf("the file contains %s; neighbor IDs must be int32 or int64", f.Type()))
	}
	if f.Rows != queries || f.Cols < s.k {
		return nil, readError(s.truth, fmt.Errorf("the file contains %s with %s each; "+
			"it must contain %s with at least %s each", cli.Count(f.Rows, "query", "queries"),
			counted(f.Cols, "neighbor ID"), cli.Count(queries, "query", "queries"), counted(s.k, "ID")))
	}
	truth := make([][]int32, f.Rows)
	for i := range truth {
		truth[i] = make([]int32, s.k)
		for j := range truth[i] {
			v := id(i*f.Stride + j)
			if v >= int64(vectors) {
				return nil, readError(s.truth, fmt.Errorf("query %d: ID %d does not exist: there are %s", i, v,
					counted(vectors, "vector")))
			}
			truth[i][j] = int32(max(v, -1))
		}
	}
	return truth, nil
}

// neighborLists is the result of a search.
type neighborLists struct {
	Metric  string         `json:"metric"`
	Queries []neighborList `json:"queries"`

	scoreBits int // 32 if scores are float32
}

// A neighborList contains the neighbors of a query.
type neighborList struct {
	Query  string   `json:"query,omitempty"` // from --query-ids
	IDs    []int32  `json:"ids"`
	Docs   []string `json:"docs,omitempty"` // from --ids
	Scores []number `json:"scores"`
}

// query returns the ID of a query, which is its number by default.
func (n neighborLists) query(q int) string { return cmp.Or(n.Queries[q].Query, strconv.Itoa(q)) }

// doc returns the ID of a neighbor, which is its row by default.
func (l *neighborList) doc(i int) string {
	if l.Docs != nil {
		return l.Docs[i]
	}
	return strconv.Itoa(int(l.IDs[i]))
}

// run returns the neighbors as a run. Distances become negative scores, because higher scores come
// first in runs.
func (n neighborLists) run(name string) (*trec.Run, error) {
	return trec.NewRun(name, func(yield func(trec.ScoredDoc) bool) {
		for q, list := range n.Queries {
			for i, score := range list.Scores {
				if n.Metric == "l2" || n.Metric == "hamming" {
					score = 0 - score // 0 stays 0
				}
				if !yield(trec.ScoredDoc{Topic: n.query(q), Doc: list.doc(i), Score: float64(score)}) {
					return
				}
			}
		}
	})
}

func (n neighborLists) text(w io.Writer) error {
	var line []byte
	for q, list := range n.Queries {
		for i := range list.IDs {
			line = append(append(line[:0], n.query(q)...), '\t')
			line = append(append(line, list.doc(i)...), '\t')
			line = append(strconv.AppendFloat(line, float64(list.Scores[i]), 'g', -1, n.scoreBits), '\n')
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

func (n neighborLists) csv(t *csvTable) {
	t.row("query", "id", "score")
	for q, list := range n.Queries {
		for i := range list.IDs {
			t.row(n.query(q), list.doc(i), list.Scores[i])
		}
	}
}

type recallResult struct {
	K       int    `json:"k"`
	Queries int    `json:"queries"`
	Recall  number `json:"recall"`
}

func (r recallResult) text(w io.Writer) error {
	_, err := fmt.Fprintf(w, "recall@%d  %.4f\n", r.K, float64(r.Recall))
	return err
}
