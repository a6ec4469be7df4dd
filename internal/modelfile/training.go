package modelfile

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// A FileError is an error about a file that training writes, as opposed to the data.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string {
	return e.Path + ": " + strings.TrimPrefix(errs.Bare(e.Err), e.Path+": ")
}
func (e *FileError) Unwrap() error { return e.Err }

// trainingBytes is the maximum memory per byte of a training's JSON: the byte itself, a copy, and a
// slice or string for every three of them.
const trainingBytes = 12

// Resume passes the uncompressed text of a training's file to read. It does nothing if the file
// does not exist. Its errors are *FileError, including the error that the file exceeds the default
// memory limit.
func Resume(path string, read func(text []byte) error) error {
	text, err := files.Load(path, func(r io.Reader) ([]byte, error) {
		budget := files.NewBudget(r)
		plain, err := budget.Uncompressed(r)
		if err != nil {
			return nil, err
		}
		return io.ReadAll(budget.Reader(plain, "the contents of the file", trainingBytes))
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if failure := (*fs.PathError)(nil); errors.As(err, &failure) {
		err = failure.Err // without the path, which is added below
	}
	if err == nil {
		err = read(text)
	}
	if err != nil {
		return &FileError{Path: path, Err: err}
	}
	return nil
}

// SaveTraining atomically writes the file of a training; write produces its content. Its errors are
// *FileError.
func SaveTraining(path string, write func(w io.Writer) error) error {
	if err := files.Save(path, write); err != nil {
		return &FileError{path, err}
	}
	return nil
}

// blockRows is the number of rows that a task hashes.
const blockRows = 1 << 12

// hashBytes is the number of bytes hashed at once. Small amounts take much longer per byte.
const hashBytes = 1 << 14

// HashData returns a SHA-256, in hexadecimal, of all parts of d that affect training and
// evaluation. It is equal for dense and sparse features, and on every platform.
func HashData(ctx context.Context, d *rank.Dataset, threads int) (string, error) {
	rows := d.Rows()
	sums := make([][sha256.Size]byte, (rows+blockRows-1)/blockRows)
	err := parallel.For(ctx, parallel.Threads(threads), len(sums), func(_, task int) {
		h := sha256.New()
		var b []byte
		var columns []int32
		var values []float32
		if d.Sparse == nil {
			columns, values = make([]int32, d.Cols), make([]float32, d.Cols)
		}
		for i := task * blockRows; i < min((task+1)*blockRows, rows); i++ {
			var list []int32
			var v []float32
			if d.Sparse == nil {
				n := kernels.NonzerosF32(columns, values, d.Row(i))
				list, v = columns[:n], values[:n]
			} else {
				list, v = d.Sparse.Row(i)
			}
			row := len(b)
			b = append(b, 0, 0, 0, 0) // space for the number of values
			for k, j := range list {
				if v[k] != 0 { // sparse rows may list zeros
					b = binary.LittleEndian.AppendUint32(b, uint32(j))
					b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v[k]))
				}
			}
			binary.LittleEndian.PutUint32(b[row:], uint32((len(b)-row-4)/8))
			if len(b) >= hashBytes {
				h.Write(b)
				b = b[:0]
			}
		}
		h.Write(b)
		h.Sum(sums[task][:0])
	})
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for i := range sums {
		h.Write(sums[i][:])
	}
	about := struct { // the field names count
		Cols                  int
		Labels                []float64
		Offsets               []int
		QueryIDs, DocIDs      []string
		Weights, QueryWeights []float64
		Positions             []int32
		Names                 []string
		Categories            [][]string
		Pairs                 []rank.Pair
	}{d.Cols, d.Labels, d.Offsets, d.QueryIDs, d.DocIDs, d.Weights, d.QueryWeights, d.Positions, d.Names, d.Categories,
		d.Pairs}
	write(h, reflect.ValueOf(about), nil)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// HashOptions returns a SHA-256, in hexadecimal, of the fields of a struct, following pointers. It
// excludes fields whose hash names (see hashName) are listed in without. An interface with a String
// method counts only by its type and that text, because it may be a custom type whose fields
// change. A function counts only by whether it is nil. A string with the tag word counts as "" if
// it equals the word in the tag.
func HashOptions(v any, without ...string) string {
	h := sha256.New()
	write(h, reflect.ValueOf(v), without)
	return hex.EncodeToString(h.Sum(nil))
}

// writeList hashes a long list; add appends an element as text.
func writeList[T any](h hash.Hash, list []T, add func(b []byte, v T) []byte) {
	b := make([]byte, 0, hashBytes+256)
	for _, v := range list {
		if b = add(b, v); len(b) >= hashBytes {
			h.Write(b)
			b = b[:0]
		}
	}
	h.Write(b)
}

// hashName returns the name under which a field is hashed, which does not depend on its Go name. It
// is the tag hash, or else the words of the tag file, such as LearningRate for learning_rate. It is
// "" for a field with the file tag "-", which is not hashed. Fields of structs without tags use
// their own names.
func hashName(f reflect.StructField) string {
	if name := f.Tag.Get("hash"); name != "" {
		return name
	}
	file, tagged := f.Tag.Lookup("file")
	switch {
	case !tagged:
		return f.Name
	case file == "-":
		return ""
	}
	words := strings.Split(file, "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// write hashes a value. without lists the fields of the outermost struct to skip.
func write(h hash.Hash, v reflect.Value, without []string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			fmt.Fprint(h, "nil;")
			return
		}
		if v.Kind() == reflect.Interface && v.CanInterface() {
			if s, ok := v.Interface().(fmt.Stringer); ok {
				fmt.Fprintf(h, "%T %q;", s, s.String())
				return
			}
		}
		fmt.Fprintf(h, "%v ", v.Elem().Type())
		write(h, v.Elem(), without)
	case reflect.Struct:
		for i := range v.NumField() {
			// A field with the zero value counts as absent, so that new fields do not change old
			// hashes.
			f := v.Type().Field(i)
			name := hashName(f)
			if name == "" || slices.Contains(without, name) || v.Field(i).IsZero() {
				continue
			}
			if byDefault, ok := f.Tag.Lookup("word"); !ok {
				fmt.Fprintf(h, "%s:", name)
				write(h, v.Field(i), nil)
			} else if word := v.Field(i).String(); word != byDefault {
				fmt.Fprintf(h, "%s:%s;", name, word)
			}
		}
		fmt.Fprint(h, "end;")
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(h, "%d ", v.Len())
		if v.CanInterface() {
			switch list := v.Interface().(type) { // lists with an element per row or query
			case []float64:
				writeList(h, list, func(b []byte, v float64) []byte {
					return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
				})
				return
			case []int32:
				writeList(h, list, func(b []byte, v int32) []byte {
					return binary.LittleEndian.AppendUint32(b, uint32(v))
				})
				return
			case []int:
				writeList(h, list, func(b []byte, v int) []byte {
					return append(strconv.AppendInt(b, int64(v), 10), ';')
				})
				return
			case []string:
				writeList(h, list, func(b []byte, v string) []byte {
					return append(strconv.AppendQuote(b, v), ';')
				})
				return
			}
		}
		for i := range v.Len() {
			write(h, v.Index(i), nil)
		}
	case reflect.Func:
		fmt.Fprintf(h, "%t;", !v.IsNil())
	case reflect.String:
		fmt.Fprintf(h, "%q;", v.String())
	case reflect.Float32, reflect.Float64:
		fmt.Fprintf(h, "%x;", math.Float64bits(v.Float()))
	default: // numbers, and maps, whose keys fmt sorts
		fmt.Fprintf(h, "%v;", v)
	}
}
