package datafile

import (
	"io"
	"iter"
	"math"
	"os"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// SavePieces atomically writes the datasets of pieces to one data file, in order. Use it for data
// that is larger than RAM. Each piece must contain whole queries, and no piece is kept in memory.
// If pieces yields an error, SavePieces stops and returns it.
//
// The file has the columns of the widest piece. If features are dense and widths differ, SavePieces
// may rewrite all rows at the end. To avoid this, pass the widest dataset first. Features are
// stored as sparse if the first piece is sparse. Otherwise SavePieces switches to sparse storage
// when it needs less than a fifth of the space of dense storage. The file size is therefore
// proportional to the number of values. If only some pieces have row weights, query weights or
// document IDs, weights are 1 and IDs are empty in the others. Either all pieces or none must have
// positions. Either all datasets have the same column names, or none has names. The same columns
// must contain text in all datasets. Their categories may differ, because SavePieces renumbers
// them.
//
// While it runs, SavePieces needs disk space next to path for a second copy of everything except
// the features.
func SavePieces(path string, pieces iter.Seq2[*rank.Dataset, error]) error {
	return files.SaveFile(path, func(f *os.File) error {
		w := &writer{path: path, f: f}
		defer w.close()
		for d, err := range pieces {
			if err != nil {
				return err
			}
			if err := w.add(d); err != nil {
				return err
			}
		}
		return w.finish()
	})
}

// A writer writes a data file piece by piece.
type writer struct {
	path     string
	f        *os.File
	features *sink            // the dense features or the sparse values, which are written directly to f
	side     [kinds + 1]*side // the other sections, by kind

	sparse  bool
	strides []rowStride // strides of the dense rows that have been written
	before  progress
	pieces  int
	queries int
	cols    int
	absent  int64
	names   []string

	categories [][]string // text categories of all pieces so far
}

// A rowStride states that the next rows have the given stride.
type rowStride struct{ rows, stride int }

// A side is a section in a temporary file. It is copied to the data file when its position is
// known.
type side struct {
	*sink
	f    *os.File
	done func()
}

func (w *writer) close() {
	for _, s := range w.side {
		if s != nil {
			s.done()
		}
	}
}

// main returns the kind of the section that is written directly to the data file.
func (w *writer) main() kind {
	if w.sparse {
		return values
	}
	return denseFeatures
}

// open creates the temporary file of a section.
func (w *writer) open(k kind) error {
	f, done, err := files.Scratch(w.path)
	if err != nil {
		return err
	}
	w.side[k] = &side{newSink(f), f, done}
	w.side[k].begin(k)
	return nil
}

// add writes the content of a piece to the sections.
func (w *writer) add(d *rank.Dataset) (err error) {
	defer memory.Begin().End(&err)
	if err := validate(d); err != nil {
		return err
	}
	if w.pieces == 0 {
		w.sparse, w.names = d.Sparse != nil, slices.Clone(d.Names)
		if _, err := w.f.Seek(pageAlign, io.SeekStart); err != nil {
			return err
		}
		w.features, w.categories = newSink(w.f), d.Categories
	} else if !slices.Equal(w.names, d.Names) {
		return errs.Errorf("datafile", "the column names change at row %d; all pieces must have the same column names",
			w.before.rows)
	}
	if d, err = w.renumber(d); err != nil {
		return err
	}
	w.pieces++
	if d.Cols > w.cols { // earlier rows do not have the additional columns
		w.absent += int64(w.before.rows) * int64(d.Cols-w.cols)
		w.cols = d.Cols
	}
	count := countValues(d)
	stride := memory.Stride(w.cols)
	if !w.sparse {
		rows, values := int64(w.before.rows+d.Rows()), int64(w.before.values+count)
		if dense, sparse := 4*rows*int64(stride), 8*(values+rows); dense > 5*sparse {
			if err := w.toSparse(); err != nil {
				return err
			}
		} else if n := len(w.strides); n > 0 && w.strides[n-1].stride == stride {
			w.strides[n-1].rows += d.Rows()
		} else {
			w.strides = append(w.strides, rowStride{d.Rows(), stride})
		}
	}
	for _, k := range order(w.sparse) {
		if k == nameEnds || k == nameText || slices.Contains(categoryKinds, k) {
			continue
		}
		out := w.features
		if k != w.main() {
			known := has(d, k)
			if w.side[k] == nil && !known {
				continue
			}
			if w.side[k] == nil {
				if k == positions && w.before.rows > 0 {
					return errPositions(w.before.rows)
				}
				if err := w.open(k); err != nil {
					return err
				}
				w.fill(k, w.before.rows, w.queries, 0)
			}
			if !known {
				if k == positions {
					return errPositions(w.before.rows)
				}
				w.fill(k, d.Rows(), d.Queries(), w.before.docText)
				continue
			}
			out = w.side[k].sink
		}
		if k == denseFeatures {
			out.dense(d, stride)
		} else {
			out.part(k, d, &w.before)
		}
		if out.err != nil {
			return out.err
		}
	}
	var ok [3]bool
	w.before.rows, ok[0] = memory.Sum(w.before.rows, d.Rows())
	w.before.values, ok[1] = memory.Sum(w.before.values, count)
	w.queries, ok[2] = memory.Sum(w.queries, d.Queries())
	if ok != [3]bool{true, true, true} {
		return errs.Errorf("datafile", "the pieces contain more than %d rows, queries or values", math.MaxInt)
	}
	w.before.queryText += textSize(d.QueryIDs)
	w.before.docText += textSize(d.DocIDs)
	w.absent += d.Absent + int64(d.Rows())*int64(w.cols-d.Cols)
	return nil
}

// renumber returns a piece with the numbering of the text categories so far, and adds its own
// texts.
func (w *writer) renumber(d *rank.Dataset) (*rank.Dataset, error) {
	for j := range max(len(d.Categories), len(w.categories)) {
		if (text.CategoriesOf(d.Categories, j) == nil) != (text.CategoriesOf(w.categories, j) == nil) {
			return nil, errs.Errorf("datafile", "at row %d, %s changes between numbers and text categories; a text column "+
				"must contain text in all rows", w.before.rows, d.FeatureName(j))
		}
	}
	if d.Categories == nil || w.pieces == 0 {
		return d, nil
	}
	d, err := d.WithCategories(w.categories)
	if err == nil {
		w.categories = d.Categories
	}
	return d, err
}

// fill writes default values to section k for rows and queries that have no data of this kind.
func (w *writer) fill(k kind, rows, queries int, docText int64) {
	switch s := w.side[k]; k {
	case docIDEnds:
		s.repeat(uint64(docText), rows)
	case rowWeights:
		s.repeat(math.Float64bits(1), rows)
	case queryWeights:
		s.repeat(math.Float64bits(1), queries)
	}
}

// countValues returns the number of values that a sparse representation of d contains.
func countValues(d *rank.Dataset) (n int) {
	if d.Sparse != nil {
		return len(d.Sparse.Values)
	}
	for i := range d.Rows() {
		for _, v := range d.Row(i) {
			if isValue(v) {
				n++
			}
		}
	}
	return n
}

// blockOf returns the number of rows to process at a time if rows have the given stride.
func blockOf(stride int) int { return max(1<<18/max(stride, 1), 1) }

// toSparse converts the rows so far from dense to sparse. It moves their values to the front of the
// file.
func (w *writer) toSparse() error {
	if err := w.features.flush(); err != nil {
		return err
	}
	if _, err := w.f.Seek(pageAlign, io.SeekStart); err != nil {
		return err
	}
	w.sparse, w.features = true, newSink(w.f)
	for _, k := range []kind{columns, rowOffsets} {
		if err := w.open(k); err != nil {
			return err
		}
	}
	before, at := progress{}, int64(pageAlign)
	for _, s := range w.strides {
		if s.stride == 0 {
			w.side[rowOffsets].repeat(uint64(before.values), s.rows)
			continue
		}
		block := memory.Buffer(4 * s.stride * blockOf(s.stride))
		for s.rows > 0 {
			n := min(s.rows, blockOf(s.stride))
			b := block[:4*n*s.stride]
			if _, err := w.f.ReadAt(b, at); err != nil {
				return err
			}
			rows := &rank.Dataset{X: view[float32](b), Cols: s.stride, Stride: s.stride}
			for _, out := range []struct {
				*sink
				kind
			}{{w.features, values}, {w.side[columns].sink, columns}, {w.side[rowOffsets].sink, rowOffsets}} {
				if out.part(out.kind, rows, &before); out.err != nil {
					return out.err
				}
			}
			before.values = int(w.features.n / 4)
			at, s.rows = at+int64(len(b)), s.rows-n
		}
	}
	w.strides = nil
	return nil
}

// widen gives all dense rows the stride of the widest row, and moves them accordingly.
func (w *writer) widen() error {
	to, rows := memory.Stride(w.cols), w.before.rows
	at, end := pageAlign+w.features.n, int64(rows)*int64(to)*4
	// Rows move towards the end. Move the last rows first, so that no row is overwritten before it
	// has moved.
	for i := len(w.strides) - 1; i >= 0; i-- {
		from := w.strides[i].stride
		block := blockOf(to)
		old, moved := make([]byte, block*from*4), make([]byte, block*to*4)
		for left := w.strides[i].rows; left > 0; left -= block {
			n := min(left, block)
			at -= int64(n) * int64(from) * 4
			rows -= n
			if _, err := w.f.ReadAt(old[:n*from*4], at); from > 0 && err != nil {
				return err
			}
			for i := range n {
				copy(moved[i*to*4:], old[i*from*4:(i+1)*from*4])
			}
			if _, err := w.f.WriteAt(moved[:n*to*4], pageAlign+int64(rows)*int64(to)*4); err != nil {
				return err
			}
		}
	}
	w.features.n = end
	return nil
}

// finish copies the sides into the file and writes the header.
func (w *writer) finish() error {
	if w.pieces == 0 {
		return errs.New("datafile", "a data file requires at least one piece")
	}
	if err := w.features.flush(); err != nil {
		return err
	}
	if len(w.strides) > 1 {
		if err := w.widen(); err != nil {
			return err
		}
	}
	if w.names != nil {
		if len(w.names) != w.cols {
			return errs.Errorf("datafile", "the number of column names is %d; it must be %d, one per column", len(w.names), w.cols)
		}
		for _, k := range []kind{nameEnds, nameText} {
			if err := w.open(k); err != nil {
				return err
			}
			w.side[k].part(k, &rank.Dataset{Names: w.names}, nil)
		}
	}
	if about := (&rank.Dataset{Categories: w.categories}); has(about, textColumns) {
		for _, k := range categoryKinds {
			if err := w.open(k); err != nil {
				return err
			}
			w.side[k].part(k, about, nil)
		}
	}
	h := &header{rows: uint64(w.before.rows), queries: uint64(w.queries), cols: uint64(w.cols),
		absent: uint64(w.absent)}
	for _, k := range order(w.sparse) {
		if k == w.main() {
			h.sections = append(h.sections, section{kind: k, size: uint64(w.features.n)})
		} else if s := w.side[k]; s != nil {
			if err := s.flush(); err != nil {
				return err
			}
			h.sections = append(h.sections, section{kind: k, size: uint64(s.n)})
		}
	}
	h.place()
	for _, s := range h.sections[1:] {
		if err := w.copy(s); err != nil {
			return err
		}
	}
	if err := w.f.Truncate(int64(h.size)); err != nil { // the file may end with an empty section
		return err
	}
	_, err := w.f.WriteAt(h.encode(), 0)
	return err
}

// copy copies a section from its temporary file to its position in the data file.
func (w *writer) copy(s section) error {
	from := w.side[s.kind].f
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := w.f.Seek(int64(s.offset), io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w.f, from)
	return err
}
