package testkit

import (
	"bytes"
	"compress/gzip"
)

// Gzip returns a text compressed with gzip.
func Gzip(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text)) // no error: a buffer takes all
	z.Close()
	return b.String()
}
