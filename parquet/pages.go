package parquet

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/parquet-go/parquet-go/format"

	"github.com/simdrank/simdrank/rank"
)

// A value is the type to which a column is converted. Numbers can be converted to text. A null is
// NaN or "".
type value interface{ float32 | float64 | string }

// A cursor reads the pages of a column in a row group.
type cursor[T value] struct {
	f             *file
	with          *buffers
	leaf          *leaf
	group, column int
	codec         format.CompressionCodec
	at, end       int64 // place in the file
	uncounted     int64 // bytes of the dictionary's header, which end may not include
	rows          int   // remaining rows
	dict          []T
	page          []T // the values that next returns
}

// readColumn passes the values of a column to add, one page at a time.
func readColumn[T value](f *file, column int, with *buffers, add func(page []T) error) (err error) {
	defer recoverDecoder(&err)
	var c cursor[T]
	c.page, _ = with.page.([]T)
	for g := range f.groups {
		if err := c.open(f, g, column, with); err != nil {
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
	with.page = c.page
	return nil
}

// recoverDecoder converts a panic of a third-party decoder to an error.
func recoverDecoder(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v", errMalformed, p)
	}
}

// open sets c to a column in a row group.
func (c *cursor[T]) open(f *file, group, column int, with *buffers) error {
	leaf := &f.leaves[column]
	p := f.place(group, leaf.chunk)
	*c = cursor[T]{f: f, with: with, leaf: leaf, group: group, column: column, codec: p.codec, at: p.at,
		end: p.at + p.size, rows: f.groups[group], page: c.page}
	switch {
	case c.rows == 0: // an empty group may have no pages
	case p.encrypted:
		return c.fail(errors.New("encrypted columns are not supported"))
	case p.external:
		return c.fail(errors.New("columns in separate files are not supported"))
	case !f.inside(p):
		return c.fail(errors.New("the pages extend beyond the data of the file"))
	case p.kind != c.leaf.kind:
		return c.fail(errMalformed)
	}
	return nil
}

func (c *cursor[T]) fail(err error) error {
	where := c.f.where(c.group, c.column)
	if option := (*rank.OptionError)(nil); errors.As(err, &option) {
		return &rank.OptionError{Option: option.Option, Err: fmt.Errorf("%s: %w", where, option.Err)}
	}
	return fmt.Errorf("%s: %w", where, err)
}

// next returns the values of the next page, including nulls. They are valid until the next call.
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
		if compressed-(c.end-c.at) == c.uncounted { // a size as written by old writers
			c.end, c.uncounted = c.end+c.uncounted, 0
		}
		if compressed < 0 || size < 0 || compressed > c.end-c.at {
			return nil, errMalformed
		}
		if h.Type == format.DictionaryPage {
			c.uncounted = c.at - start
		}
		data := resize(&c.with.stored, int(compressed))
		if err := c.f.readAt(data, c.at); err != nil {
			return nil, err
		}
		c.at += compressed
		if h.CRC != 0 {
			if sum := crc32.ChecksumIEEE(data); sum != uint32(h.CRC) {
				return nil, fmt.Errorf("the page checksum is %08x, but the page header has %08x", sum, uint32(h.CRC))
			}
		}
		switch h.Type {
		case format.DictionaryPage:
			if c.dict != nil {
				return nil, errMalformed
			}
			if err := c.dictionary(int(h.DictionaryPageHeader.V.NumValues), data, size); err != nil {
				return nil, err
			}
		case format.DataPage, format.DataPageV2:
			return c.dataPage(&h, data)
		}
	}
}

// dictionary decodes a dictionary of n values. The dictionary of a filtered category can have more
// values than its column has rows, but each value requires bytes of the page.
func (c *cursor[T]) dictionary(n int, data []byte, size int64) error {
	if n < 0 {
		return errMalformed
	}
	data, err := c.decompress(data, size, min(n, c.rows))
	if err != nil {
		return err
	}
	if n > c.rows {
		least := cmp.Or(c.leaf.width, 4)
		if n > len(data)/least {
			return fmt.Errorf("a dictionary of %d values requires at least %d bytes per value, but its page contains only %d bytes: %w",
				n, least, len(data), errShort)
		}
	}
	if c.dict, err = c.holdTexts(n, func() ([]T, error) { return plain(make([]T, n), data, c.leaf) }); err != nil {
		return err
	}
	return nil
}

// shortText is the length of an identifier that rowBytes includes.
const shortText = 8

// holdTexts counts the memory of n identifiers that decode formats. It first counts their maximum
// length. Columns of text are counted when they are decompressed.
func (c *cursor[T]) holdTexts(n int, decode func() ([]T, error)) ([]T, error) {
	if _, ok := any((*T)(nil)).(*string); !ok {
		return decode()
	}
	most := int64(0)
	if c.leaf.meaning != characters {
		most = (c.leaf.textBytes() - shortText) * int64(n)
	}
	if extra := n - c.rows; extra > 0 {
		most += 16 * int64(extra) // a row counts with one text
	}
	if err := c.f.budget.hold("the identifiers", most); err != nil {
		return nil, err
	}
	texts, err := decode()
	if err != nil || c.leaf.meaning == characters {
		return texts, err
	}
	for _, text := range any(texts).([]string) {
		most -= int64(max(len(text)-shortText, 0))
	}
	return texts, c.f.budget.hold("the identifiers", -most)
}

// header reads the header of a page and skips it.
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
			levels = resize(&c.with.levels, n)
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
			levels = resize(&c.with.levels, n)
			if err := hybrid(levels, b, 1); err != nil {
				return nil, err
			}
		}
	}
	some := n
	for _, l := range levels {
		some -= int(1 - l)
	}
	values := resize(&c.page, n)
	decode := func() ([]T, error) { return c.values(values[n-some:], data, encoding) }
	var present []T
	var err error
	if encoding == format.RLEDictionary || encoding == plainDictionary { // the texts are in the dictionary
		present, err = decode()
	} else {
		present, err = c.holdTexts(some, decode)
	}
	if err != nil {
		return nil, err
	}
	if some < n {
		// Values that are present are at the end, so none is overwritten before it is moved.
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

// plainDictionary is the name of RLEDictionary in data page headers of version 1 of the format.
const plainDictionary = format.Encoding(2)

// values decodes len(dst) values.
func (c *cursor[T]) values(dst []T, data []byte, encoding format.Encoding) ([]T, error) {
	if len(dst) == 0 { // ignore the contents, which differ between writers
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
		if k, ok := equal(len(dst), data[1:], int(data[0])); ok && int64(k) < int64(len(c.dict)) {
			for i := range dst {
				dst[i] = c.dict[k]
			}
			return dst, nil
		}
		index := resize(&c.with.index, len(dst))
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
		bits := resize(&c.with.index, len(dst))
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
		integers, _, err := deltas(resize(&c.with.integers, len(dst)), data)
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
		shared, data, err := deltas(resize(&c.with.integers, len(dst)), data) // prefix lengths
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
					if err := c.f.budget.hold("the texts", n+int64(len(stored[i]))); err != nil {
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
	return nil, fmt.Errorf("the encoding %[2]v of %[1]v values is not supported", kind, encoding)
}
