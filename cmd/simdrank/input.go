package main

import (
	"bufio"
	"io"
	"iter"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
	"github.com/simdrank/simdrank/rank/letor"
)

// An input is data of a kind that its first bytes tell.
type input struct {
	path string // "" where it can be read but once: standard input, a pipe
	r    io.ReadCloser
	data bool // a data file, else text
	gzip bool // compressed; known where there is a path

	most cli.FeatureLimit // of a data file
}

// openInput opens a file, or standard input, which "-" names.
func openInput(cmd *cobra.Command, path string) (*input, error) {
	in := &input{path: path, r: io.NopCloser(cmd.InOrStdin())}
	source := cmd.InOrStdin()
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		in.r, source = f, f
	}
	var start [8]byte
	if f, ok := source.(*os.File); ok && files.Size(f) > 0 {
		at, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		from := func() io.Reader { return io.NewSectionReader(f, at, math.MaxInt64-at) }
		io.ReadFull(from(), start[:]) // errors are those of reading it all
		in.gzip = files.Gzipped(start[:])
		if r, err := files.Uncompressed(from()); err == nil {
			io.ReadFull(r, start[:])
		}
		if path == "-" {
			in.path = ""
		}
	} else {
		in.path = ""
		r, err := files.Uncompressed(source)
		if err != nil {
			return nil, err
		}
		b := bufio.NewReader(r)
		text, _ := b.Peek(len(start))
		copy(start[:], text)
		in.r = struct {
			io.Reader
			io.Closer
		}{b, in.r}
	}
	in.data = datafile.IsData(start[:])
	return in, nil
}

// read reads it all. A data file of its own is mapped, to the end of the program.
func (in *input) read(opts []letor.Option) (*rank.Dataset, error) {
	defer in.r.Close()
	var d *rank.Dataset
	switch {
	case !in.data && in.path != "":
		return letor.Load(in.path, opts...)
	case !in.data:
		return letor.Read(in.r, opts...)
	case in.path != "" && !in.gzip:
		f, err := datafile.Open(in.path)
		if err != nil {
			return nil, err
		}
		d = f.Dataset
	default:
		var err error
		if d, err = datafile.Read(in.r); err != nil {
			return nil, err
		}
	}
	if err := in.most.Check(d.Cols); err != nil {
		return nil, err
	}
	return d, nil
}

// pieces reads text some queries at a time; a data file is one piece.
func (in *input) pieces(opts []letor.Option) iter.Seq2[*rank.Dataset, error] {
	switch {
	case in.data:
		return func(yield func(*rank.Dataset, error) bool) { yield(in.read(opts)) }
	case in.path != "":
		return letor.LoadPieces(in.path, opts...)
	}
	return letor.Pieces(in.r, opts...)
}

// options returns those of reading the text that the flags describe, and shows how far it has come
// on a terminal, until done.
func (f *dataFlags) options(cmd *cobra.Command, path string) (opts []letor.Option, done func()) {
	if f.unlabeled {
		opts = append(opts, letor.Unlabeled())
	}
	if f.noQueries {
		opts = append(opts, letor.NoQueries())
	}
	if f.zeroBased {
		opts = append(opts, letor.ZeroBased())
	}
	if f.gather {
		opts = append(opts, letor.GatherQueries())
	}
	if f.set.Changed("null-as") {
		opts = append(opts, letor.NullAs(f.null))
	}
	reading := begin(cmd, "reading "+inputName(path), "bytes")
	return append(opts, letor.MaxFeature(int(f.maxIndex)), letor.Progress(reading.at)), reading.end
}

// open opens data. Flags that are about text are wrong where they are a data file.
func (f *dataFlags) open(cmd *cobra.Command, path string) (*input, error) {
	if err := f.checkTableFlags(path); err != nil {
		return nil, err
	}
	in, err := openInput(cmd, path)
	if err != nil {
		return nil, err
	}
	in.most = f.maxIndex
	if !in.data || path != f.path {
		return in, nil
	}
	for _, name := range []string{"group", "gather", "null-as", "feature-names"} {
		if f.set.Changed(name) {
			return nil, usagef("--%s is for text, and %s is a binary data file", name, inputName(path))
		}
	}
	return in, nil
}

// pieces reads data some queries at a time. An interrupt ends it, whatever it waits for.
func (f *dataFlags) pieces(cmd *cobra.Command, in *input, opts []letor.Option) iter.Seq2[*rank.Dataset, error] {
	return func(yield func(*rank.Dataset, error) bool) {
		next, stop := iter.Pull2(in.pieces(opts))
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
				stop()
				return
			}
		}
	}
}

// convert writes data as a data file. LETOR text goes there some queries at a time; tables, data
// that flags complete, and output that cannot be written out of order, from the memory.
func (f *dataFlags) convert(cmd *cobra.Command, output string) error {
	whole := f.form.of(f.path) != "letor" || f.form.featureNames != "" || f.form.positions != "" ||
		f.form.normalize.value != "none"
	if whole || output == "-" || files.Special(output) || strings.HasSuffix(output, ".gz") {
		d, err := f.load(cmd)
		if err != nil {
			return err
		}
		return writeSized(cmd, output, "bytes", datafile.Size(d),
			func(w io.Writer) error { return datafile.Write(w, d) })
	}
	opts, err := f.groups(cmd)
	if err != nil {
		return err
	}
	more, done := f.options(cmd, f.path)
	defer done()
	in, err := await(cmd.Context(), func() (*input, error) { return f.open(cmd, f.path) })
	if err != nil {
		return readError(f.path, err)
	}
	defer in.r.Close()
	return datafile.SavePieces(output, f.pieces(cmd, in, append(opts, more...)))
}

// widen gives data that have left out features which are 0 the columns of a model or of training
// data, to which align has brought them.
func widen(d *rank.Dataset, cols int) *rank.Dataset {
	if d.Cols == cols {
		return d
	}
	wide := rank.NewDataset(0, cols)
	if d.DocIDs != nil {
		wide.DocIDs = []string{}
	}
	if d.Positions != nil {
		wide.Positions = []int32{}
	}
	return rank.Concat(d, wide)
}
