package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	rankdata "github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/datafile"
)

func splitCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "split -d data --fractions list -o output -o output …",
		Short: "Split data by query, for example into training and test data",
		Long: `Split a dataset by query into several files, so that rows with the same query stay
together. Each output receives its share, chosen by --method:
  label    at random, with equal shares for each highest label per query
  random   at random
  hash     by the query's hash, which later data does not change

An output is a .simdrank file or uses the data's format. In the second case, rows are
copied unchanged, with a table's header. The same seed always chooses the same queries.`,
		Example: `  simdrank split -d data.csv --fractions 0.8,0.2 -o train.csv -o test.csv
  simdrank split -d data.txt --fractions 0.8,0.1,0.1 --method hash \
    -o train.txt -o vali.txt -o test.txt`,
		Args: noArguments,
	}
	s := &splitting{}
	flags := cmd.Flags()
	flags.SortFlags = false
	s.data = newDataFlags(cmd)
	s.data.unlabeled = true
	flags.Var(&s.fractions, "fractions", "each output's fraction, e.g. 0.8,0.2")
	flags.VarP(&s.outputs, "output", "o", "output `file`; repeat the flag for each output")
	s.method = choiceFlag(cmd, "method", "`method` that assigns queries to outputs", "label", "random", "hash")
	flags.Uint64Var(&s.seed, "seed", 0, "random `seed` for label and random")
	format := formatFlag(cmd)
	for _, name := range []string{"data", "fractions", "output"} {
		cmd.MarkFlagRequired(name)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.check(cmd); err != nil {
			return err
		}
		d, err := s.data.load(cmd)
		if err != nil {
			return err
		}
		parts, err := s.parts(d)
		if err != nil {
			return readError(s.data.path, err)
		}
		r, err := s.write(cmd, d, parts)
		if err != nil {
			return err
		}
		return printResult(cmd.OutOrStdout(), format, r)
	}
	return cmd
}

// A splitting holds the flags of split.
type splitting struct {
	data      *dataFlags
	fractions fractionList
	outputs   fileList
	method    *choice
	seed      uint64
}

// A fractionList is the value of a flag: numbers that add up to 1.
type fractionList []float64

func (l *fractionList) Type() string { return "list" }

func (l *fractionList) String() string {
	words := make([]string, len(*l))
	for i, f := range *l {
		words[i] = formatNumber(f)
	}
	return strings.Join(words, ",")
}

func (l *fractionList) Set(list string) error {
	sum := 0.0
	*l = nil
	for word := range strings.SplitSeq(list, ",") {
		f, err := text.ParseNumber(strings.TrimSpace(word), 64)
		if err != nil || !(f > 0) {
			return fmt.Errorf("%q must be a positive number", word)
		}
		*l = append(*l, f)
		sum += f
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return fmt.Errorf("must add up to 1, not %v", sum)
	}
	return nil
}

// check returns errors about the flags.
func (s *splitting) check(cmd *cobra.Command) error {
	n := len(s.outputs)
	switch {
	case n < 2 || n != len(s.fractions):
		return usagef("--fractions has %s for %s: there must be at least two fractions, one per --output",
			counted(len(s.fractions), "fraction"), counted(n, "output"))
	case s.method.value == "hash" && cmd.Flags().Changed("seed"):
		return usagef("--seed cannot be combined with --method hash")
	}
	for i, path := range s.outputs {
		switch {
		case path == "-":
			return usagef("--output must be a file, not standard output")
		case slices.Contains(s.outputs[:i], path):
			return usagef("--output %s is given twice", path)
		}
		if err := checkFiles(path, s.data.inputs()...); err != nil {
			return err
		}
		if namesBinary(path) {
			continue
		}
		format, same := s.data.form.of(s.data.path), rankdata.FormatOf(s.data.path) == rankdata.FormatOf(path)
		switch {
		case format == "parquet":
			return usagef("--output %s: must end in .simdrank, because split does not write Parquet", path)
		case format != rankdata.FormatOf(path) && !same:
			return usagef("--output %s: the name must have an extension of format %s, or .simdrank", path, format)
		case !regular(s.data.path):
			return usagef("outputs must end in .simdrank, because %s is not a regular file", inputName(s.data.path))
		}
		for _, flag := range []string{"group", "feature-names", "positions", "normalize"} {
			if cmd.Flags().Changed(flag) {
				return usagef("--%s requires outputs that end in .simdrank, because rows are copied unchanged", flag)
			}
		}
	}
	return nil
}

// namesBinary reports whether a file name is the name of a binary data file.
func namesBinary(path string) bool { return strings.HasSuffix(files.Stem(path), ".simdrank") }

// parts returns the queries of each output.
func (s *splitting) parts(d *rank.Dataset) ([][]int, error) {
	if s.method.value == "random" {
		unlabeled := *d
		unlabeled.Labels = nil
		d = &unlabeled
	}
	parts, err := d.Parts(s.fractions, s.seed) // also checks the fractions of a split by hash
	if err != nil || s.method.value != "hash" {
		return parts, err
	}
	parts = make([][]int, len(s.fractions))
	for q, id := range d.QueryIDs {
		sum := sha256.Sum256([]byte(id))
		x := float64(binary.BigEndian.Uint64(sum[:])>>11) / (1 << 53) // at least 0 and less than 1
		k := 0
		for ; k < len(parts)-1 && x >= s.fractions[k]; k++ {
			x -= s.fractions[k]
		}
		parts[k] = append(parts[k], q)
	}
	for k, part := range parts {
		if len(part) == 0 {
			return nil, fmt.Errorf("--method hash assigns no query to %s: use more queries or --method label", s.outputs[k])
		}
	}
	return parts, nil
}

// write writes the outputs.
func (s *splitting) write(cmd *cobra.Command, d *rank.Dataset, parts [][]int) (r splitResult, err error) {
	var rows []textRow
	for k, part := range parts {
		n := 0
		for _, q := range part {
			lo, hi := d.Query(q)
			n += hi - lo
			for i := lo; i < hi; i++ {
				rows = append(rows, textRow{d.Line(i), k})
			}
		}
		r = append(r, splitPart{File: s.outputs[k], Queries: len(part), Documents: n})
	}
	slices.SortFunc(rows, func(a, b textRow) int { return cmp.Compare(a.line, b.line) })
	for k, path := range s.outputs {
		if namesBinary(path) {
			subset, err := d.SubsetQueries(parts[k])
			if err != nil {
				return nil, err
			}
			err = writeSized(cmd, path, "bytes", datafile.Size(subset),
				func(w io.Writer) error { return datafile.Write(w, subset) })
			if err != nil {
				return nil, err
			}
			continue
		}
		err := writeOutput(cmd, path, func(w io.Writer) error {
			_, err := files.Load(s.data.path, func(in io.Reader) (struct{}, error) {
				return struct{}{}, s.copyRows(cmd, w, in, rows, k)
			})
			return readError(s.data.path, err)
		})
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// A textRow is the first line of a row of text, counted from 1, and the number of its output.
type textRow struct{ line, output int }

// copyRows copies the rows of an output, which begin at the given lines, and the lines before the
// first row. Comments belong to the row above them.
func (s *splitting) copyRows(cmd *cobra.Command, w io.Writer, r io.Reader, rows []textRow, output int) error {
	r, err := files.NewBudget(r, readOptions(cmd)).Uncompressed(r)
	if err != nil {
		return err
	}
	if r, err = text.Plain(r); err != nil {
		return err
	}
	in := bufio.NewReaderSize(r, 1<<20)
	if start, _ := in.Peek(8); datafile.IsData(start) { // shorter text has no rows
		return errors.New("rows of a binary data file cannot be copied: outputs must end in .simdrank")
	}
	letor := s.data.form.of(s.data.path) == "letor"
	copied, next := true, 0
	for line := 1; ; line++ {
		text, err := in.ReadBytes('\n')
		if err != nil && (err != io.EOF || len(text) == 0) {
			if err == io.EOF && next == len(rows) {
				return nil
			}
			return fmt.Errorf("the file changed while it was read: %w", cmp.Or(err, io.ErrUnexpectedEOF))
		}
		if next < len(rows) && line == rows[next].line {
			if letor && next == 0 && !strings.Contains(string(text), "qid:") {
				return &rank.ParseError{Line: line, Err: errors.New("a row without qid cannot be copied: outputs must end in .simdrank")}
			}
			copied = rows[next].output == output
			next++
		}
		if err == io.EOF {
			text = append(text, '\n')
		}
		if copied {
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
	}
}

// A splitResult describes the outputs.
type splitResult []splitPart

type splitPart struct {
	File      string `json:"file"`
	Queries   int    `json:"queries"`
	Documents int    `json:"documents"`
}

func (r splitResult) text(w io.Writer) error {
	for _, p := range r {
		if _, err := fmt.Fprintf(w, "%s: %s, %s\n", p.File, cli.Count(p.Queries, "query", "queries"),
			counted(p.Documents, "document")); err != nil {
			return err
		}
	}
	return nil
}

func (r splitResult) csv(t *csvTable) {
	t.row("file", "queries", "documents")
	for _, p := range r {
		t.row(p.File, p.Queries, p.Documents)
	}
}
