package nearest

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/vectors"
)

// docs/reference/input-formats.md describes the format of snapshots.

// A storeHeader is the first line of a snapshot.
type storeHeader struct {
	ids, elements, metric string
	cols, rows            int64
}

func (h storeHeader) String() string {
	return fmt.Sprintf("simdrank-store 1 ids=%s vectors=%s metric=%s cols=%d rows=%d\n", h.ids, h.elements, h.metric,
		h.cols, h.rows)
}

const (
	longestStoreHeader = 200 // far above the length of a valid header
	mostStoreCols      = 1<<31 - 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Save writes a snapshot of the store to a file. It contains the vectors that are in the store when
// Save is called, sorted by ID, so stores with the same vectors have identical files. If the name
// ends in .gz, the file is compressed. Writers and searches do not wait for Save. The file is
// replaced atomically: if the program is killed at any time, the file has either the old or the new
// content.
func (s *Store[ID, Q, E]) Save(path string) error {
	parts := *s.view.Load()
	var all []place[ID, Q, E]
	for _, p := range parts {
		p.each(func(row int) { all = append(all, place[ID, Q, E]{p.segment, row}) })
	}
	slices.SortFunc(all, func(a, b place[ID, Q, E]) int {
		return cmp.Compare(a.segment.ids[a.row], b.segment.ids[b.row])
	})
	err := files.Save(path, func(w io.Writer) error {
		sum := crc32.New(castagnoli)
		both := bufio.NewWriter(io.MultiWriter(w, sum))
		fmt.Fprint(both, storeHeader{idType[ID](), typeName[E](), s.empty.metric.String(), int64(s.cols),
			int64(len(all))})
		var buffer []byte
		for _, p := range all {
			buffer = appendID(buffer[:0], p.segment.ids[p.row])
			buffer = appendRow(buffer, p.segment.row(p.row))
			if _, err := both.Write(buffer); err != nil {
				return err
			}
		}
		if err := both.Flush(); err != nil {
			return err
		}
		return binary.Write(w, binary.LittleEndian, sum.Sum32())
	})
	if err != nil {
		return errs.Op("nearest", err)
	}
	return nil
}

// appendID appends an ID: the length as a varint and the bytes of a string, or an int64.
func appendID[ID string | int64](b []byte, id ID) []byte {
	if id, ok := any(id).(int64); ok {
		return binary.LittleEndian.AppendUint64(b, uint64(id))
	}
	text, _ := any(id).(string)
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// appendRow appends the elements of a vector in little-endian order.
func appendRow[E element](b []byte, row []E) []byte {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		start := (*byte)(unsafe.Pointer(unsafe.SliceData(row)))
		return append(b, unsafe.Slice(start, len(row)*int(unsafe.Sizeof(row[0])))...)
	}
	b, err := binary.Append(b, binary.LittleEndian, row)
	if err != nil {
		panic(err) // E is not a number type
	}
	return b
}

// LoadStore reads a snapshot that [Store.Save] wrote. ID and E must be the types in the file. Q can
// be any query type that [New] supports.
//
// If the file is truncated or changed, or does not match the types, the error contains the path and
// the position in the file. The memory limit applies to the vectors and their IDs.
func LoadStore[ID string | int64, Q, E vectors.Element | uint64](path string, o ...rank.ReadOptions) (
	*Store[ID, Q, E], error) {
	s, err := files.Load(path, func(f io.Reader) (*Store[ID, Q, E], error) {
		return readSnapshot[ID, Q, E](f, path, o)
	})
	if err != nil {
		return nil, errs.Op("nearest", err)
	}
	return s, nil
}

// readSnapshot reads the snapshot in f, whose path is for errors.
func readSnapshot[ID string | int64, Q, E vectors.Element | uint64](f io.Reader, path string, o []rank.ReadOptions) (
	*Store[ID, Q, E], error) {
	budget := files.NewBudget(f, o...)
	content, err := budget.Uncompressed(f)
	if err != nil {
		return nil, errs.Wrap(err, "%s", path)
	}
	r := &storeReader{file: bufio.NewReader(content), sum: crc32.New(castagnoli), budget: budget}
	s, err := readStore[ID, Q, E](r)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errors.New("the file is truncated")
	}
	if err != nil {
		return nil, errs.Wrap(errs.Wrap(err, "byte %d", r.at), "%s", path)
	}
	return s, nil
}

// A storeReader reads a snapshot.
type storeReader struct {
	file   *bufio.Reader
	sum    hash.Hash32
	budget *files.Budget
	at     int64 // start of the current ID, vector or checksum
	next   int64 // number of bytes that were read
	item   bytes.Buffer
}

// ReadByte implements io.ByteReader.
func (r *storeReader) ReadByte() (byte, error) {
	c, err := r.file.ReadByte()
	if err == nil {
		r.sum.Write([]byte{c})
		r.next++
	}
	return c, err
}

// take returns the next n bytes, until the next call. The memory is proportional to the bytes that
// exist, whatever n is.
func (r *storeReader) take(n uint64) ([]byte, error) {
	r.item.Reset()
	length := int64(min(n, math.MaxInt64))
	if err := r.budget.Hold("the vectors", length); err != nil {
		return nil, err
	}
	r.budget.Release(length)
	got, err := io.CopyN(io.MultiWriter(&r.item, r.sum), r.file, length)
	r.next += got
	return r.item.Bytes(), err
}

// readStore reads a snapshot. It returns io.EOF if the file is truncated.
func readStore[ID string | int64, Q, E vectors.Element | uint64](r *storeReader) (*Store[ID, Q, E], error) {
	s, rows, err := readStoreHeader[ID, Q, E](r)
	if err != nil {
		return nil, err
	}
	size := uint64(s.cols) * uint64(unsafe.Sizeof(*new(E)))
	var last ID
	for i := range rows {
		r.at = r.next
		id, length, err := readID[ID](r)
		if err != nil {
			return nil, err
		}
		if i > 0 && id <= last {
			return nil, fmt.Errorf("the IDs are not in ascending order: %v follows %v", id, last)
		}
		last = id
		r.at = r.next
		b, err := r.take(size)
		if err != nil {
			return nil, err
		}
		if err := r.budget.Hold("the vectors", 2*int64(size)+length); err != nil {
			return nil, err
		}
		if err := s.Put(id, memory.View[E](b, binary.LittleEndian)); err != nil {
			return nil, err
		}
	}
	return s, readStoreEnd(r)
}

// readStoreHeader reads the first line. It returns an empty store and the number of rows.
func readStoreHeader[ID string | int64, Q, E vectors.Element | uint64](r *storeReader) (
	s *Store[ID, Q, E], rows int64, err error) {
	var line []byte
	for len(line) < longestStoreHeader && !bytes.HasSuffix(line, []byte("\n")) {
		c, err := r.ReadByte()
		if err != nil {
			return nil, 0, err
		}
		line = append(line, c)
	}
	h := parseStoreHeader(string(line))
	switch {
	case h.String() != string(line) || h.rows < 0:
		return nil, 0, fmt.Errorf("the file is not a snapshot of a store: it starts with %q", line[:min(len(line), 20)])
	case h.ids != idType[ID]() || h.elements != typeName[E]():
		return nil, 0, fmt.Errorf("the store contains %s vectors with %s IDs; it must contain %s vectors with %s IDs",
			h.elements, h.ids, typeName[E](), idType[ID]())
	case h.cols > mostStoreCols:
		return nil, 0, fmt.Errorf("the number of columns is %d; it must be at most %d", h.cols, mostStoreCols)
	}
	s, err = NewStore[ID, Q, E](int(h.cols), h.metric)
	return s, h.rows, err
}

// parseStoreHeader returns the values in a header. They are wrong if the line is not a header.
func parseStoreHeader(line string) (h storeHeader) {
	words := strings.Fields(line)
	if len(words) != 7 {
		return h
	}
	value := func(i int) string {
		_, v, _ := strings.Cut(words[i], "=")
		return v
	}
	number := func(i int) int64 {
		n, _ := strconv.ParseInt(value(i), 10, 64)
		return n
	}
	return storeHeader{value(2), value(3), value(4), number(5), number(6)}
}

// readID reads an ID. It also returns its size in memory.
func readID[ID string | int64](r *storeReader) (id ID, size int64, err error) {
	switch id := any(&id).(type) {
	case *int64:
		b, err := r.take(8)
		if err != nil {
			return *new(ID), 0, err
		}
		*id, size = int64(binary.LittleEndian.Uint64(b)), 8
	case *string:
		n, err := binary.ReadUvarint(r)
		if err != nil {
			return *new(ID), 0, err
		}
		b, err := r.take(n)
		if err != nil {
			return *new(ID), 0, err
		}
		*id, size = string(b), 16+int64(len(b))
	}
	return id, size, nil
}

// readStoreEnd reads and compares the checksum.
func readStoreEnd(r *storeReader) error {
	r.at = r.next
	want := r.sum.Sum32()
	b, err := r.take(4)
	if err != nil {
		return err
	}
	if sum := binary.LittleEndian.Uint32(b); sum != want {
		return fmt.Errorf("the content was changed: its checksum is %08x, but the file contains %08x", want, sum)
	}
	r.at = r.next
	switch _, err := r.ReadByte(); err {
	case io.EOF:
		return nil
	case nil:
		return errors.New("unexpected data after the checksum")
	default:
		return err
	}
}

// idType returns the name of an ID type.
func idType[ID string | int64]() string { return fmt.Sprintf("%T", *new(ID)) }
