package parquet

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
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
	"github.com/simdrank/simdrank/vectors"
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

// setAll sets dst to values that are stored as bytes.
func setAll[T value](dst []T, stored []string, l *leaf) ([]T, error) {
	for i, b := range stored {
		if l.width > 0 && len(b) != l.width {
			return nil, errMalformed
		}
		if err := setBytes(&dst[i], b, l); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// plain decodes as many values as dst holds.
func plain[T value](dst []T, data []byte, l *leaf) ([]T, error) {
	switch {
	case l.kind == format.ByteArray:
		for i := range dst {
			b, rest, err := prefixed(data)
			if err != nil {
				return nil, err
			}
			if err := setBytes(&dst[i], string(b), l); err != nil {
				return nil, err
			}
			data = rest
		}
		return dst, nil
	case l.kind == format.Boolean:
		if len(data) < (len(dst)+7)/8 {
			return nil, errShort
		}
		for i := range dst {
			setInteger(&dst[i], int64(data[i/8]>>(i%8)&1), l)
		}
		return dst, nil
	case l.width == 0:
		return nil, errMalformed
	case len(data)/l.width < len(dst):
		return nil, errShort
	case l.meaning == half:
		for i := range dst {
			setFloat(&dst[i], float64(vectors.F16(binary.LittleEndian.Uint16(data[2*i:])).Float32()))
		}
		return dst, nil
	case l.kind == format.FixedLenByteArray:
		for i := range dst {
			if err := setBytes(&dst[i], string(data[i*l.width:(i+1)*l.width]), l); err != nil {
				return nil, err
			}
		}
		return dst, nil
	}
	switch numbers := any(dst).(type) {
	case []float32:
		if l.meaning == number {
			plainNumbers(numbers, data, l)
			return dst, nil
		}
	case []float64:
		if l.meaning == number {
			plainNumbers(numbers, data, l)
			return dst, nil
		}
	}
	for i := range dst {
		at := data[i*l.width:]
		switch {
		case l.kind == format.Float:
			setFloat(&dst[i], float64(math.Float32frombits(binary.LittleEndian.Uint32(at))))
		case l.kind == format.Double:
			setFloat(&dst[i], math.Float64frombits(binary.LittleEndian.Uint64(at)))
		case l.kind == format.Int32 && l.unsigned:
			setInteger(&dst[i], int64(binary.LittleEndian.Uint32(at)), l)
		case l.kind == format.Int32:
			setInteger(&dst[i], int64(int32(binary.LittleEndian.Uint32(at))), l)
		default:
			setInteger(&dst[i], int64(binary.LittleEndian.Uint64(at)), l)
		}
	}
	return dst, nil
}

// plainNumbers decodes integers and floating-point numbers.
func plainNumbers[T float32 | float64](dst []T, data []byte, l *leaf) {
	switch {
	case l.kind == format.Float:
		for i := range dst {
			dst[i] = T(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		}
	case l.kind == format.Double:
		for i := range dst {
			dst[i] = T(math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:])))
		}
	case l.kind == format.Int32 && l.unsigned:
		for i := range dst {
			dst[i] = T(binary.LittleEndian.Uint32(data[4*i:]))
		}
	case l.kind == format.Int32:
		for i := range dst {
			dst[i] = T(int32(binary.LittleEndian.Uint32(data[4*i:])))
		}
	case l.kind == format.Int64 && l.unsigned:
		for i := range dst {
			dst[i] = T(binary.LittleEndian.Uint64(data[8*i:]))
		}
	case l.kind == format.Int64:
		for i := range dst {
			dst[i] = T(int64(binary.LittleEndian.Uint64(data[8*i:])))
		}
	}
}

// suffixes decodes texts from DELTA_LENGTH_BYTE_ARRAY.
func suffixes(texts []string, data []byte) error {
	lengths, data, err := deltas(len(texts), data)
	if err != nil {
		return err
	}
	for i, n := range lengths {
		if n < 0 || n > int64(len(data)) {
			return errShort
		}
		texts[i], data = string(data[:n]), data[n:]
	}
	return nil
}

// deltas decodes n integers from DELTA_BINARY_PACKED, and returns what follows them.
func deltas(n int, data []byte) (values []int64, rest []byte, err error) {
	w := walker{b: data}
	block, parts, count := w.uvarint(), w.uvarint(), w.uvarint()
	last := w.varint()
	if w.err != nil || parts == 0 || block == 0 || block > 1<<20 || block%parts != 0 || count != uint64(n) {
		return nil, nil, errMalformed
	}
	size := int(block / parts) // values of a part
	values = make([]int64, 0, n)
	if n > 0 {
		values = append(values, last)
	}
	for len(values) < n {
		least := w.varint()
		at := w.at
		w.skip(parts)
		for k := 0; k < int(parts) && w.err == nil && len(values) < n; k++ {
			width := int(w.b[at+k])
			take := min(size, n-len(values))
			packed := w.b[w.at:min(len(w.b), w.at+(size*width+7)/8)]
			if width > 64 || (take*width+7)/8 > len(packed) {
				return nil, nil, errMalformed
			}
			w.at += len(packed)
			for i := range take {
				last += least + int64(bitsAt(packed, i*width, width))
				values = append(values, last)
			}
		}
		if w.err != nil {
			return nil, nil, w.err
		}
	}
	return values, data[w.at:], nil
}

// bitsAt returns the integer of so many bits, at most 64, at a bit of b, the lowest first. What is
// beyond b is 0.
func bitsAt(b []byte, bit, width int) uint64 {
	at, shift := bit/8, bit%8
	var word uint64
	if at+8 <= len(b) {
		word = binary.LittleEndian.Uint64(b[at:]) >> shift
		if shift+width > 64 && at+8 < len(b) {
			word |= uint64(b[at+8]) << (64 - shift)
		}
	} else {
		for k, c := range b[min(at, len(b)):] {
			word |= uint64(c) << (8 * k)
		}
		word >>= shift
	}
	return word & (1<<width - 1)
}

// prefixed cuts off the bytes whose number precedes them.
func prefixed(data []byte) (b, rest []byte, err error) {
	if len(data) < 4 {
		return nil, nil, errShort
	}
	n := int64(binary.LittleEndian.Uint32(data))
	if data = data[4:]; n > int64(len(data)) {
		return nil, nil, errShort
	}
	return data[:n], data[n:], nil
}

// hybrid fills dst with integers of some bits from runs of equal ones and packed ones.
func hybrid(dst []uint32, src []byte, width int) error {
	for len(dst) > 0 {
		head, n := binary.Uvarint(src)
		if n <= 0 {
			return errShort
		}
		src = src[n:]
		if head&1 == 0 { // a run
			size := (width + 7) / 8
			if len(src) < size {
				return errShort
			}
			var v uint32
			for i, b := range src[:size] {
				v |= uint32(b) << (8 * i)
			}
			if v>>width != 0 {
				return errMalformed
			}
			src = src[size:]
			run := dst[:min(head>>1, uint64(len(dst)))]
			for i := range run {
				run[i] = v
			}
			dst = dst[len(run):]
			continue
		}
		count := int(min(head>>1, uint64(len(dst)+7)/8)) * 8 // values of so many groups of eight
		packed := src[:min(len(src), count/8*width)]
		if n := min(count, len(dst)); (n*width+7)/8 > len(packed) {
			return errShort
		}
		part := dst[:min(count, len(dst))]
		for i := range part {
			part[i] = uint32(bitsAt(packed, i*width, width))
		}
		src, dst = src[len(packed):], dst[len(part):]
	}
	return nil
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
