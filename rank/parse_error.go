package rank

import (
	"fmt"
	"strings"
)

// A ParseError says where a file is wrong and why. Readers (packages data, trec and so on)
// return the first error of the file; errors about data that were read from one wrap it, too.
type ParseError struct {
	File   string // path as given; empty when reading from an io.Reader
	Line   int    // from 1; 0 when the error is about the whole file
	Column int    // in bytes from 1; 0 when it is about the whole line or file
	Text   string // the offending text, cut to a readable length; may be empty
	Err    error  // what is wrong with it
}

// Error returns "file:line:column: what is wrong: text", without a file "line 3, column 2: …".
func (e *ParseError) Error() string {
	var s strings.Builder
	if e.File != "" {
		s.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&s, ":%d", e.Line)
		}
		if e.Column > 0 {
			fmt.Fprintf(&s, ":%d", e.Column)
		}
	} else {
		fmt.Fprintf(&s, "line %d", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&s, ", column %d", e.Column)
		}
	}
	fmt.Fprintf(&s, ": %v", e.Err)
	if e.Text != "" {
		fmt.Fprintf(&s, ": %q", e.Text)
	}
	return s.String()
}

// Unwrap returns Err.
func (e *ParseError) Unwrap() error { return e.Err }

// An OptionError is about input that an option would accept. It is the Err of a [ParseError], or
// what such an error wraps.
type OptionError struct {
	Option string // name of the option, as ZeroBased of package data
	Err    error  // what is wrong
	Value  string // value of the option that would accept the input; "" if the option does not need one
}

// Error returns what is wrong, and the name of the option.
func (e *OptionError) Error() string {
	if e.Value != "" {
		return fmt.Sprintf("%v (allowed by the option %s %q)", e.Err, e.Option, e.Value)
	}
	return fmt.Sprintf("%v (allowed by the option %s)", e.Err, e.Option)
}

// Unwrap returns Err.
func (e *OptionError) Unwrap() error { return e.Err }
