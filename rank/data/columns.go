package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A columnRole specifies the content of a table column.
type columnRole uint8

const (
	roleFeature  columnRole = iota
	roleLabel               // relevance label
	roleQuery               // query ID
	roleWeight              // row weight
	rolePosition            // position at which the document was shown
	roleDoc                 // document ID
	roles

	roleIgnored = roles     // column in Options.Ignore, or index column of a data frame
	roleText    = roles + 1 // feature with text categories
)

// tableColumns describes the columns of a table.
type tableColumns struct {
	names    []string // names in the table; columns without a name get the names that pandas uses
	roles    []columnRole
	features []string // names of the feature columns
	has      [roles]bool
	byName   [roles]bool // whether the column has the role only because of its name, not because of an option
}

// classify determines the role of each column from its name. Columns in index, the index of a data
// frame, are ignored unless they have a role. index may be nil.
func classify(names []string, index map[string]bool, o *Options) (*tableColumns, error) {
	if err := text.CheckNames(names, "column", 1); err != nil {
		return nil, err
	}
	columns := &tableColumns{names: slices.Clone(names), roles: make([]columnRole, len(names))}
	for i, name := range names {
		if name == "" { // use the name that pandas uses for columns without a name
			columns.names[i] = fmt.Sprintf("Unnamed: %d", i)
		}
	}
	if o.Header != nil {
		if err := o.Header(slices.Clone(columns.names), o); err != nil {
			return nil, err
		}
	}
	wanted := [roles]string{roleLabel: o.Label, roleQuery: o.Query, roleWeight: o.Weight,
		rolePosition: o.Position, roleDoc: o.Doc}
	var claimed [roles]string // columns that have the name of a role but are features of a model
	known, ignore, texts := set(o.Features), set(o.Ignore), set(o.TextColumns)
	seen := make(map[string]bool, len(names))
	numbers, whole := 0, 0
	for i, name := range columns.names {
		if strings.IndexByte(name, 0) >= 0 {
			return nil, errors.New("column names contain zero bytes: text must be UTF-8, not UTF-16 " +
				"(re-encode the file, for example with iconv -f UTF-16LE -t UTF-8)")
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
			columns.roles[i] = roleIgnored
			continue
		}
		for role := roleLabel; role < roles; role++ {
			want, usual := wanted[role], roleNames[role]
			byName := want == "" && strings.EqualFold(name, usual) && !slices.Contains(wanted[:], name)
			switch {
			case byName && known[name]:
				claimed[role] = name
				continue
			case !byName && (name != want || want == none):
				continue
			case columns.has[role]:
				err := fmt.Errorf("two columns have the role %s", usual)
				return nil, &rank.OptionError{Option: roleOptions[role], Err: err}
			case columns.roles[i] != roleFeature:
				return nil, fmt.Errorf("column %q has two roles: %s and %s", name, roleNames[columns.roles[i]], usual)
			}
			columns.roles[i], columns.has[role], columns.byName[role] = role, true, byName
		}
		if columns.roles[i] == roleFeature && index[name] && !known[name] && !texts[name] {
			columns.roles[i] = roleIgnored
		}
		switch {
		case !texts[name]:
		case columns.roles[i] == roleFeature:
			columns.roles[i] = roleText
		default:
			return nil, fmt.Errorf("column %q has two roles: %s and text category", name, roleNames[columns.roles[i]])
		}
		if columns.roles[i] != roleFeature && columns.roles[i] != roleText {
			continue
		}
		if !known[name] && unnamed(name) {
			err := fmt.Errorf("column %d has no name, like the row numbers that pandas and R write", i+1)
			if names[i] != "" {
				err = fmt.Errorf("column %d is named %q, like the row numbers that pandas writes and reads again", i+1, name)
			}
			return nil, &rank.OptionError{Option: "Ignore", Value: name, Err: err}
		}
		columns.features = append(columns.features, name)
	}
	if numbers == len(names) && whole < numbers {
		return nil, errHeader
	}
	if len(names) == 1 && columns.features != nil && !known[names[0]] {
		if d := o.otherDelimiter(names[0], delimiters); d != 0 {
			return nil, &rank.OptionError{Option: "Delimiter", Value: string(d),
				Err: fmt.Errorf("the only column is %q", text.Excerpt(names[0]))}
		}
	}
	for role := roleLabel; role < roles; role++ {
		if want := wanted[role]; want != "" && want != none && !columns.has[role] {
			if ignore[want] {
				return nil, fmt.Errorf("column %q is the %s, so it cannot be ignored", want, roleNames[role])
			}
			return nil, fmt.Errorf("no column is named %q", want)
		}
	}
	for _, name := range o.Ignore {
		if !seen[name] {
			return nil, fmt.Errorf("no column is named %q", name)
		}
	}
	for _, name := range o.TextColumns {
		switch {
		case ignore[name] && !known[name]:
			return nil, fmt.Errorf("column %q contains text categories, so it cannot be ignored", name)
		case !seen[name] && !known[name]:
			return nil, fmt.Errorf("no column is named %q", name)
		}
	}
	required := [roles]bool{roleLabel: !o.Unlabeled, roleQuery: !o.NoQueries && o.Groups == nil}
	for _, role := range []columnRole{roleLabel, roleQuery} {
		if !required[role] || columns.has[role] {
			continue
		}
		if whole < numbers { // some cells, such as 0.5, are numbers instead of column names
			return nil, errHeader
		}
		err := fmt.Errorf("no column is named %s", roleNames[role])
		if claimed[role] != "" {
			err = fmt.Errorf("column %s is used as a feature, and no other column is the %s", claimed[role], roleNames[role])
		}
		candidates := delimiters
		if len(names) == 1 {
			candidates += " "
		}
		if d := o.otherDelimiter(strings.Join(names, ""), candidates); d != 0 {
			return nil, &rank.OptionError{Option: "Delimiter", Value: string(d), Err: err}
		}
		return nil, &rank.OptionError{Option: roleOptions[role], Err: err}
	}
	switch {
	case columns.has[roleQuery] && !o.NoQueries && o.Groups != nil:
		return nil, errors.New("a query column cannot be combined with group sizes")
	case len(columns.features) == 0:
		return nil, errors.New("all columns have a role; none is a feature")
	}
	if o.DefaultRole != nil {
		for i, role := range columns.roles {
			if role != roleFeature && role < roles && columns.byName[role] {
				o.DefaultRole(roleNames[role], names[i])
			}
		}
	}
	return columns, nil
}

var errHeader = errors.New("the first line contains numbers: it must name the columns")

// none is the value of a role's option if no column has the role.
const none = "-"

var (
	roleNames = [roles + 2]string{roleFeature: "feature", roleLabel: "label", roleQuery: "qid", roleWeight: "weight",
		rolePosition: "position", roleDoc: "doc", roleText: "text"} // "" for ignored columns
	roleOptions = [roles]string{roleLabel: "Label", roleQuery: "Query", roleWeight: "Weight",
		rolePosition: "Position", roleDoc: "Doc"}
)

// unnamed reports whether pandas uses the name for a column without a name. Such names are
// "Unnamed: 0" and, for the second such column of a table that was read and written twice,
// "Unnamed: 0.1".
func unnamed(name string) bool {
	number, found := strings.CutPrefix(name, "Unnamed: ")
	return found && number != "" && strings.Trim(number, "0123456789.") == ""
}

// set returns a set that contains the names.
func set(names []string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}

// delimiters are common delimiters of tables.
const delimiters = ";\t|,"

// otherDelimiter returns the candidate that occurs most often in a header, except for the current
// delimiter. It returns 0 if no candidate occurs, or if the table has no delimiter because it is
// not a CSV file.
func (o *Options) otherDelimiter(header, candidates string) (delimiter byte) {
	most := 0
	for _, d := range []byte(candidates) {
		if n := strings.Count(header, string(d)); n > most && d != o.Delimiter && o.Delimiter != 0 {
			delimiter, most = d, n
		}
	}
	return delimiter
}

// valueError returns err, which is about a value in column i. If the column contains weights or
// positions only because of its name, the error recommends the option that changes its role.
func (c *tableColumns) valueError(i int, err error) error {
	role := c.roles[i]
	if (role == roleWeight || role == rolePosition) && c.byName[role] && !errors.As(err, new(*rank.OptionError)) {
		return &rank.OptionError{Option: roleOptions[role], Value: none, Err: err}
	}
	return err
}

// check returns an error if v is not valid in a column with the given role. NaN represents a
// missing value.
func (o *Options) check(role columnRole, v float64) error {
	switch {
	case (role == roleFeature || role == roleLabel) && math.IsInf(v, 0):
		return errInfinite
	case role == roleLabel && math.IsNaN(v) && !o.Unlabeled:
		return errMissing
	case role == roleWeight && !(v >= 0 && v <= math.MaxFloat64):
		return errWeight
	case role == rolePosition && !(v >= 1 && v <= math.MaxInt32 && v == math.Trunc(v)):
		return errPosition
	}
	return nil
}

var (
	errInfinite = errors.New("the value must not be infinite")
	errMissing  = errors.New("the value is missing")
	errWeight   = errors.New("a weight must be finite and not negative")
	errPosition = errors.New("a position must be a positive whole number")
)

// errQuery means that a row has an empty query ID.
var errQuery = errors.New("the query ID is empty")
