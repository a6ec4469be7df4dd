package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/nearest"
	"github.com/simdrank/simdrank/nearest/vectorfile"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/vectors"
)

func nearestCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "nearest -i vectors -q queries",
		Short: "Find the vectors nearest to each query, exactly",
		Long: `Find the vectors nearest to each query, by comparing it with all of them.

Vectors are the rows of an .npy file (float64, float32, float16, int8, uint8, or
uint64 for sets of bits), or of a file named .fvecs (float32) or .bvecs (uint8).
Queries have the type of the vectors, or are float32.

The command prints a line for each neighbor, the nearest first: the number of the
query, the id of the vector and its score, between tabs. Queries and ids count
from 0. With --truth, the ids of the true neighbors, it prints recall@k instead.
Details are in docs/reference.md.`,
		Example: `  simdrank nearest -i vectors.npy -q queries.npy --k 100 --metric cosine
  simdrank nearest -i sift_base.fvecs -q sift_query.fvecs --k 100 --metric l2 \
    --truth sift_groundtruth.ivecs`,
		Args: noArguments,
	}
	var s nearestSearch
	var output string
	flags := cmd.Flags()
	flags.StringVarP(&s.input, "input", "i", "", "file of the vectors")
	flags.StringVarP(&s.queries, "queries", "q", "", "file of the queries")
	flags.IntVar(&s.k, "k", 10, "neighbors to find for each query")
	metric := choiceFlag(cmd, "metric", "how vectors are compared", nearest.OptionWords("metric")...)
	flags.StringVar(&s.truth, "truth", "", "file of the true neighbors: print recall@k")
	flags.IntVar(&s.threads, "threads", 0, "threads to use (default one per processor)")
	flags.StringVarP(&output, "output", "o", "-", "file for the neighbors")
	format := formatFlag(cmd)
	cmd.MarkFlagRequired("input")
	cmd.MarkFlagRequired("queries")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s.metric = metric.value
		if s.k < 1 {
			return usagef("--k %d: want at least 1", s.k)
		}
		if s.threads < 0 {
			return usagef("--threads %d: want a number from 0", s.threads)
		}
		if s.truth != "" && output == "-" && flags.Changed("output") {
			return usagef("--truth prints recall, so that --output cannot be standard output, too")
		}
		if err := checkFiles(output, s.input, s.queries, s.truth); err != nil {
			return err
		}
		found, recall, err := s.run(cmd)
		if err != nil {
			return err
		}
		if s.truth == "" || output != "-" {
			total := int64(s.k) * int64(len(found.Queries))
			err := writeSized(cmd, output, "neighbors", total,
				func(w io.Writer) error { return printResult(w, format, found) })
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

// A nearestSearch is what the flags ask for.
type nearestSearch struct {
	input, queries, truth string
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
		err = fmt.Errorf("%s: holds %s, which are no vectors to search for", inputName(s.queries), queries.Type())
	}
	if err != nil {
		return found, recall, err
	}
	found = neighborLists{Metric: s.metric, Queries: make([]neighborList, queries.Rows), scoreBits: scoreBits}
	recall.K, recall.Queries = s.k, queries.Rows
	var sum float64
	n := len(all) / max(1, queries.Rows) // as many for each
	for i := range found.Queries {
		list := all[i*n:][:n]
		l := neighborList{IDs: make([]int32, n), Scores: make([]number, n)}
		for j, neighbor := range list {
			l.IDs[j], l.Scores[j] = neighbor.ID, number(neighbor.Score)
		}
		found.Queries[i] = l
		if truth != nil {
			sum += nearest.Recall(list, truth[i])
		}
	}
	recall.Recall = number(sum / float64(queries.Rows))
	return found, recall, nil
}

// findNearest returns the neighbors of all queries, whose elements are q.
func findNearest[Q vectors.Element | uint64](cmd *cobra.Command, s *nearestSearch, q []Q,
	queries, matrix *vectorfile.File) ([]nearest.Neighbor, error) {
	if queries.Cols != matrix.Cols {
		return nil, fmt.Errorf("%s: %d × %d %s, but the vectors of %s are %d × %d", inputName(s.queries), queries.Rows,
			queries.Cols, queries.Type(), inputName(s.input), matrix.Rows, matrix.Cols)
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
		err = fmt.Errorf("holds %s, which are no vectors to search", matrix.Type())
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

// openVectors opens a file of vectors; "-" is standard input.
func openVectors(cmd *cobra.Command, path string) (*vectorfile.File, error) {
	if path == "-" {
		return readInput(cmd, path, func(r io.Reader, o ...rank.ReadOptions) (*vectorfile.File, error) {
			return vectorfile.Read(r, "", o...)
		})
	}
	f, err := await(cmd.Context(), func() (*vectorfile.File, error) { return vectorfile.Open(path, readOptions(cmd)) })
	return f, readError(path, err)
}

// readTruth returns the ids of the first k true neighbors of each query. They are those of vectors,
// or negative where there are no more.
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
		return nil, readError(s.truth, fmt.Errorf("holds %s, want the ids of neighbors, int32 or int64", f.Type()))
	}
	if f.Rows != queries || f.Cols < s.k {
		return nil, readError(s.truth, fmt.Errorf("holds %d ids for each of %d queries, want %d for %d", f.Cols, f.Rows,
			s.k, queries))
	}
	truth := make([][]int32, f.Rows)
	for i := range truth {
		truth[i] = make([]int32, s.k)
		for j := range truth[i] {
			v := id(i*f.Stride + j)
			if v >= int64(vectors) {
				return nil, readError(s.truth, fmt.Errorf("query %d: id %d, but there are %d vectors", i, v, vectors))
			}
			truth[i][j] = int32(max(v, -1))
		}
	}
	return truth, nil
}

// neighborLists are what a search found.
type neighborLists struct {
	Metric  string         `json:"metric"`
	Queries []neighborList `json:"queries"`

	scoreBits int // 32 where scores are float32
}

type neighborList struct {
	IDs    []int32  `json:"ids"`
	Scores []number `json:"scores"`
}

func (n neighborLists) text(w io.Writer) error {
	var line []byte
	for q, list := range n.Queries {
		for i, id := range list.IDs {
			line = append(strconv.AppendInt(line[:0], int64(q), 10), '\t')
			line = append(strconv.AppendInt(line, int64(id), 10), '\t')
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
		for i, id := range list.IDs {
			t.row(q, id, list.Scores[i])
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
