package parquet

import (
	"encoding/binary"
	"math"

	"github.com/parquet-go/parquet-go/format"
	"github.com/simdrank/simdrank/vectors"
)

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

// plain decodes len(dst) values.
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
	lengths, data, err := deltas(make([]int64, len(texts)), data)
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

// deltas fills values with integers from DELTA_BINARY_PACKED and returns the data after them.
func deltas(values []int64, data []byte) (_ []int64, rest []byte, err error) {
	w := walker{b: data}
	n := len(values)
	block, parts, count := w.uvarint(), w.uvarint(), w.uvarint()
	last := w.varint()
	if w.err != nil || parts == 0 || block == 0 || block > 1<<20 || block%parts != 0 || count != uint64(n) {
		return nil, nil, errMalformed
	}
	size := int(block / parts) // values of a part
	if values = values[:0]; n > 0 {
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
			if width == 0 {
				for range take {
					last += least
					values = append(values, last)
				}
				continue
			}
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

// bitsAt returns the integer of up to 64 bits at a bit position of b, lowest bit first. Bits beyond
// b are 0.
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

// prefixed splits off a sequence of bytes that is preceded by its length.
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

// equal returns the value of n integers that are a single run, as in pages of zeros.
func equal(n int, src []byte, width int) (v uint32, ok bool) {
	if head, _ := binary.Uvarint(src); head&1 != 0 || head>>1 < uint64(n) {
		return 0, false
	}
	one := make([]uint32, 1)
	ok = hybrid(one, src, width) == nil
	return one[0], ok
}

// hybrid fills dst with integers of a given number of bits, which are stored as runs or bit-packed.
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
		count := int(min(head>>1, uint64(len(dst)+7)/8)) * 8 // number of values in the groups of eight
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
