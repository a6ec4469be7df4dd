package serve

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
)

// StructRows builds rows from structs of type T. A field with the tag feature:"bm25" contains the
// value of the feature bm25. Fields may be numbers, booleans (0 or 1), and pointers to them; a nil
// pointer is a missing value. Fields of features with text categories are strings or pointers to
// strings; see [Columns.Category]. Values are rounded to float32.
type StructRows[T any] struct {
	columns Columns
	fields  []field
}

// A field is a struct field that contains the value of a feature.
type field struct {
	column  int32
	offset  uintptr
	pointer bool
	load    func(p unsafe.Pointer) float32 // for numbers
	texts   categories                     // for text categories
}

// loads maps each supported kind to a function that reads a value and converts it to float32.
var loads = map[reflect.Kind]func(p unsafe.Pointer) float32{
	reflect.Float32: load[float32],
	reflect.Float64: load[float64],
	reflect.Int:     load[int],
	reflect.Int8:    load[int8],
	reflect.Int16:   load[int16],
	reflect.Int32:   load[int32],
	reflect.Int64:   load[int64],
	reflect.Uint:    load[uint],
	reflect.Uint8:   load[uint8],
	reflect.Uint16:  load[uint16],
	reflect.Uint32:  load[uint32],
	reflect.Uint64:  load[uint64],
	reflect.Bool:    load[uint8], // true is stored as the byte 1
}

func load[N float32 | float64 | int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64](
	p unsafe.Pointer) float32 {
	return float32(*(*N)(p))
}

// NewStructRows returns a StructRows that builds rows from structs of type T. It includes the
// fields of embedded structs.
//
// It returns an error if T is not a struct, if a tagged field has a type that is not supported, or
// if a tag contains an unknown name (see IgnoreUnknown). It also returns an error if a feature of
// the model has no field, because a typing error would otherwise make the feature missing in all
// documents. If a feature is always missing, add a pointer field and leave it nil.
func NewStructRows[T any](c Columns) (*StructRows[T], error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Struct {
		return nil, errs.Errorf("serve", "type %v is not supported: it must be a struct", t)
	}
	s := &StructRows[T]{columns: c}
	_, row, err := c.appendUnset(nil)
	if err != nil {
		return nil, err
	}
	if err := s.add(t, 0, row); err != nil {
		return nil, err
	}
	for j, v := range row {
		if v != v {
			return nil, errs.Errorf("serve", "type %v has no field for the feature %q", t, c.names[j])
		}
	}
	return s, nil
}

// add adds the fields of struct type t, whose values are at the given offset in T. It sets the
// elements of row to 0 for features that have a field.
func (s *StructRows[T]) add(t reflect.Type, offset uintptr, row []float32) error {
	for i := range t.NumField() {
		f := t.Field(i)
		name, tagged := f.Tag.Lookup("feature")
		if !tagged {
			if f.Anonymous && f.Type.Kind() == reflect.Struct {
				if err := s.add(f.Type, offset+f.Offset, row); err != nil {
					return err
				}
			}
			continue
		}
		j, known := s.columns.column(name)
		if !known {
			if s.columns.IgnoreUnknown {
				continue
			}
			return errs.Op("serve", errs.Wrap(unknown(name), "field %s of %v", f.Name, t))
		}
		kind, pointer := f.Type.Kind(), f.Type.Kind() == reflect.Pointer
		if pointer {
			kind = f.Type.Elem().Kind()
		}
		texts := s.columns.texts[j]
		if texts != nil && kind != reflect.String {
			return errs.Errorf("serve", "field %s of %v: type %v is not supported: the feature %q has text categories, so it "+
				"must be a string or a pointer to one", f.Name, t, f.Type, s.columns.names[j])
		}
		if texts == nil && loads[kind] == nil {
			return errs.Errorf("serve", "field %s of %v: type %v is not supported: it must be a number, a boolean, or a "+
				"pointer to one", f.Name, t, f.Type)
		}
		if !set(row, j, 0) {
			return errs.Errorf("serve", "field %s of %v: another field has the feature %q", f.Name, t,
				s.columns.names[j])
		}
		s.fields = append(s.fields, field{j, offset + f.Offset, pointer, loads[kind], texts})
	}
	return nil
}

// AppendRow appends the row of a document to dst. If dst has sufficient capacity, AppendRow does
// not allocate.
func (s *StructRows[T]) AppendRow(dst []float32, v *T) []float32 {
	n := len(dst)
	dst = slices.Grow(dst, len(s.fields))[:n+len(s.fields)]
	for _, f := range s.fields {
		p := unsafe.Add(unsafe.Pointer(v), f.offset)
		if f.pointer {
			if p = *(*unsafe.Pointer)(p); p == nil {
				dst[n+int(f.column)] = missing
				continue
			}
		}
		if f.texts != nil {
			s := *(*string)(p)
			dst[n+int(f.column)] = f.texts.of(unsafe.Slice(unsafe.StringData(s), len(s)))
			continue
		}
		dst[n+int(f.column)] = f.load(p)
	}
	return dst
}
