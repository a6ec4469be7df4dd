package text

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Settings returns the options of a trainer, a struct, as text. Names come from the tag file, so
// that model files keep them if a Go field is renamed; "model" is the kind of model. Lists of int
// are features, counted from 0. Lists of int8 contain 1 for a feature that must not lower the score
// and −1 for one that must not raise it. Both are written like the flags of the train command: by
// feature name, or by feature number from 1.
//
// A string with the tag word is written as the word of the tag if it is "".
//
// Data, functions and empty lists are omitted. So are fields with the tag "-", and fields whose
// file names are listed in skip.
func Settings(model string, trainer any, names []string, skip ...string) map[string]string {
	s := map[string]string{"model": model}
	v := reflect.ValueOf(trainer)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name := f.Tag.Get("file")
		if name == "" || name == "-" || slices.Contains(skip, name) {
			continue
		}
		if text := cmp.Or(textOf(v.Field(i), names), f.Tag.Get("word")); text != "" {
			s[name] = text
		}
	}
	return s
}

// textOf returns an option as text, or "" if it is not set.
func textOf(v reflect.Value, names []string) string {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return ""
		}
		if named, ok := v.Interface().(fmt.Stringer); ok {
			return named.String()
		}
		return v.Elem().Type().String()
	case reflect.Func, reflect.Pointer, reflect.Map, reflect.Chan:
		return ""
	}
	if named, ok := v.Interface().(fmt.Stringer); ok {
		return named.String()
	}
	switch list := v.Interface().(type) {
	case []int:
		var text []string
		for _, j := range list {
			text = append(text, feature(j, names))
		}
		return strings.Join(text, ",")
	case []int8:
		var text []string
		for j, direction := range list {
			switch {
			case direction > 0:
				text = append(text, feature(j, names)+"+")
			case direction < 0:
				text = append(text, feature(j, names)+"-")
			}
		}
		return strings.Join(text, ",")
	}
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.Kind() == reflect.String:
		return v.String()
	case v.Kind() == reflect.Slice:
		var text []string
		for i := range v.Len() {
			if one := textOf(v.Index(i), names); one != "" {
				text = append(text, one)
			}
		}
		if v.Type().Elem().Kind() == reflect.Slice {
			return strings.Join(text, "; ")
		}
		return strings.Join(text, ",")
	}
	return ""
}

// feature returns the name of a feature, or its number from 1.
func feature(j int, names []string) string {
	if j >= 0 && j < len(names) {
		return names[j]
	}
	return strconv.Itoa(j + 1)
}
