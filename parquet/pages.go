package parquet

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
	"github.com/simdrank/simdrank/rank"
)

// A value is what a column is read to, numbers to text, too; a null is NaN or "".
type value interface{ float32 | float64 | string }

// A cursor reads the pages of a column in a row group.
type cursor[T value] struct {
	f         *file
	leaf      *leaf
	codec     format.CompressionCodec
	at, end   int64 // place in the file
	uncounted int64 // bytes of the dictionary's header, which end may lack
	rows      int   // that are still to come
	dict      []T
	zstd      *zstd.Decoder
	window    int64  // the largest that zstd accepts
	where     string // for errors
}

// readColumn hands the values of a column to add, a page at a time.
func readColumn[T value](f *file, column int, add func(page []T) error) (err error) {
	defer recoverDecoder(&err)
	for g := range f.meta.RowGroups {
		c, err := newCursor[T](f, g, column)
		if err != nil {
			return err
		}
		for c.rows > 0 {
			page, err := c.next()
			if err != nil {
				return err
			}
			if err := add(page); err != nil {
				return err
			}
		}
	}
	return nil
}

// recoverDecoder makes an error of what a decoder of others has not thought of.
func recoverDecoder(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v", errMalformed, p)
	}
}

func newCursor[T value](f *file, group, column int) (*cursor[T], error) {
	leaf := &f.leaves[column]
	chunk := &f.meta.RowGroups[group].Columns[leaf.chunk]
	m := &chunk.MetaData
	c := &cursor[T]{f: f, leaf: leaf, codec: m.Codec, rows: int(f.meta.RowGroups[group].NumRows)}
	c.where = fmt.Sprintf("column %s, row group %d", excerpt(c.leaf.name), group)
	c.at = m.DataPageOffset
	if m.DictionaryPageOffset > 0 && m.DictionaryPageOffset < c.at {
		c.at = m.DictionaryPageOffset
	}
	c.end = c.at + m.TotalCompressedSize
	switch {
	case c.rows == 0: // such a group need have no pages
	case chunk.CryptoMetadata.Value != nil:
		return nil, c.fail(errors.New("the values are encrypted"))
	case chunk.FilePath != "":
		return nil, c.fail(errors.New("the values are in another file"))
	case c.at < 4 || m.TotalCompressedSize < 0 || c.end < c.at || c.end > f.size:
		return nil, c.fail(errors.New("the pages are outside of the file"))
	case m.Type != c.leaf.kind:
		return nil, c.fail(errMalformed)
	}
	return c, nil
}

func (c *cursor[T]) fail(err error) error {
	if option := (*rank.OptionError)(nil); errors.As(err, &option) {
		return &rank.OptionError{Option: option.Option, Err: fmt.Errorf("%s: %w", c.where, option.Err)}
	}
	return fmt.Errorf("%s: %w", c.where, err)
}

// next returns the values of the next page, nulls included.
func (c *cursor[T]) next() ([]T, error) {
	values, err := c.nextPage()
	if err != nil {
		return nil, c.fail(err)
	}
	return values, nil
}

func (c *cursor[T]) nextPage() ([]T, error) {
	for {
		var h format.PageHeader
		start := c.at
		if err := c.header(&h); err != nil {
			return nil, err
		}
		compressed, size := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
		if compressed-(c.end-c.at) == c.uncounted { // an old writer's size
			c.end, c.uncounted = c.end+c.uncounted, 0
		}
		if compressed < 0 || size < 0 || compressed > c.end-c.at {
			return nil, errMalformed
		}
		if h.Type == format.DictionaryPage {
			c.uncounted = c.at - start
		}
		data := make([]byte, compressed)
		if err := c.f.readAt(data, c.at); err != nil {
			return nil, err
		}
		c.at += compressed
		if h.CRC != 0 {
			if sum := crc32.ChecksumIEEE(data); sum != uint32(h.CRC) {
				return nil, fmt.Errorf("the checksum of a page is %08x, its header says %08x", sum, uint32(h.CRC))
			}
		}
		switch h.Type {
		case format.DictionaryPage:
			n := int(h.DictionaryPageHeader.V.NumValues)
			if c.dict != nil || n < 0 {
				return nil, errMalformed
			}
			data, err := c.decompress(data, size, min(n, c.rows))
			if err != nil {
				return nil, err
			}
			// Some values may be unused, but all are there: a text has its length before it.
			if n > c.rows && n > len(data)/cmp.Or(c.leaf.width, 4) {
				return nil, errShort
			}
			if c.dict, err = plain(make([]T, n), data, c.leaf); err != nil {
				return nil, err
			}
		case format.DataPage, format.DataPageV2:
			return c.dataPage(&h, data)
		}
	}
}

// header reads the header of a page and goes past it.
func (c *cursor[T]) header(h *format.PageHeader) error {
	for window := int64(256); ; window *= 8 {
		b := make([]byte, min(window, c.end-c.at))
		if err := c.f.readAt(b, c.at); err != nil {
			return err
		}
		n, err := decode(b, h)
		if errors.Is(err, errShort) && window < c.end-c.at {
			continue
		}
		c.at += int64(n)
		return err
	}
}

// dataPage decodes a page of values.
func (c *cursor[T]) dataPage(h *format.PageHeader, data []byte) ([]T, error) {
	v1, v2 := &h.DataPageHeader.V, &h.DataPageHeaderV2.V
	size := int64(h.UncompressedPageSize)
	var levels []uint32 // 0 for nulls; nil when there are none
	var n int
	var encoding format.Encoding
	if h.Type == format.DataPageV2 {
		n, encoding = int(v2.NumValues), v2.Encoding
		// Flat columns do not repeat, but some writers, such as Athena, store levels of 0 bits.
		skipped, length := int64(v2.RepetitionLevelsByteLength), int64(v2.DefinitionLevelsByteLength)
		if n < 0 || n > c.rows || skipped < 0 || length < 0 || skipped+length > min(int64(len(data)), size) {
			return nil, errMalformed
		}
		if c.leaf.optional && length > 0 {
			levels = make([]uint32, n)
			if err := hybrid(levels, data[skipped:skipped+length], 1); err != nil {
				return nil, err
			}
		}
		data = data[skipped+length:]
		if !v2.IsCompressed.Valid || v2.IsCompressed.V {
			var err error
			if data, err = c.decompress(data, size-skipped-length, n); err != nil {
				return nil, err
			}
		}
	} else {
		n, encoding = int(v1.NumValues), v1.Encoding
		if n < 0 || n > c.rows {
			return nil, errMalformed
		}
		var err error
		if data, err = c.decompress(data, size, n); err != nil {
			return nil, err
		}
		if c.leaf.optional {
			var b []byte
			if b, data, err = prefixed(data); err != nil {
				return nil, err
			}
			levels = make([]uint32, n)
			if err := hybrid(levels, b, 1); err != nil {
				return nil, err
			}
		}
	}
	some := n
	for _, l := range levels {
		some -= int(1 - l)
	}
	values := make([]T, n)
	present, err := c.values(values[n-some:], data, encoding)
	if err != nil {
		return nil, err
	}
	if some < n {
		// Those that are there stand at the end, and so none is overwritten before it is moved.
		for i, l := range levels {
			if l == 0 {
				values[i] = null[T]()
			} else {
				values[i] = present[0]
				present = present[1:]
			}
		}
	}
	c.rows -= n
	return values, nil
}

func null[T value]() (v T) {
	switch p := any(&v).(type) {
	case *float32:
		*p = math.Float32frombits(0x7fc00000)
	case *float64:
		*p = math.NaN()
	}
	return v
}

// plainDictionary is what version 1 of the format calls RLEDictionary in the headers of data pages.
const plainDictionary = format.Encoding(2)

// values fills dst with as many values.
func (c *cursor[T]) values(dst []T, data []byte, encoding format.Encoding) ([]T, error) {
	if len(dst) == 0 { // whatever writers put, or leave out, for no values
		return dst, nil
	}
	kind := c.leaf.kind
	switch encoding {
	case format.Plain:
		return plain(dst, data, c.leaf)
	case format.RLEDictionary, plainDictionary:
		if len(data) == 0 || data[0] > 32 {
			return nil, errMalformed
		}
		index := make([]uint32, len(dst))
		if err := hybrid(index, data[1:], int(data[0])); err != nil {
			return nil, err
		}
		for i, k := range index {
			if int64(k) >= int64(len(c.dict)) {
				return nil, errMalformed
			}
			dst[i] = c.dict[k]
		}
		return dst, nil
	case format.RLE:
		if kind != format.Boolean {
			break
		}
		b, _, err := prefixed(data)
		if err != nil {
			return nil, err
		}
		bits := make([]uint32, len(dst))
		if err := hybrid(bits, b, 1); err != nil {
			return nil, err
		}
		for i, v := range bits {
			setInteger(&dst[i], int64(v), c.leaf)
		}
		return dst, nil
	case format.DeltaBinaryPacked:
		if kind != format.Int32 && kind != format.Int64 {
			break
		}
		integers, _, err := deltas(len(dst), data)
		if err != nil {
			return nil, err
		}
		for i, v := range integers {
			switch {
			case kind == format.Int32 && c.leaf.unsigned:
				v = int64(uint32(v))
			case kind == format.Int32:
				v = int64(int32(v))
			}
			setInteger(&dst[i], v, c.leaf)
		}
		return dst, nil
	case format.DeltaLengthByteArray:
		if kind != format.ByteArray {
			break
		}
		stored := make([]string, len(dst))
		if err := suffixes(stored, data); err != nil {
			return nil, err
		}
		return setAll(dst, stored, c.leaf)
	case format.DeltaByteArray:
		if kind != format.ByteArray && kind != format.FixedLenByteArray {
			break
		}
		shared, data, err := deltas(len(dst), data) // bytes that begin the value before, too
		if err != nil {
			return nil, err
		}
		stored := make([]string, len(dst))
		if err := suffixes(stored, data); err != nil {
			return nil, err
		}
		before := ""
		for i, n := range shared {
			if n < 0 || n > int64(len(before)) || c.leaf.meaning != characters && n > widest {
				return nil, errMalformed
			}
			if stored[i] == "" {
				stored[i] = before[:n]
			} else if n > 0 {
				if c.leaf.meaning == characters {
					if err := c.f.hold("the texts", n+int64(len(stored[i]))); err != nil {
						return nil, err
					}
				}
				stored[i] = before[:n] + stored[i]
			}
			before = stored[i]
		}
		return setAll(dst, stored, c.leaf)
	case format.ByteStreamSplit:
		size := c.leaf.width
		if size == 0 {
			break
		}
		if len(data)/size < len(dst) {
			return nil, errShort
		}
		whole := make([]byte, size*len(dst))
		for i := range dst {
			for k := range size {
				whole[size*i+k] = data[k*len(dst)+i]
			}
		}
		return plain(dst, whole, c.leaf)
	}
	return nil, fmt.Errorf("values of type %v in the encoding %v, which this package does not know", kind, encoding)
}

// decompress returns the content of a page of n values, which is of the given size or an error.
func (c *cursor[T]) decompress(data []byte, size int64, n int) ([]byte, error) {
	if c.codec == format.Uncompressed || size == 0 && len(data) == 0 { // of nulls alone
		return data, nil
	}
	// No format needs more than room for the values of a number column, and only Brotli and
	// Zstandard make more of some text, for which memory is allocated as it is decompressed.
	room := 1<<20 + max(int64(16+c.leaf.bytes())*int64(n), 1100*int64(len(data)))
	texts := c.leaf.meaning == characters
	if size > room && (!texts || c.codec != format.Brotli && c.codec != format.Zstd) {
		return nil, fmt.Errorf("a page of %d bytes claims to hold %d", len(data), size)
	}
	if texts {
		if err := c.f.hold("the texts", size); err != nil {
			return nil, err
		}
	}
	content := make([]byte, min(size, room))
	var err error
	switch c.codec {
	case format.Brotli:
		return inflate(brotli.NewReader(bytes.NewReader(data)), content, size)
	case format.Zstd:
		if window := max(128<<20, size); c.zstd == nil || window > c.window {
			c.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(uint64(window)))
			c.window = window
		}
		if err == nil {
			err = c.zstd.Reset(bytes.NewReader(data))
		}
		if err != nil {
			return nil, err
		}
		return inflate(c.zstd, content, size)
	}
	switch c.codec {
	case format.Snappy:
		if n, e := snappy.DecodedLen(data); e != nil || int64(n) != size {
			return nil, errMalformed
		}
		_, err = snappy.Decode(content, data)
	case format.Lz4Raw:
		var n int
		if n, err = lz4.UncompressBlock(data, content); err == nil && int64(n) != size {
			err = errMalformed
		}
	case format.Gzip:
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			_, err = io.ReadFull(z, content)
		}
	default:
		err = fmt.Errorf("the compression %v, which this package does not know", c.codec)
	}
	if err != nil {
		return nil, err
	}
	return content, nil
}

// inflate fills content, and then doubles it until it has the given size.
func inflate(r io.Reader, content []byte, size int64) ([]byte, error) {
	for n := 0; ; {
		if _, err := io.ReadFull(r, content[n:]); err != nil || int64(len(content)) == size {
			return content, err
		}
		n = len(content)
		content = append(content, make([]byte, min(int64(n), size-int64(n)))...)
	}
}
