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

// dataFlags holds the flags of a command that reads LETOR data or tables.
type dataFlags struct {
	path      string
	group     string
	zeroBased bool
	gather    bool
	null      float32
	maxIndex  cli.FeatureLimit
	form      formFlags
	unlabeled bool     // labels are optional
	noQueries bool     // queries are ignored
	features  []string // feature names of models, for tables
	texts     []string // features of models with text categories, for tables

	set *pflag.FlagSet
}

func newDataFlags(cmd *cobra.Command) *dataFlags {
	f := &dataFlags{set: cmd.Flags(), maxIndex: modelfile.MaxFeatures}
	f.set.StringVarP(&f.path, "data", "d", "", "data `file` or folder: LETOR text, tables, or .simdrank")
	f.addDialect(cmd)
	return f
}

// addDialectFlags adds only the flags that describe the format of the data.
func addDialectFlags(cmd *cobra.Command) *dataFlags {
	f := &dataFlags{set: cmd.Flags(), maxIndex: modelfile.MaxFeatures}
	f.addDialect(cmd)
	return f
}

// addDialect adds the flags that describe the format of the data.
func (f *dataFlags) addDialect(cmd *cobra.Command) {
	section(cmd, "Input format", func() {
		f.form.kind = choiceFlag(cmd, "input-format", "`format` of the data; auto uses the file name",
			data.OptionWords("format")...)
		f.set.StringVar(&f.group, "group", "", "`file` of query sizes (default DATA.query or DATA.group)")
		f.set.BoolVar(&f.zeroBased, "zero-based", false, "count feature indices from 0")
		f.set.BoolVar(&f.gather, "gather", false, "group the rows of each query if they are not contiguous")
		f.set.Float32Var(&f.null, "null-as", 0, "`value` for features that are NULL (default: an error)")
		f.set.Var(&f.maxIndex, "max-feature", "maximum feature index")
		f.form.add(cmd)
	})
}

// dialectFlags returns the names of the flags of addDialect.
func dialectFlags() []string {
	return slices.Concat([]string{"group", "zero-based", "gather", "null-as", "max-feature",
		"input-format", "feature-names", "positions", "normalize"}, tableFlags[0], tableFlags[1])
}

// first returns the number of the first feature.
func (f *dataFlags) first() int {
	if f.zeroBased {
		return 0
	}
	return 1
}

// knows treats columns of tables as features if they are features of a model, and reads their text
// categories.
func (f *dataFlags) knows(m rank.Model) {
	f.features = append(f.features, model.TableFeatures(m)...)
	f.texts = append(f.texts, model.TextFeatures(m)...)
}

// textColumns returns the names of the columns with text categories.
func textColumns(d *rank.Dataset) (names []string) {
	for j, list := range d.Categories {
		if list != nil && d.Names != nil {
			names = append(names, d.Names[j])
		}
	}
	return names
}

// inputs returns the files that are read. Files that are not used are "".
func (f *dataFlags) inputs() []string {
	return []string{f.path, f.group, f.form.featureNames, f.form.positions}
}

// load reads the file of --data.
func (f *dataFlags) load(cmd *cobra.Command) (*rank.Dataset, error) {
	if err := f.readGroups(cmd); err != nil {
		return nil, err
	}
	return f.loadFile(cmd, f.path, 0)
}

// loadFor is like load, but converts the data to the columns of a model.
func (f *dataFlags) loadFor(cmd *cobra.Command, m rank.Model, path string) (*rank.Dataset, error) {
	f.knows(m)
	d, err := f.load(cmd)
	if err != nil {
		return nil, err
	}
	return toModel(cmd, m, path, d, f.path)
}

// readGroups reads the file of --group.
func (f *dataFlags) readGroups(cmd *cobra.Command) (err error) {
	if f.group != "" {
		f.form.groups, err = readInput(cmd, f.group, data.ReadGroups)
	}
	return err
}

// options returns the options for reading a file.
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
	o.TextColumns = slices.Concat(f.form.texts, f.texts)
	o.Delimiter, o.Decimal = byte(f.form.delimiter), f.form.decimal.value[0]
	o.ReadOptions = readOptions(cmd)
	return o
}

// loadFile reads a file or a folder as the flags describe it. columns is the number of columns of
// LETOR text; if it is 0, the text determines it.
func (f *dataFlags) loadFile(cmd *cobra.Command, path string, columns int) (d *rank.Dataset, err error) {
	if isFolder(path) {
		d, err = f.readFolder(cmd, path, columns)
	} else {
		d, err = f.readFile(cmd, path, columns, f.options(cmd, path))
	}
	if err != nil {
		return nil, err
	}
	return f.complete(cmd, path, d)
}

// readFile is like loadFile but reads a file with the given options and does not complete it.
func (f *dataFlags) readFile(cmd *cobra.Command, path string, columns int, o data.Options) (*rank.Dataset, error) {
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
			option.Option = "Names" // it determined the columns
		}
		return nil, letorError(path, err)
	}
	if d.Names == nil && d.Cols == len(names) { // a data file may have its own
		d.Names = names
	}
	return d, nil
}

// read reads data, and shows its progress on a terminal.
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

// open opens data; "-" is standard input. It returns a usage error if the file is a data file and
// flags for text are given.
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
			return nil, usagef("--%s requires text, but %s is a binary data file", name, inputName(path))
		}
	}
	return in, nil
}

// streams reports whether the data can be read in chunks: a file of LETOR text without flags that
// add to it or normalize it.
func (f *dataFlags) streams() bool {
	return f.form.of(f.path) == "letor" && !isFolder(f.path) && f.form.featureNames == "" && f.form.positions == "" &&
		f.form.normalize.value == "none"
}

// pieces reads data a few queries at a time. An interrupt ends it, even while it waits for input.
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
			case cmd.Context().Err() != nil: // next may still be running
				yield(nil, cmd.Context().Err())
				return
			case ended || !yield(d, letorError(f.path, err)) || err != nil:
				await(cmd.Context(), func() (any, error) { // stop may wait for input
					stop()
					return nil, nil
				})
				return
			}
		}
	}
}

// convert writes data as a data file. It converts LETOR text a few queries at a time. It loads
// tables and data that flags add to into memory, and also if the output cannot be written out of
// order.
func (f *dataFlags) convert(cmd *cobra.Command, output string) error {
	if !f.streams() || output == "-" || files.Special(output) || files.Stem(output) != output {
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
		note(cmd, "%s stores sparse features: with all %d columns, dense ones would use more than five times the space",
			output, written.Cols)
	}
	return written.Close()
}

// openPieces opens the data for reading in chunks, and begins to show the progress.
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

// checkTableFlags returns a usage error if flags for tables are given and no input of the command
// is a table. path is one of the inputs.
func (f *dataFlags) checkTableFlags(path string) error {
	for _, name := range []string{"data", "input", "valid", "train"} {
		if other := f.set.Lookup(name); other != nil && f.form.of(other.Value.String()) != "letor" {
			return nil
		}
	}
	for _, name := range slices.Concat(tableFlags[0], tableFlags[1]) {
		if f.set.Changed(name) {
			return usagef("--%s requires a table, but %s is read as LETOR data (use --input-format csv if it is a table)",
				name, inputName(path))
		}
	}
	return nil
}

// letorError is like readError, but adds a hint if the text looks like JSON or like a table.
func letorError(path string, err error) error {
	if parse := (*rank.ParseError)(nil); errors.As(err, &parse) && parse.Line == 1 && parse.Column == 1 {
		switch {
		case strings.HasPrefix(parse.Text, "{"):
			parse.Err = errors.New("the file is not LETOR data: it looks like JSON (is it a model?)")
		case strings.Contains(parse.Text, ","):
			parse.Err = fmt.Errorf("%w (use --input-format csv if it is a table)", parse.Err)
		}
	}
	return readError(path, err)
}

// toModel converts d to the columns of a model. Features that the data lack become 0, which trees
// may treat as missing. Features that the model lacks are an error, unless --ignore-extra-features
// is given.
func toModel(cmd *cobra.Command, m rank.Model, model string, d *rank.Dataset, data string) (*rank.Dataset, error) {
	d, err := toColumns(cmd, m, model, d, data)
	if err != nil {
		return nil, err
	}
	if trees, ok := m.(*lambdamart.Model); ok {
		noteTexts(cmd, trees, model, d, data)
		warn(cmd, "%s", countedFromZero(cmd, trees, model, d, data))
		warn(cmd, "%s", setZeros(cmd, trees, model, d, data))
	}
	return d, nil
}

// noteTexts reports text categories that a model does not know, and numbers that must be categories
// of the model. d has the columns of the model.
func noteTexts(cmd *cobra.Command, m *lambdamart.Model, model string, d *rank.Dataset, data string) {
	if unknown := cli.UnknownTexts(m, d, inputName(model), inputName(data)); unknown != "" {
		note(cmd, "%s", unknown)
	}
	warn(cmd, "%s", cli.NumbersForTexts(m, d, inputName(model), inputName(data)))
}

// toColumns is like toModel, but does not set how the model treats zeros.
func toColumns(cmd *cobra.Command, m rank.Model, path string, d *rank.Dataset, data string) (*rank.Dataset, error) {
	ignore, _ := cmd.Flags().GetBool("ignore-extra-features") // no error: the flag exists
	if err := trainedFromOne(cmd, m, path, d, data); err != nil && !ignore {
		return nil, err
	}
	to := model.Alignment{DataName: inputName(data), ModelName: inputName(path), IgnoreExtraFeatures: ignore}
	return to.ToModel(d, m)
}

// scoresOf converts d with [toModel] and scores it.
func scoresOf(cmd *cobra.Command, m rank.Model, model string, d *rank.Dataset, data string) ([]float64, error) {
	d, err := toModel(cmd, m, model, d, data)
	if err != nil {
		return nil, err
	}
	return score(cmd, m, d, data)
}

// score scores d, which must have the columns of the model.
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

// scoredRows is the number of documents between updates of the progress.
const scoredRows = 1 << 16
