package rank

import (
	"fmt"
	"strings"
)

// A ParseError reports invalid input: its position in the file and the problem. Readers, for
// example in packages data and trec, return the first error of a file. Errors about data that was
// read from a file wrap a ParseError too.
type ParseError struct {
	File   string // path as given; empty if the source is an io.Reader
	Line   int    // counted from 1; 0 if the error is about the whole file
	Column int    // in bytes, counted from 1; 0 if the error is about the whole line or file
	Text   string // offending text, shortened to a readable length; may be empty
	Err    error  // the problem
}

// Error returns "file:line:column: message: text". Without a file it returns "line 3, column
// 2: …".
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

// An OptionError reports input that would be accepted if the named option were set. Use [errors.As]
// to find it in an error, which is often a [ParseError].
type OptionError struct {
	Option string // option name, such as ZeroBased of package data
	Err    error  // the problem
	Value  string // option value that would accept the input; "" if the option needs no value
}

// Error returns the message of Err and the name of the option.
func (e *OptionError) Error() string {
	if e.Value != "" {
		return fmt.Sprintf("%v (set the option %s to %q)", e.Err, e.Option, e.Value)
	}
	return fmt.Sprintf("%v (change the option %s)", e.Err, e.Option)
}

// Unwrap returns Err.
func (e *OptionError) Unwrap() error { return e.Err }
