package parquet

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/vectors"
)

// A meaning is the interpretation of the values of a column.
type meaning uint8

const (
	number     meaning = iota // a boolean, an integer, a float or a double
	half                      // float16
	decimal                   // an integer, in units of a power of ten
	characters                // text
	uuid
	date   // days since 1970
	opaque // neither a number nor an identifier
)

// A leaf is a column of the table.
type leaf struct {
	name     string
	chunk    int // index of its chunk in a row group
	kind     format.Type
	width    int // bytes of a value; 0 if they vary, or for booleans
	meaning  meaning
	scale    int    // digits of a decimal after the point
	typeName string // for errors
	unsigned bool
	optional bool
}

// widest is the number of bytes of the longest decimals that are read: 154 digits.
const widest = 64

// readSchema reads the list of columns one by one.
func (f *file) readSchema(w *walker) error {
	n := w.list(leastElement)
	if w.err == nil && n == 0 {
		return errors.New("the schema is missing")
	}
	root := w.element()
	for i, open := 1, 0; i < n; i++ {
		e := w.element()
		if w.err != nil {
			return w.err
		}
		if open == 0 { // otherwise it is below the last column
			if need, most := leafBytes*int64(len(f.leaves)+1), leafSlack+leafPerByte*int64(len(w.b)); need > most {
				return fmt.Errorf("%d columns require %d bytes of memory, but a footer of %d bytes allows %d",
					len(f.leaves)+1, need, len(w.b), most)
			}
			l := newLeaf(&e)
			l.chunk = f.chunks
			f.leaves = append(f.leaves, l)
			open = 1
		}
		children := int(e.NumChildren)
		if children < 0 || children > n {
			return fmt.Errorf("the number of children of column %s is %d; it must be from 0 to %d", excerpt(e.Name), children, n)
		}
		if e.Type.Valid {
			f.chunks++
		}
		if open += children - 1; open > n-1-i {
			return errors.New("the schema is truncated")
		}
	}
	if w.err == nil && int(root.NumChildren) != len(f.leaves) {
		return fmt.Errorf("the schema contains %d columns, but its root lists %d children", len(f.leaves), root.NumChildren)
	}
	return w.err
}

// nulls is the type of a column without values in files of old writers.
const nulls deprecated.ConvertedType = 24

// newLeaf returns the column that an element of the schema describes.
func newLeaf(e *schemaElement) leaf {
	l := leaf{name: e.Name, kind: e.Type.V, optional: e.RepetitionType == format.Optional, meaning: opaque}
	switch {
	case e.NumChildren > 0 || !e.Type.Valid:
		l.typeName = "nested values"
		return l
	case e.RepetitionType == format.Repeated:
		l.typeName = "lists"
		return l
	}
	switch l.kind {
	case format.Int32, format.Float:
		l.width = 4
	case format.Int64, format.Double:
		l.width = 8
	case format.FixedLenByteArray:
		l.width = int(e.TypeLength)
	}
	bytes := l.kind == format.ByteArray || l.kind == format.FixedLenByteArray && l.width > 0
	integer := l.kind == format.Int32 || l.kind == format.Int64
	plain := number // values without an annotation
	switch {
	case l.kind == format.ByteArray:
		plain = characters
	case l.kind == format.FixedLenByteArray, l.kind == format.Int96:
		plain = opaque
	}
	is := func(m meaning, ok bool) {
		if ok {
			l.meaning = m
		}
	}
	isDecimal := func(scale int32) {
		is(decimal, (bytes && l.width <= widest || integer) && scale >= 0 && int(scale) <= l.digits())
		l.scale = int(scale)
	}
	switch t := e.LogicalType.Value.(type) {
	case nil:
		switch c := e.ConvertedType.V; {
		case !e.ConvertedType.Valid:
			l.meaning = plain
		case c == deprecated.UTF8 || c == deprecated.Enum || c == deprecated.Json:
			is(characters, bytes)
		case c == deprecated.Decimal:
			isDecimal(e.Scale)
		case c == deprecated.Date:
			is(date, l.kind == format.Int32)
		case c >= deprecated.Uint8 && c <= deprecated.Int64:
			is(number, integer)
			l.unsigned = c <= deprecated.Uint64
		case c == nulls:
			l.meaning = number
		}
	case *format.StringType, *format.EnumType, *format.JsonType:
		is(characters, bytes)
	case *format.DecimalType:
		isDecimal(t.Scale)
	case *format.DateType:
		is(date, l.kind == format.Int32)
	case *format.IntType:
		is(number, integer)
		l.unsigned = !t.IsSigned
	case *format.NullType: // there are no values of any physical type
		l.meaning = number
	case *format.UUIDType:
		is(uuid, bytes && l.width == 16)
	case *format.Float16Type:
		is(half, bytes && l.width == 2)
	}
	switch {
	case l.meaning == characters:
		l.typeName = "text"
	case e.LogicalType.Value != nil:
		l.typeName = "values of type " + e.LogicalType.String()
	case e.ConvertedType.Valid:
		l.typeName = "values of type " + convertedNames[e.ConvertedType.V]
	default:
		l.typeName = "values of type " + l.kind.String()
	}
	return l
}

// convertedNames are the names of types that are neither numbers nor text.
var convertedNames = map[deprecated.ConvertedType]string{
	deprecated.Decimal: "DECIMAL", deprecated.Date: "DATE",
	deprecated.TimeMillis: "TIME", deprecated.TimeMicros: "TIME",
	deprecated.TimestampMillis: "TIMESTAMP", deprecated.TimestampMicros: "TIMESTAMP", deprecated.Bson: "BSON",
	deprecated.Interval: "INTERVAL",
}

// excerpt returns a name or its beginning, quoted for an error.
func excerpt(name string) string {
	const limit = 48
	if len(name) <= limit {
		return name
	}
	return name[:limit] + "…"
}

// check returns an error unless the column can have a role.
func (l *leaf) check(role string) error {
	advice := ""
	isNumber := l.meaning <= decimal
	switch {
	case role == "":
	case l.meaning == opaque:
		advice = "convert the column to numbers or text"
	case role == "feature" && l.meaning == characters:
		return &rank.OptionError{Option: "TextColumns", Value: l.name,
			Err: fmt.Errorf("column %s contains %s", excerpt(l.name), l.typeName)}
	case role != "qid" && role != "doc" && role != "text" && !isNumber:
		advice = "convert the column to numbers"
	}
	if advice == "" {
		return nil
	}
	return fmt.Errorf("column %s contains %s: %s", excerpt(l.name), l.typeName, advice)
}

// bytes returns an upper bound of the bytes of a number, including its length.
func (l *leaf) bytes() int {
	if l.kind == format.ByteArray {
		return 4 + widest
	}
	return l.width
}

// digits returns the maximum precision of a decimal, which is also the maximum scale.
func (l *leaf) digits() int {
	const log2 = 30103 // 10⁵ times the decimal logarithm of 2
	return (8*cmp.Or(l.width, widest) - 1) * log2 / 100_000
}

// textBytes returns the maximum length of a value that is formatted as text.
func (l *leaf) textBytes() int64 {
	switch {
	case l.meaning == uuid:
		return 36
	case l.meaning == decimal:
		return int64(l.digits()) + 4 // one more digit, a sign, and 0 before a point
	case l.kind == format.Double:
		return 330
	case l.kind == format.Float:
		return 64
	}
	return 24 // integers, dates and halves
}

func setInteger[T value](p *T, v int64, l *leaf) {
	switch {
	case l.meaning == decimal:
		setDecimal(p, strconv.FormatInt(v, 10), l.scale)
		return
	case l.meaning == date:
		*any(p).(*string) = time.Unix(v*24*60*60, 0).UTC().Format(time.DateOnly)
		return
	case l.unsigned && v < 0:
		setUnsigned(p, uint64(v))
		return
	}
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

// setBytes sets a value from its bytes.
func setBytes[T value](p *T, b string, l *leaf) error {
	switch l.meaning {
	case characters:
		*any(p).(*string) = b
	case uuid:
		*any(p).(*string) = fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	case half:
		setFloat(p, float64(vectors.F16(binary.LittleEndian.Uint16([]byte(b))).Float32()))
	case decimal: // in two's complement, the highest byte first
		if len(b) == 0 || len(b) > widest {
			return errMalformed
		}
		if len(b) <= 8 {
			var v int64
			for i := range len(b) {
				if i == 0 {
					v = int64(int8(b[i]))
				} else {
					v = v<<8 | int64(b[i])
				}
			}
			setInteger(p, v, l)
			return nil
		}
		v := new(big.Int).SetBytes([]byte(b))
		if b[0] >= 1<<7 {
			v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		setDecimal(p, v.String(), l.scale)
	default:
		return errMalformed
	}
	return nil
}

func setFloat[T value](p *T, v float64) {
	switch p := any(p).(type) {
	case *float32:
		*p = float32(v)
	case *float64:
		*p = v
	case *string:
		*p = ""
		if v == v {
			*p = formatNumber(v)
		}
	}
}

// setDecimal sets a value to an integer with the last scale digits after the decimal point.
func setDecimal[T value](p *T, digits string, scale int) {
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if n := scale + 1 - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	if scale > 0 {
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	digits = sign + digits
	switch p := any(p).(type) {
	case *float32:
		v, _ := strconv.ParseFloat(digits, 32)
		*p = float32(v)
	case *float64:
		*p, _ = strconv.ParseFloat(digits, 64)
	case *string:
		*p = digits
	}
}
