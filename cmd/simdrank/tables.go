package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/parquet"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// formFlags holds the flags for the format of data, and for processing data after reading.
type formFlags struct {
	kind         *choice
	columns      data.Options // names of columns
	ignore       nameList
	texts        nameList
	delimiter    character
	decimal      *choice
	missing      nameList
	featureNames string
	positions    string
	normalize    *choice
	groups       []int // query sizes of --group
}

func (f *formFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.featureNames, "feature-names", "", "`file` of feature names of LETOR data, one per line")
	cmd.Flags().StringVar(&f.positions, "positions", "", "`file` of display positions, from 1, one per line")
	f.normalize = choiceFlag(cmd, "normalize", "`scaling` of features within each query",
		append([]string{"none"}, data.OptionWords("normalization")...)...)
	section(cmd, "Tables", func() {
		for _, role := range tableRoles {
			cmd.Flags().StringVar(role.column(&f.columns), role.flag, "",
				fmt.Sprintf("%s `column`, - for none (default %s)", role.single, role.name))
		}
		cmd.Flags().Var(&f.ignore, "ignore-column", "columns to skip, e.g. id,date; repeatable")
		cmd.Flags().Var(&f.texts, "text-column", "columns of text categories, e.g. color,brand; repeatable")
		cmd.Flags().Var(&f.delimiter, "delimiter", "CSV: cell delimiter, or tab (default: by file name)")
		f.decimal = choiceFlag(cmd, "decimal", "CSV: decimal `mark`", ".", ",")
		cmd.Flags().Var(&f.missing, "missing", "CSV: more texts that mean missing, e.g. ?,-999; repeatable")
	})
}

// tableFlags lists the flags for all tables, and the flags for CSV only.
var tableFlags = [2][]string{
	{"label-column", "query-column", "weight-column", "position-column", "doc-column", "ignore-column", "text-column"},
	{"delimiter", "decimal", "missing"},
}

// tableRoles lists the columns of a table that are not features.
var tableRoles = []struct {
	name, flag, single string
	column             func(o *data.Options) *string
}{
	{"label", "label-column", "label", func(o *data.Options) *string { return &o.Label }},
	{"qid", "query-column", "query", func(o *data.Options) *string { return &o.Query }},
	{"weight", "weight-column", "document weight", func(o *data.Options) *string { return &o.Weight }},
	{"position", "position-column", "position", func(o *data.Options) *string { return &o.Position }},
	{"doc", "doc-column", "document identifier", func(o *data.Options) *string { return &o.Doc }},
}

// A nameList is the value of a flag that may be given several times: names separated by commas,
// quoted as in CSV if necessary.
type nameList []string

func (l *nameList) String() string { return csvLine(*l) }
func (l *nameList) Type() string   { return "list" }

func (l *nameList) Set(text string) error {
	r := csv.NewReader(strings.NewReader(text))
	r.LazyQuotes = true
	names, err := r.Read()
	if err != nil || slices.Contains(names, "") {
		return errors.New("must be names separated by commas")
	}
	*l = append(*l, names...)
	return nil
}

// csvLine returns a CSV record.
func csvLine(cells []string) string {
	var s strings.Builder
	w := csv.NewWriter(&s)
	w.Write(cells) // a Builder returns no errors
	w.Flush()
	return strings.TrimSuffix(s.String(), "\n")
}

// A character is the value of a flag that accepts one character.
type character byte

func (c *character) Type() string { return "character" }

func (c *character) String() string {
	switch *c {
	case 0:
		return ""
	case '\t':
		return "tab"
	}
	return string(rune(*c))
}

func (c *character) Set(word string) error {
	if word == "tab" || word == `\t` {
		word = "\t"
	}
	if len(word) != 1 || !text.IsDelimiter(word[0]) {
		return errors.New("must be tab, or one character other than a letter, digit, sign, point or quote")
	}
	*c = character(word[0])
	return nil
}

// of returns the format of a file, or of the first file of a folder.
func (f *formFlags) of(path string) string {
	if f.kind.value != "auto" {
		return f.kind.value
	}
	if isFolder(path) {
		if paths, err := folderFiles(path); err == nil { // an error occurs again when the files are read
			path = paths[0]
		}
	}
	return data.FormatOf(path)
}

// loadTable reads a table.
func (f *dataFlags) loadTable(cmd *cobra.Command, path string, o data.Options) (*rank.Dataset, error) {
	kind := o.Format
	for _, name := range []string{"zero-based", "null-as", "max-feature", "feature-names"} {
		if f.set.Changed(name) {
			return nil, usagef("--%s requires LETOR data, but %s is read as %s", name, inputName(path), kind)
		}
	}
	for _, name := range tableFlags[1] {
		if kind == "parquet" && f.set.Changed(name) {
			return nil, usagef("--%s requires CSV, but %s is read as %s", name, inputName(path), kind)
		}
	}
	var byName, flags []string // roles that columns have by their names, and flags that change them
	if o.DefaultRole == nil {
		o.DefaultRole = func(name, column string) {
			for _, role := range tableRoles {
				if role.name == name {
					byName = append(byName, fmt.Sprintf("%s is the %s", column, role.single))
					flags = append(flags, "--"+role.flag)
				}
			}
		}
	}
	var d *rank.Dataset
	var err error
	switch {
	case kind != "parquet":
		d, err = f.read(cmd, path, o)
		err = readError(path, err)
	case regular(path) && files.Stem(path) == path:
		reading := begin(cmd, "reading "+path, "bytes")
		defer reading.end()
		o.Progress = reading.at
		d, err = await(cmd.Context(), func() (*rank.Dataset, error) {
			return files.Load(path, func(r io.Reader) (*rank.Dataset, error) {
				return parquet.Read(r.(*os.File), files.Size(r), o)
			})
		})
		err = readError(path, err)
	default:
		// Parquet is read from its end, so all of it must be in memory.
		d, err = readInput(cmd, path, func(r io.Reader, limits ...rank.ReadOptions) (*rank.Dataset, error) {
			budget, size := files.NewBudget(r, limits...), files.Size(r)
			r, err := budget.Uncompressed(r)
			if err != nil {
				return nil, err
			}
			content, err := budget.ReadAll(r, "the contents of the file", size)
			if err != nil {
				return nil, err
			}
			return parquet.Read(bytes.NewReader(content), int64(len(content)), o)
		})
	}
	if err != nil {
		return nil, err
	}
	if kind == "parquet" && path != "-" {
		d.File = path
	}
	if byName != nil {
		note(cmd, "%s: the column names determine these roles: %s (use %s to name another column, or - for none)",
			inputName(path), strings.Join(byName, ", "), cli.OneOf(flags))
	}
	return d, nil
}

// complete adds positions and normalizes the data, if flags say so.
func (f *dataFlags) complete(cmd *cobra.Command, path string, d *rank.Dataset) (*rank.Dataset, error) {
	if f.form.positions != "" && path == f.path {
		positions, err := readNumbers(cmd, f.form.positions, func(v float64) error {
			if v != math.Trunc(v) || v < 1 || v > math.MaxInt32 {
				return errors.New("a position must be a positive whole number")
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if n := len(positions); n != d.Rows() {
			return nil, fmt.Errorf("%s has %s, but %s has %s", inputName(f.form.positions), counted(n, "position"),
				inputName(path), counted(d.Rows(), "document"))
		}
		d.Positions = make([]int32, len(positions))
		for i, p := range toRows(d, positions) {
			d.Positions[i] = int32(p)
		}
	}
	if f.form.normalize.value == "none" {
		return d, nil
	}
	d, err := data.Normalize(d, f.form.normalize.value)
	return d, readError(path, err)
}

// names reads the file of --feature-names.
func (f *dataFlags) names(cmd *cobra.Command) ([]string, error) {
	if f.form.featureNames == "" {
		return nil, nil
	}
	return readInput(cmd, f.form.featureNames, cli.ReadNames)
}
