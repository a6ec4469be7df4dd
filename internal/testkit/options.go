package testkit

import "reflect"

// With sets the fields of options to those of over that are not 0, and fields of these names to 0,
// so that a test only tells what differs from the defaults. It returns options.
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
