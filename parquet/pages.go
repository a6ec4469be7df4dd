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
	"strconv"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// A value is what a column is read to, numbers to text, too; a null is NaN or "".
type value interface{ float32 | float64 | string }

// A cursor reads the pages of a column in a row group.
type cursor[T value] struct {
	f       *file
	leaf    leaf
	codec   format.CompressionCodec
	at, end int64 // place in the file
	rows    int   // that are still to come
	dict    []T
	zstd    *zstd.Decoder
	where   string // for errors
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
	chunk := &f.meta.RowGroups[group].Columns[column]
	m := &chunk.MetaData
	c := &cursor[T]{f: f, leaf: f.leaves[column], codec: m.Codec, rows: int(f.meta.RowGroups[group].NumRows)}
	c.where = fmt.Sprintf("column %s, row group %d", text.Excerpt(c.leaf.name), group)
	c.at = m.DataPageOffset
	if m.DictionaryPageOffset > 0 && m.DictionaryPageOffset < c.at {
		c.at = m.DictionaryPageOffset
	}
	c.end = c.at + m.TotalCompressedSize
	var zero T
	_, isText := any(zero).(string)
	switch {
	case c.rows == 0: // such a group need have no pages
	case chunk.FilePath != "":
		return nil, c.fail(errors.New("the values are in another file"))
	case c.at < 4 || m.TotalCompressedSize < 0 || c.end < c.at || c.end > f.size:
		return nil, c.fail(errors.New("the pages are outside of the file"))
	case m.Type != c.leaf.kind:
		return nil, c.fail(errMalformed)
	case !isText && c.leaf.kind == format.ByteArray:
		err := errors.New("the values are text; a feature is a number, as are labels, weights and positions")
		if _, isFeature := any(zero).(float32); isFeature {
			err = &rank.OptionError{Option: "Ignore", Value: c.leaf.name, Err: err}
		}
		return nil, c.fail(err)
	}
	return c, nil
}

func (c *cursor[T]) fail(err error) error { return fmt.Errorf("%s: %w", c.where, err) }

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
		if err := c.header(&h); err != nil {
			return nil, err
		}
		compressed, size := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
		if compressed < 0 || size < 0 || compressed > c.end-c.at {
			return nil, errMalformed
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
			if n > c.rows && n > len(data)/cmp.Or(widths[c.leaf.kind], 4) {
				return nil, errShort
			}
			if c.dict, err = plain(make([]T, n), data, &c.leaf); err != nil {
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
		if errors.Is(err, errShort) && window < c.end-c.at && window < 1<<20 {
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
		length := int64(v2.DefinitionLevelsByteLength)
		if n < 0 || n > c.rows || length < 0 || length > min(int64(len(data)), size) ||
			v2.RepetitionLevelsByteLength != 0 {
			return nil, errMalformed
		}
		if c.leaf.optional && length > 0 {
			levels = make([]uint32, n)
			if err := hybrid(levels, data[:length], 1); err != nil {
				return nil, err
			}
		}
		data = data[length:]
		if !v2.IsCompressed.Valid || v2.IsCompressed.V {
			var err error
			if data, err = c.decompress(data, size-length, n); err != nil {
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
		return plain(dst, data, &c.leaf)
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
			setInteger(&dst[i], int64(v))
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
			if setInteger(&dst[i], v); v < 0 && c.leaf.unsigned {
				setUnsigned(&dst[i], uint64(v))
			}
		}
		return dst, nil
	case format.DeltaLengthByteArray:
		if kind != format.ByteArray {
			break
		}
		texts := any(dst).([]string)
		return dst, suffixes(texts, data)
	case format.DeltaByteArray:
		if kind != format.ByteArray {
			break
		}
		texts := any(dst).([]string)
		shared, data, err := deltas(len(dst), data) // bytes that begin the text before, too
		if err != nil {
			return nil, err
		}
		if err := suffixes(texts, data); err != nil {
			return nil, err
		}
		before, room := "", 1<<20+1100*len(data) // as of what is compressed
		for i, n := range shared {
			if n < 0 || n > int64(len(before)) {
				return nil, errMalformed
			}
			if texts[i] == "" {
				texts[i] = before[:n]
			} else if n > 0 {
				if room -= int(n); room < 0 {
					return nil, errMalformed
				}
				texts[i] = before[:n] + texts[i]
			}
			before = texts[i]
		}
		return dst, nil
	case format.ByteStreamSplit:
		size := widths[kind]
		if size == 0 {
			break
		}
		if len(data) < size*len(dst) {
			return nil, errShort
		}
		whole := make([]byte, size*len(dst))
		for i := range dst {
			for k := range size {
				whole[size*i+k] = data[k*len(dst)+i]
			}
		}
		return plain(dst, whole, &c.leaf)
	}
	return nil, fmt.Errorf("values of type %v in the encoding %v, which this package does not know", kind, encoding)
}

// widths are the bytes of values.
var widths = map[format.Type]int{format.Int32: 4, format.Int64: 8, format.Float: 4, format.Double: 8,
	format.FixedLenByteArray: 2}

func setInteger[T value](p *T, v int64) {
	switch p := any(p).(type) {
	case *float32:
		*p = float32(v)
	case *float64:
		*p = float64(v)
	case *string:
		*p = strconv.FormatInt(v, 10)
	}
}

func setUnsigned[T value](p *T, v uint64) {
	switch p := any(p).(type) {
	case *float32:
		*p = float32(v)
	case *float64:
		*p = float64(v)
	case *string:
		*p = strconv.FormatUint(v, 10)
	}
}

// plain decodes as many values as dst holds.
func plain[T value](dst []T, data []byte, l *leaf) ([]T, error) {
	if l.kind == format.ByteArray {
		texts := any(dst).([]string)
		for i := range texts {
			b, rest, err := prefixed(data)
			if err != nil {
				return nil, err
			}
			texts[i], data = string(b), rest
		}
		return dst, nil
	}
	if l.kind == format.Boolean {
		if len(data) < (len(dst)+7)/8 {
			return nil, errShort
		}
		for i := range dst {
			setInteger(&dst[i], int64(data[i/8]>>(i%8)&1))
		}
		return dst, nil
	}
	if len(data) < widths[l.kind]*len(dst) {
		return nil, errShort
	}
	switch dst := any(dst).(type) {
	case []float32:
		plainNumbers(dst, data, l)
	case []float64:
		plainNumbers(dst, data, l)
	case []string:
		plainTexts(dst, data, l)
	}
	return dst, nil
}

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
	case l.kind == format.FixedLenByteArray:
		for i := range dst {
			dst[i] = T(kernels.F16(binary.LittleEndian.Uint16(data[2*i:])).Float32())
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

// plainTexts decodes numbers to text, integers with all of their digits.
func plainTexts(dst []string, data []byte, l *leaf) {
	for i := range dst {
		at := data[i*widths[l.kind]:]
		switch {
		case l.kind == format.Float || l.kind == format.Double || l.kind == format.FixedLenByteArray:
			var v [1]float64
			if plainNumbers(v[:], at, l); v[0] == v[0] {
				dst[i] = formatNumber(v[0])
			}
		case l.kind == format.Int32 && l.unsigned:
			setUnsigned(&dst[i], uint64(binary.LittleEndian.Uint32(at)))
		case l.kind == format.Int32:
			setInteger(&dst[i], int64(int32(binary.LittleEndian.Uint32(at))))
		case l.unsigned:
			setUnsigned(&dst[i], binary.LittleEndian.Uint64(at))
		default:
			setInteger(&dst[i], int64(binary.LittleEndian.Uint64(at)))
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

// decompress returns the content of a page, which is of the given size or an error. A page of n
// values may be 16 bytes for each, and any 1100 times the size of what is compressed.
func (c *cursor[T]) decompress(data []byte, size int64, n int) ([]byte, error) {
	if c.codec == format.Uncompressed || size == 0 && len(data) == 0 { // of nulls alone
		return data, nil
	}
	if size > 1<<20+max(16*int64(n), 1100*int64(len(data))) {
		return nil, fmt.Errorf("a page of %d bytes claims to hold %d", len(data), size)
	}
	content := make([]byte, size)
	var err error
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
	case format.Brotli:
		_, err = io.ReadFull(brotli.NewReader(bytes.NewReader(data)), content)
	case format.Zstd:
		if c.zstd == nil {
			c.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
		}
		if err == nil {
			err = c.zstd.Reset(bytes.NewReader(data))
		}
		if err == nil {
			_, err = io.ReadFull(c.zstd, content)
		}
	default:
		err = fmt.Errorf("the compression %v, which this package does not know", c.codec)
	}
	if err != nil {
		return nil, err
	}
	return content, nil
}
