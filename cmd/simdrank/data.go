package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/datafile"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// dataFlags are the flags of a command that reads LETOR data.
type dataFlags struct {
	path      string
	group     string
	zeroBased bool
	gather    bool
	null      float32
	maxIndex  cli.FeatureLimit
	form      formFlags
	unlabeled bool     // the data may be without labels
	noQueries bool     // queries do not matter
	features  []string // names that models know, for tables

	set *pflag.FlagSet
}

func newDataFlags(cmd *cobra.Command) *dataFlags {
	f := addDialectFlags(cmd)
	f.set.StringVarP(&f.path, "data", "d", "", "LETOR data, lines of label qid:query index:value …, or .simdrank")
	return f
}

// addDialectFlags adds those that say how the data are written.
func addDialectFlags(cmd *cobra.Command) *dataFlags {
	f := &dataFlags{set: cmd.Flags(), maxIndex: modelfile.MaxFeatures}
	f.set.StringVar(&f.group, "group", "", "query sizes for data without qid (default DATA.query, DATA.group)")
	f.set.BoolVar(&f.zeroBased, "zero-based", false, "feature indices start at 0")
	f.set.BoolVar(&f.gather, "gather", false, "gather queries whose rows are not contiguous")
	f.set.Float32Var(&f.null, "null-as", 0, "value of features that are NULL (default an error)")
	f.set.Var(&f.maxIndex, "max-feature", "largest feature index to accept")
	f.form.add(cmd)
	return f
}

// dialectFlags are the flags of addDialectFlags.
func dialectFlags() []string {
	return slices.Concat([]string{"group", "zero-based", "gather", "null-as", "max-feature",
		"input-format", "feature-names", "positions", "normalize"}, tableFlags[0], tableFlags[1])
}

// first is the number of the first feature.
func (f *dataFlags) first() int {
	if f.zeroBased {
		return 0
	}
	return 1
}

// knows makes the columns of tables features that are features of a model.
func (f *dataFlags) knows(m rank.Model) { f.features = append(f.features, model.TableFeatures(m)...) }

// inputs are the files that are read, "" for none.
func (f *dataFlags) inputs() []string {
	return []string{f.path, f.group, f.form.featureNames, f.form.positions}
}

// load reads the file --data names.
func (f *dataFlags) load(cmd *cobra.Command) (*rank.Dataset, error) {
	if err := f.readGroups(cmd); err != nil {
		return nil, err
	}
	return f.loadFile(cmd, f.path, 0)
}

// loadFor is load of data for a model, which it brings to the columns of the model.
func (f *dataFlags) loadFor(cmd *cobra.Command, m rank.Model, path string) (*rank.Dataset, error) {
	f.knows(m)
	d, err := f.load(cmd)
	if err != nil {
		return nil, err
	}
	return toModel(cmd, m, path, d, f.path)
}

// readGroups reads the file --group names.
func (f *dataFlags) readGroups(cmd *cobra.Command) (err error) {
	if f.group != "" {
		f.form.groups, err = readInput(cmd, f.group, data.ReadGroups)
	}
	return err
}

// options returns how the flags describe a file.
func (f *dataFlags) options(cmd *cobra.Command, path string) data.Options {
	o := f.form.columns
	o.Format = f.form.of(path)
	o.Unlabeled, o.NoQueries, o.GatherQueries = f.unlabeled, f.noQueries, f.gather
	if path == f.path {
		o.Groups = f.form.groups
	}
	o.ZeroBased, o.MaxFeature = f.zeroBased, int(f.maxIndex)
	if f.set.Changed("null-as") {
		o.NullAs = &f.null
	}
	o.Ignore, o.Features, o.Missing = f.form.ignore, f.features, f.form.missing
	o.Delimiter, o.Decimal = byte(f.form.delimiter), f.form.decimal.value[0]
	o.MemoryLimit = readOptions(cmd).MemoryLimit
	return o
}

// loadFile reads data as the flags describe them. LETOR text has so many columns, or as many as it
// says if the number is 0.
func (f *dataFlags) loadFile(cmd *cobra.Command, path string, columns int) (*rank.Dataset, error) {
	o := f.options(cmd, path)
	if o.Format != "letor" {
		return f.loadTable(cmd, path, o)
	}
	if err := f.checkTableFlags(path); err != nil {
		return nil, err
	}
	names, err := f.names(cmd)
	if err != nil {
		return nil, err
	}
	if o.Columns = columns; names != nil {
		o.Columns = len(names)
	}
	d, err := f.read(cmd, path, o)
	if err != nil {
		if option := (*rank.OptionError)(nil); names != nil && errors.As(err, &option) && option.Option == "Columns" {
			option.Option = "Names" // the one that has set the columns
		}
		return nil, letorError(path, err)
	}
	if d.Names == nil && d.Cols == len(names) { // a data file may have its own
		d.Names = names
	}
	return f.complete(cmd, path, d)
}

// read reads data, and shows how far it has come on a terminal.
func (f *dataFlags) read(cmd *cobra.Command, path string, o data.Options) (*rank.Dataset, error) {
	reading := begin(cmd, "reading "+inputName(path), "bytes")
	defer reading.end()
	o.Progress = reading.at
	return await(cmd.Context(), func() (*rank.Dataset, error) {
		in, err := f.open(cmd, path, o)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		return in.Read()
	})
}

// open opens data; "-" is standard input. Flags that are about text are wrong where they are a data
// file.
func (f *dataFlags) open(cmd *cobra.Command, path string, o data.Options) (in *data.Input, err error) {
	if path == "-" {
		in, err = data.NewInput(cmd.InOrStdin(), o)
	} else {
		in, err = data.Open(path, o)
	}
	if err != nil || in.Format != "simdrank" || path != f.path {
		return in, err
	}
	for _, name := range []string{"group", "gather", "null-as", "feature-names"} {
		if f.set.Changed(name) {
			in.Close()
			return nil, usagef("--%s is for text, and %s is a binary data file", name, inputName(path))
		}
	}
	return in, nil
}

// streams reports whether data can be read some queries at a time: LETOR text that no flags
// complete.
func (f *dataFlags) streams() bool {
	return f.form.of(f.path) == "letor" && f.form.featureNames == "" && f.form.positions == "" &&
		f.form.normalize.value == "none"
}

// pieces reads data some queries at a time. An interrupt ends it, whatever it waits for.
func (f *dataFlags) pieces(cmd *cobra.Command, in *data.Input) iter.Seq2[*rank.Dataset, error] {
	return func(yield func(*rank.Dataset, error) bool) {
		next, stop := iter.Pull2(in.Pieces())
		for {
			ended := false
			d, err := await(cmd.Context(), func() (*rank.Dataset, error) {
				d, err, ok := next()
				ended = !ok
				return d, err
			})
			switch {
			case cmd.Context().Err() != nil: // next may still be under way
				yield(nil, cmd.Context().Err())
				return
			case ended || !yield(d, letorError(f.path, err)) || err != nil:
				await(cmd.Context(), func() (any, error) { // the next text may be awaited
					stop()
					return nil, nil
				})
				return
			}
		}
	}
}

// convert writes data as a data file. LETOR text goes there some queries at a time; tables, data
// that flags complete, and output that cannot be written out of order, from the memory.
func (f *dataFlags) convert(cmd *cobra.Command, output string) error {
	if !f.streams() || output == "-" || files.Special(output) || strings.HasSuffix(output, ".gz") {
		d, err := f.load(cmd)
		if err != nil {
			return err
		}
		return writeSized(cmd, output, "bytes", datafile.Size(d),
			func(w io.Writer) error { return datafile.Write(w, d) })
	}
	if err := f.checkTableFlags(f.path); err != nil {
		return err
	}
	if err := f.readGroups(cmd); err != nil {
		return err
	}
	in, reading, err := f.openPieces(cmd)
	if err != nil {
		return err
	}
	defer in.Close()
	defer reading.end()
	var first *rank.Dataset
	err = datafile.SavePieces(output, func(yield func(*rank.Dataset, error) bool) {
		for d, err := range f.pieces(cmd, in) {
			if first == nil && d != nil {
				first = &rank.Dataset{Sparse: d.Sparse}
			}
			if !yield(d, err) {
				return
			}
		}
	})
	if err != nil || first == nil || first.Sparse != nil {
		return err
	}
	written, err := datafile.Open(output)
	if err != nil {
		return err
	}
	if written.Sparse != nil {
		note(cmd, "%s has sparse features: with all %d columns, dense ones would take more than five times as much",
			output, written.Cols)
	}
	return written.Close()
}

// openPieces opens the data to read them in pieces, which a terminal shows.
func (f *dataFlags) openPieces(cmd *cobra.Command) (in *data.Input, reading *phase, err error) {
	o := f.options(cmd, f.path)
	reading = begin(cmd, "reading "+inputName(f.path), "bytes")
	o.Progress = reading.at
	in, err = await(cmd.Context(), func() (*data.Input, error) { return f.open(cmd, f.path, o) })
	if err != nil {
		reading.end()
		return nil, nil, readError(f.path, err)
	}
	return in, reading, nil
}

// checkTableFlags returns an error of usage if flags of tables were given, and no file that the
// command reads is a table. path is one of them.
func (f *dataFlags) checkTableFlags(path string) error {
	for _, name := range []string{"data", "input", "valid", "train"} {
		if other := f.set.Lookup(name); other != nil && f.form.of(other.Value.String()) != "letor" {
			return nil
		}
	}
	for _, name := range slices.Concat(tableFlags[0], tableFlags[1]) {
		if f.set.Changed(name) {
			return usagef("--%s is for tables, and %s is read as LETOR data; a table is named .csv, or --input-format csv says so",
				name, inputName(path))
		}
	}
	return nil
}

// letorError is readError of LETOR text, which may be a table by another name, or JSON.
func letorError(path string, err error) error {
	if parse := (*rank.ParseError)(nil); errors.As(err, &parse) && parse.Line == 1 && parse.Column == 1 {
		switch {
		case strings.HasPrefix(parse.Text, "{"):
			parse.Err = fmt.Errorf("%w; JSON is no data", parse.Err)
		case strings.Contains(parse.Text, ","):
			parse.Err = fmt.Errorf("%w; a table is named .csv, or --input-format csv says so", parse.Err)
		}
	}
	return readError(path, err)
}

// toModel returns d as a model scores it. Features that the data lack are 0, which to trees may be
// missing; those that the model lacks are an error, unless --ignore-extra-features has them count
// nothing.
func toModel(cmd *cobra.Command, m rank.Model, model string, d *rank.Dataset, data string) (*rank.Dataset, error) {
	d, err := toColumns(cmd, m, model, d, data)
	if err != nil {
		return nil, err
	}
	if trees, ok := m.(*lambdamart.Model); ok {
		warn(cmd, "%s", countedFromZero(cmd, trees, model, d, data))
		warn(cmd, "%s", setZeros(cmd, trees, model, d, data))
	}
	return d, nil
}

// toColumns is toModel without what the model takes zeros for.
func toColumns(cmd *cobra.Command, m rank.Model, path string, d *rank.Dataset, data string) (*rank.Dataset, error) {
	ignore, _ := cmd.Flags().GetBool("ignore-extra-features") // no error: the flag exists
	if err := trainedFromOne(cmd, m, path, d, data); err != nil && !ignore {
		return nil, err
	}
	to := model.Alignment{DataName: inputName(data), ModelName: inputName(path), IgnoreExtraFeatures: ignore}
	return to.ToModel(d, m)
}

// scoresOf scores d with a model, to which [toModel] brings it.
func scoresOf(cmd *cobra.Command, m rank.Model, model string, d *rank.Dataset, data string) ([]float64, error) {
	d, err := toModel(cmd, m, model, d, data)
	if err != nil {
		return nil, err
	}
	return score(cmd, m, d, data)
}

// score scores d, which has the columns of a model.
func score(cmd *cobra.Command, m rank.Model, d *rank.Dataset, data string) ([]float64, error) {
	m, err := inParts(m)
	if err != nil {
		return nil, err
	}
	scoring := begin(cmd, "scoring "+inputName(data), "documents")
	defer scoring.end()
	scores := make([]float64, d.Rows())
	for lo := 0; lo < len(scores); lo += scoredRows {
		hi := min(lo+scoredRows, len(scores))
		if err := m.ScoreInto(cmd.Context(), scores[lo:hi], d.FeatureRows(lo, hi)); err != nil {
			return nil, err
		}
		scoring.at(int64(hi), int64(len(scores)))
	}
	return scores, nil
}

// scoredRows is the number of documents after which a terminal is told.
const scoredRows = 1 << 16
