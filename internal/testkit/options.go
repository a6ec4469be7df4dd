package testkit

import "reflect"

// With sets the fields of options to the nonzero fields of over, and the named fields to 0, so that
// a test lists only the differences from the defaults. It returns options.
func With[T any](options *T, over T, zero ...string) *T {
	to, from := reflect.ValueOf(options).Elem(), reflect.ValueOf(over)
	for i := range from.NumField() {
		if !from.Field(i).IsZero() {
			to.Field(i).Set(from.Field(i))
		}
	}
	for _, name := range zero {
		to.FieldByName(name).SetZero()
	}
	return options
}
