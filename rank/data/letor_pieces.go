package data

import (
	"bytes"
	"fmt"
	"io"
	"iter"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// pieceSize is about how much text a piece holds.
const pieceSize = 16 << 20

// before is what a text holds before a piece of it.
type before struct {
	lines, rows, queries int
	known                map[string]int // queries: minus the line of their last rows
	last                 bool           // nothing comes after the piece
}

func (o *reader) pieces(r io.Reader, file string, size int) iter.Seq2[*rank.Dataset, error] {
	return func(yield func(*rank.Dataset, error) bool) {
		if o.GatherQueries {
			yield(o.read(r, file))
			return
		}
		whole := &countingReader{r: r}
		content, err := files.Uncompressed(whole)
		if err != nil {
			yield(nil, &rank.ParseError{File: file, Line: 1, Err: fmt.Errorf("cannot read on: %w", err)})
			return
		}
		c := &cutter{lines: o.splitter(content, 0), opts: o, groups: o.Groups, size: size}
		at := &before{known: map[string]int{}}
		for {
			piece, groups, last := c.next()
			at.last = last
			part := *o
			part.before, part.progress = at, nil
			if o.Groups != nil {
				part.Groups = groups
			}
			d, err := part.read(piece, file)
			if err != nil {
				yield(nil, err)
				return
			}
			if o.progress.Reach(whole.n); last {
				o.progress.Finish()
			}
			if d.Rows() > 0 && !yield(d, nil) || last {
				return
			}
			at.lines += bytes.Count(c.cut, []byte{'\n'})
			at.rows += d.Rows()
			at.queries += d.Queries()
			if o.namesQueries() {
				for q, id := range d.QueryIDs {
					at.known[id] = -d.Line(d.Offsets[q+1] - 1)
				}
			}
		}
	}
}

// A cutter cuts text into pieces of whole queries.
type cutter struct {
	lines  text.Splitter
	opts   *reader
	groups []int // sizes of the queries to come
	size   int   // about that of a piece
	buf    []byte
	cut    []byte // the piece, at the start of buf
}

// next returns the next piece and the sizes of its queries. The last piece also has what stopped
// the text: its end, an error, or a line that is too long.
func (c *cutter) next() (piece io.Reader, groups []int, last bool) {
	n := copy(c.buf, c.buf[len(c.cut):])
	c.buf = c.buf[:cap(c.buf)]
	for size := c.size; ; size = 2 * len(c.buf) {
		if size > len(c.buf) {
			larger := make([]byte, size)
			copy(larger, c.buf[:n])
			c.buf = larger
		}
		n = c.lines.Fill(c.buf, n)
		end := bytes.LastIndexByte(c.buf[:n], '\n') + 1
		if c.lines.Err() != nil || n-end > c.opts.MaxLineLength {
			return io.MultiReader(bytes.NewReader(c.buf[:n]), c), c.groups, true
		}
		switch {
		case c.opts.Groups != nil:
			end = c.sizedQueries(c.buf[:end], &groups)
		case !c.opts.NoQueries:
			end = c.namedQueries(c.buf[:end])
		}
		if end > 0 {
			c.cut, c.buf = c.buf[:end], c.buf[:n]
			return bytes.NewReader(c.cut), groups, false
		}
	}
}

// Read makes what is left of the text a reader.
func (c *cutter) Read(p []byte) (int, error) {
	if err := c.lines.Err(); err != nil {
		return 0, err
	}
	return c.lines.R.Read(p)
}

// namedQueries returns where the last query of the text begins, which may go on behind it.
func (c *cutter) namedQueries(text []byte) int {
	var last []byte // id of the last query
	found := false
	for end := len(text); end > 0; {
		start := bytes.LastIndexByte(text[:end-1], '\n') + 1
		qid, row := c.row(text[start:end])
		if row && found && !bytes.Equal(qid, last) {
			return end
		}
		if row && !found {
			last, found = qid, true
		}
		end = start
	}
	return 0
}

// sizedQueries returns where the last whole query of the text ends, and takes the sizes of those up
// to it.
func (c *cutter) sizedQueries(text []byte, groups *[]int) (end int) {
	rows, whole := 0, 0
	for at := 0; at < len(text); {
		if bad := whole < len(c.groups) && c.groups[whole] < 1; bad || len(c.groups) == 0 {
			end = len(text) // an error, which more text does not change
			if bad {
				whole++
			}
			break
		}
		if whole == len(c.groups) {
			break
		}
		next := at + bytes.IndexByte(text[at:], '\n') + 1
		if _, row := c.row(text[at:next]); row {
			if rows++; rows == c.groups[whole] {
				rows, end, whole = 0, next, whole+1
			}
		}
		at = next
	}
	*groups, c.groups = c.groups[:whole], c.groups[whole:]
	return end
}

// row reports whether a line, which ends with a newline, holds a row, and returns the id of its
// query, empty where there is none.
func (c *cutter) row(line []byte) (qid []byte, row bool) {
	i := skipBlanks(line, 0)
	if atLineEnd(line, i) || line[i] == '#' {
		return nil, false
	}
	if end := tokenEnd(line, i); !c.opts.Unlabeled || bytes.IndexByte(line[i:end], ':') < 0 {
		i = skipBlanks(line, end)
	}
	rest, named := bytes.CutPrefix(line[i:], []byte("qid:"))
	if !named {
		return nil, true
	}
	return rest[:tokenEnd(rest, 0)], true
}
