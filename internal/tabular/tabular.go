// Package tabular makes datasets out of tables with named columns, for readers of several formats.
package tabular

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A Config is the Options of package table, where its fields are described.
type Config struct {
	Label, Query, Weight, Position, Doc string

	Ignore      []string
	Features    []string
	DefaultRole func(role, column string)

	Unlabeled     bool
	NoQueries     bool
	GatherQueries bool
	Groups        []int

	Delimiter, Decimal byte
	Missing            []string

	MemoryLimit int64
	Threads     int
}

// A Role is what a column holds.
type Role uint8

const (
	Feature Role = iota
	Label
	Query
	Weight
	Position
	Doc
	roles

	Ignored = roles // of [Config].Ignore, or of an index
)

// Columns says what the columns of a table are.
type Columns struct {
	Names    []string // as the table has them, and "Unnamed: 0" for a first column without a name
	Roles    []Role
	Features []string // names of the features
	has      [roles]bool
	byName   [roles]bool // whether only the usual name of the column says so
}

// Classify finds the role of each column by its name. Columns that belong to the index of a data
// frame are ignored unless they have a role; index is nil if there are none.
func Classify(names []string, index map[string]bool, c Config) (*Columns, error) {
	columns := &Columns{Names: slices.Clone(names), Roles: make([]Role, len(names))}
	wanted := [roles]string{Label: c.Label, Query: c.Query, Weight: c.Weight, Position: c.Position, Doc: c.Doc}
	var claimed [roles]string // columns that have the name of a role and are features of a model
	known, ignore := set(c.Features), set(c.Ignore)
	seen := make(map[string]bool, len(names))
	if err := text.CheckNames(names, "column", 1); err != nil {
		return nil, err
	}
	numbers, whole := 0, 0
	for i, name := range names {
		if name == "" { // as pandas reads it
			name = fmt.Sprintf("Unnamed: %d", i)
			columns.Names[i] = name
		}
		if strings.IndexByte(name, 0) >= 0 {
			return nil, errors.New("the names of the columns hold zero bytes; text must be UTF-8, not UTF-16")
		}
		if _, err := text.ParseNumber(name, 64); err == nil {
			numbers++
			if _, err := strconv.Atoi(name); err == nil {
				whole++
			}
		}
		if seen[name] && !ignore[name] {
			return nil, fmt.Errorf("two columns are named %q", text.Excerpt(name))
		}
		seen[name] = true
		if ignore[name] {
			columns.Roles[i] = Ignored
			continue
		}
		for role := Label; role < roles; role++ {
			want, usual := wanted[role], roleNames[role]
			byName := want == "" && strings.EqualFold(name, usual) && !slices.Contains(wanted[:], name)
			switch {
			case byName && known[name]:
				claimed[role] = name
				continue
			case !byName && (name != want || want == None):
				continue
			case columns.has[role]:
				err := fmt.Errorf("two columns are the %s", usual)
				return nil, &rank.OptionError{Option: roleOptions[role], Err: err}
			case columns.Roles[i] != Feature:
				return nil, fmt.Errorf("column %q is the %s and the %s", name, roleNames[columns.Roles[i]], usual)
			}
			columns.Roles[i], columns.has[role], columns.byName[role] = role, true, byName
		}
		if columns.Roles[i] == Feature && index[name] && !known[name] {
			columns.Roles[i] = Ignored
		}
		if columns.Roles[i] != Feature {
			continue
		}
		if !known[name] && unnamed(name) {
			err := fmt.Errorf("column %d has no name, like the row numbers that pandas and R write", i+1)
			if names[i] != "" {
				err = fmt.Errorf("column %d is named %q, like the row numbers that pandas writes and reads again", i+1, name)
			}
			return nil, &rank.OptionError{Option: "Ignore", Value: name, Err: err}
		}
		columns.Features = append(columns.Features, name)
	}
	if numbers == len(names) && whole < numbers {
		return nil, errors.New("the first line holds numbers; it must name the columns")
	}
	if len(names) == 1 && columns.Features != nil && !known[names[0]] {
		if d := c.OtherDelimiter(names[0], Delimiters); d != 0 {
			return nil, &rank.OptionError{Option: "Delimiter", Value: string(d),
				Err: fmt.Errorf("the only column is %q", text.Excerpt(names[0]))}
		}
	}
	for role := Label; role < roles; role++ {
		if want := wanted[role]; want != "" && want != None && !columns.has[role] {
			if ignore[want] {
				return nil, fmt.Errorf("column %q is the %s, and is to be ignored, too", want, roleNames[role])
			}
			return nil, fmt.Errorf("no column is named %q", want)
		}
	}
	for _, name := range c.Ignore {
		if !seen[name] {
			return nil, fmt.Errorf("no column is named %q", name)
		}
	}
	required := [roles]bool{Label: !c.Unlabeled, Query: !c.NoQueries && c.Groups == nil}
	for _, role := range []Role{Label, Query} {
		if !required[role] || columns.has[role] {
			continue
		}
		err := fmt.Errorf("no column is named %s", roleNames[role])
		if claimed[role] != "" {
			err = fmt.Errorf("column %s is a feature of the model, and no other is the %s", claimed[role], roleNames[role])
		}
		candidates := Delimiters
		if len(names) == 1 {
			candidates += " "
		}
		if d := c.OtherDelimiter(strings.Join(names, ""), candidates); d != 0 {
			return nil, &rank.OptionError{Option: "Delimiter", Value: string(d), Err: err}
		}
		return nil, &rank.OptionError{Option: roleOptions[role], Err: err}
	}
	switch {
	case columns.has[Query] && !c.NoQueries && c.Groups != nil:
		return nil, errors.New("a column is named qid although group sizes are given")
	case len(columns.Features) == 0:
		return nil, errors.New("all columns have a role; none is a feature")
	}
	if c.DefaultRole != nil {
		for i, role := range columns.Roles {
			if role != Feature && role != Ignored && columns.byName[role] {
				c.DefaultRole(roleNames[role], names[i])
			}
		}
	}
	return columns, nil
}

// None is the name of a role's column in a table without one.
const None = "-"

var (
	roleNames   = [roles]string{Label: "label", Query: "qid", Weight: "weight", Position: "position", Doc: "doc"}
	roleOptions = [roles]string{Label: "Label", Query: "Query", Weight: "Weight", Position: "Position", Doc: "Doc"}
)

// unnamed reports whether a name is one that pandas gives to a column without a name: "Unnamed: 0",
// or "Unnamed: 0.1" for the second one of a table that was read and written twice.
func unnamed(name string) bool {
	number, found := strings.CutPrefix(name, "Unnamed: ")
	return found && number != "" && strings.Trim(number, "0123456789.") == ""
}

// set returns the set of names.
func set(names []string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}

// IsDelimiter reports whether a character can be the delimiter of a table.
func IsDelimiter(c byte) bool {
	return c < 0x7f && (c >= ' ' || c == '\t') && strings.IndexByte(`"+-.`, c) < 0 && c-'0' > 9 &&
		(c|0x20 < 'a' || c|0x20 > 'z')
}

// Delimiters are the usual ones.
const Delimiters = ";\t|,"

// OtherDelimiter returns the candidate that is most frequent in a header, 0 if there is none. A
// table of another format does not have a delimiter.
func (c *Config) OtherDelimiter(header, candidates string) (delimiter byte) {
	most := 0
	for _, d := range []byte(candidates) {
		if n := strings.Count(header, string(d)); n > most && d != c.Delimiter && c.Delimiter != 0 {
			delimiter, most = d, n
		}
	}
	return delimiter
}

// ValueError returns err about a value of column i. If only the column's name says that its values
// are weights or positions, the error names the option that says otherwise.
func (c *Columns) ValueError(i int, err error) error {
	role := c.Roles[i]
	if (role == Weight || role == Position) && c.byName[role] && !errors.As(err, new(*rank.OptionError)) {
		return &rank.OptionError{Option: roleOptions[role], Value: None, Err: err}
	}
	return err
}

// Check returns an error when v is no value of a column of the role. NaN is a missing value.
func (c *Config) Check(role Role, v float64) error {
	switch {
	case (role == Feature || role == Label) && math.IsInf(v, 0):
		return errInfinite
	case role == Label && math.IsNaN(v) && !c.Unlabeled:
		return errMissing
	case role == Weight && !(v >= 0 && v <= math.MaxFloat64):
		return errWeight
	case role == Position && !(v >= 1 && v <= math.MaxInt32 && v == math.Trunc(v)):
		return errPosition
	}
	return nil
}

var (
	errInfinite = errors.New("the value is infinite")
	errMissing  = errors.New("the value is missing")
	errWeight   = errors.New("a weight is a finite number from 0")
	errPosition = errors.New("a position is a whole number from 1")
)

// ErrQuery is about a query identifier.
var ErrQuery = errors.New("the query identifier is empty")

// A Batch is some rows of a table in a row.
type Batch struct {
	X         []float32 // rows padded to rank.Stride
	Rows      int
	Labels    []float64 // as Weights, Positions and Docs, one per row where the table has the column
	Weights   []float64
	Positions []int32
	Docs      []string
	Runs      []Run

	Lines    []int32 // line of each row in the batch, from 1
	AllLines int
	Bytes    int // of text
}

// A Run is a number of rows of one query in a row.
type Run struct {
	ID   string
	Rows int
}

// AddRow adds a row of a query to the runs.
func (b *Batch) AddRow(id []byte) {
	b.Rows++
	if n := len(b.Runs); n > 0 && b.Runs[n-1].ID == string(id) {
		b.Runs[n-1].Rows++
		return
	}
	b.Runs = append(b.Runs, Run{string(id), 1})
}

// Reset empties b for other rows, and keeps its memory.
func (b *Batch) Reset() {
	*b = Batch{X: b.X[:0], Labels: b.Labels[:0], Weights: b.Weights[:0], Positions: b.Positions[:0],
		Docs: b.Docs[:0], Runs: b.Runs[:0], Lines: b.Lines[:0]}
}

// A Builder puts batches together.
type Builder struct {
	Lines int // of the text so far
	Bytes int
	Size  int64 // of the text; 0 when not known

	config  *Config
	columns *Columns
	data    *rank.Dataset
	rows    int
	runs    []Run
	known   map[string]int // line of the last row of each query
}

// NewBuilder returns a builder of a dataset that has been read from the named file.
func NewBuilder(columns *Columns, c *Config, file string) *Builder {
	b := &Builder{config: c, columns: columns, known: map[string]int{}}
	b.data = rank.NewDataset(0, len(columns.Features))
	b.data.Names = columns.Features
	b.data.Source.File = file
	return b
}

// Add adds the rows of a batch.
func (b *Builder) Add(batch *Batch) *rank.ParseError {
	d := b.data
	if batch.Rows > 0 {
		if err := b.addRuns(batch); err != nil {
			return err
		}
		if batch.X != nil {
			if err := b.reserve(b.rows+batch.Rows, b.Bytes+batch.Bytes); err != nil {
				return &rank.ParseError{Line: b.Lines + int(batch.Lines[0]), Err: err}
			}
			copy(d.X[b.rows*d.Stride:], batch.X[:batch.Rows*d.Stride])
		}
		if b.columns.has[Label] {
			d.Labels = append(d.Labels, batch.Labels...)
		} else {
			for range batch.Rows {
				d.Labels = append(d.Labels, math.NaN())
			}
		}
		d.Weights, d.Positions = append(d.Weights, batch.Weights...), append(d.Positions, batch.Positions...)
		d.DocIDs = append(d.DocIDs, batch.Docs...)
		for i, line := range batch.Lines {
			row, line := b.rows+i, b.Lines+int(line)
			if n := len(d.Source.Runs); n == 0 || line-row != d.Source.Runs[n-1].Line-d.Source.Runs[n-1].Row {
				d.Source.Runs = append(d.Source.Runs, rank.LineRun{Row: row, Line: line})
			}
		}
		b.rows += batch.Rows
	}
	b.Lines += batch.AllLines
	b.Bytes += batch.Bytes
	return nil
}

// addRuns enters the queries of a batch.
func (b *Builder) addRuns(batch *Batch) *rank.ParseError {
	if b.config.NoQueries || b.config.Groups != nil {
		return nil
	}
	row := 0
	for _, run := range batch.Runs {
		if n := len(b.runs); n > 0 && b.runs[n-1].ID == run.ID {
			b.runs[n-1].Rows += run.Rows
		} else {
			if last, again := b.known[run.ID]; again && !b.config.GatherQueries {
				err := &rank.OptionError{Option: "GatherQueries",
					Err: fmt.Errorf("query begins again, its earlier rows ended at line %d", last)}
				return &rank.ParseError{Line: b.Lines + int(batch.Lines[row]), Text: text.Excerpt(run.ID), Err: err}
			}
			b.runs = append(b.runs, run)
		}
		row += run.Rows
		b.known[run.ID] = b.Lines + int(batch.Lines[row-1])
	}
	return nil
}

// SetSparse sets the features of all rows.
func (b *Builder) SetSparse(c *rank.CSR) { b.data.X, b.data.Stride, b.data.Sparse = nil, 0, c }

// Reserve makes a matrix of so many rows, for the caller to fill, and returns it.
func (b *Builder) Reserve(rows int) []float32 {
	b.data.X = memory.Make[float32](rows * b.data.Stride)
	return b.data.X
}

// reserve makes room for so many rows: for all there should be, so that the matrix is seldom
// copied.
func (b *Builder) reserve(rows, bytes int) error {
	d := b.data
	if rows*d.Stride <= len(d.X) {
		return nil
	}
	limit := cmp.Or(b.config.MemoryLimit, math.MaxInt)
	if err := CheckMemory("the data so far", 4*int64(rows)*int64(d.Stride), limit); err != nil {
		return err
	}
	room := 2 * rows
	switch {
	case b.Size > int64(bytes):
		room = max(rows+rows/2, int(min(1.02*float64(rows)*float64(b.Size)/float64(bytes), float64(b.Size))))
	case b.Size > 0:
		room = rows
	}
	room = max(rows, min(room, math.MaxInt/8/d.Stride, int(limit/4)/d.Stride))
	x := memory.Make[float32](room * d.Stride)
	copy(x, d.X[:b.rows*d.Stride])
	d.X = x
	d.Labels = slices.Grow(d.Labels, room-len(d.Labels))
	return nil
}

// CheckMemory returns an error if something needs more bytes than the limit.
func CheckMemory(what string, needed, limit int64) error {
	if needed <= limit {
		return nil
	}
	return &rank.OptionError{Option: "MemoryLimit",
		Err: fmt.Errorf("%s need %d bytes of memory, and the limit is %d", what, needed, limit)}
}

// Finish returns the dataset.
func (b *Builder) Finish() (*rank.Dataset, error) {
	d := b.data
	if b.rows == 0 {
		return nil, errors.New("no documents")
	}
	d.X = slices.Clip(d.X[:b.rows*d.Stride])
	switch groups := b.config.Groups; {
	case b.config.NoQueries:
		b.runs = []Run{{"1", b.rows}}
	case groups != nil:
		b.runs = b.runs[:0]
		sum := 0
		for q, n := range groups {
			if n < 1 {
				return nil, fmt.Errorf("group size %d of query %d is not positive", n, q+1)
			}
			b.runs = append(b.runs, Run{strconv.Itoa(q + 1), n})
			sum += n
		}
		if sum != b.rows {
			return nil, fmt.Errorf("%d documents, but the group sizes add up to %d", b.rows, sum)
		}
	}
	for _, run := range b.runs {
		d.QueryIDs = append(d.QueryIDs, run.ID)
		d.Offsets = append(d.Offsets, d.Offsets[len(d.Offsets)-1]+run.Rows)
	}
	if d.Sparse == nil && b.sparse() {
		d = d.ToSparse()
	}
	if len(b.runs) > len(b.known) && b.config.GatherQueries && !b.config.NoQueries && b.config.Groups == nil {
		return gather(d)
	}
	return d, nil
}

// sparse reports whether the features are to be sparse: all rows are in a matrix of Stride.
func (b *Builder) sparse() bool {
	d, values := b.data, 0
	for i := range b.rows {
		for _, v := range d.Row(i) {
			if v != 0 {
				values++
			}
		}
		if !rank.PrefersSparse(values, b.rows, d.Cols) {
			return false
		}
	}
	return true
}

// gather puts the runs of each query together, queries in the order of their first rows.
func gather(d *rank.Dataset) (*rank.Dataset, error) {
	runs := map[string][]int{}
	var ids []string
	for q, id := range d.QueryIDs {
		if runs[id] == nil {
			ids = append(ids, id)
		}
		runs[id] = append(runs[id], q)
	}
	var order []int
	for _, id := range ids {
		order = append(order, runs[id]...)
	}
	g, err := d.SubsetQueries(order)
	if err != nil {
		return nil, err
	}
	offsets, n := []int{0}, 0
	for _, id := range ids {
		n += len(runs[id])
		offsets = append(offsets, g.Offsets[n])
	}
	g.QueryIDs, g.Offsets = ids, offsets
	return g, nil
}
