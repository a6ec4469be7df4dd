package serve

import (
	"math"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
)

// Columns are the inputs of a model, in order. Values are matched to them by name. Names must be
// equal, except that LightGBM's spelling is also accepted, in which underscores replace spaces.
type Columns struct {
	// IgnoreUnknown ignores values whose names the model does not have. By default they are an
	// error.
	IgnoreUnknown bool

	names []string
	index map[string]int32 // column of each accepted spelling; column also accepts spaces in place of underscores
	again string           // a name that two features have; "" if there is none
	texts []categories     // text categories by column; nil for numbers
}

// categories are the numbers of the text categories of a feature.
type categories map[string]float32

// of returns the number of a text. An empty text is missing, and the number of an unknown text is
// larger than all others. The text is not kept.
func (c categories) of(text []byte) float32 {
	if v, known := c[string(text)]; known {
		return v
	}
	if len(text) == 0 {
		return missing
	}
	return float32(len(c))
}

// newColumns returns the columns of a model with these names and text categories.
func newColumns(names []string, lists [][]string) Columns {
	c := Columns{names: names, index: make(map[string]int32, len(names)), texts: make([]categories, len(names))}
	for j, list := range lists {
		if j == len(names) { // the model has no names
			break
		}
		if list != nil {
			c.texts[j] = make(categories, len(list))
		}
		for code, s := range list {
			c.texts[j][s] = float32(code)
		}
	}
	for j, name := range names {
		if _, again := c.index[name]; again {
			c.again = name
		}
		c.index[name] = int32(j)
	}
	// If two features have the same spelling with underscores, the spelling matches neither. The
	// spelling still matches a third feature with exactly this name.
	const both = -1
	spellings := map[string]int32{}
	for j, name := range names {
		spelling := strings.ReplaceAll(name, " ", "_")
		if _, again := spellings[spelling]; again {
			j = both
		}
		spellings[spelling] = int32(j)
	}
	for spelling, j := range spellings {
		if _, exact := c.index[spelling]; !exact && j != both {
			c.index[spelling] = j
		}
	}
	return c
}

// Names returns the names of the inputs, or nil if the model does not name them.
func (c Columns) Names() []string { return slices.Clone(c.names) }

// AppendRow appends the row of a document with the given values to dst. Features without a value
// are missing (NaN). If dst has sufficient capacity, AppendRow does not allocate.
//
// It returns dst unchanged and an error if the model has no feature names or repeats one, if a name
// is unknown (see IgnoreUnknown), or if values contains two spellings of a feature.
func (c Columns) AppendRow(dst []float32, values map[string]float32) ([]float32, error) {
	long, row, err := c.appendUnset(dst)
	if err != nil {
		return dst, err
	}
	for name, v := range values {
		j, known := c.column(name)
		switch {
		case known:
			if !set(row, j, v) {
				return dst, c.twice(j)
			}
		case !c.IgnoreUnknown:
			return dst, unknown(name)
		}
	}
	return long, nil
}

// Category returns the value of a feature with text categories, for [Columns.AppendRow]. An empty
// text is a missing value. A text that the model does not know gets a number that splits treat like
// other unseen categories. Category returns an error if the model has no such feature, or if the
// feature is numeric.
func (c Columns) Category(feature, category string) (float32, error) {
	j, known := c.column(feature)
	if !known {
		return 0, unknown(feature)
	}
	if c.texts[j] == nil {
		return 0, errs.Errorf("serve", "feature %q is a number and has no text categories", text.Excerpt(feature))
	}
	return c.texts[j].of([]byte(category)), nil
}

// unset marks features without a value. It is a NaN with other bits than missing, so that set
// detects a second value for a feature, even if the first value was missing.
var unset, missing = float32(math.NaN()), math.Float32frombits(math.Float32bits(float32(math.NaN())) + 1)

// appendUnset appends a row of unset features to dst. It returns the extended slice and the row.
func (c *Columns) appendUnset(dst []float32) (long, row []float32, err error) {
	if err := c.check(); err != nil {
		return nil, nil, err
	}
	long = slices.Grow(dst, len(c.names))[:len(dst)+len(c.names)]
	row = long[len(dst):]
	for j := range row {
		row[j] = unset
	}
	return long, row, nil
}

// check returns an error unless the names of the columns are known and unique.
func (c *Columns) check() error {
	if c.names == nil {
		return errs.New("serve", "the model has no feature names (use SetFeatureNames or convert --feature-names for tree "+
			"models, and the field FeatureNames for linear models)")
	}
	if c.again != "" {
		return errs.Errorf("serve", "two features of the model are named %q, so values cannot be matched by name",
			text.Excerpt(c.again))
	}
	return nil
}

// column returns the index of the column with the given name, and reports whether there is one.
func (c *Columns) column(name string) (int32, bool) {
	if j, known := c.index[name]; known || strings.IndexByte(name, ' ') < 0 {
		return j, known
	}
	var space [128]byte
	spelling := append(space[:0], name...)
	for i, b := range spelling {
		if b == ' ' {
			spelling[i] = '_'
		}
	}
	j, known := c.index[string(spelling)]
	return j, known
}

// set sets a feature of a row. It returns false if the feature already has a value.
func set(row []float32, j int32, v float32) bool {
	if math.Float32bits(row[j]) != math.Float32bits(unset) {
		return false
	}
	if row[j] = v; v != v {
		row[j] = missing
	}
	return true
}

func (c *Columns) twice(j int32) error {
	return errs.Errorf("serve", "found two values for the feature %q", text.Excerpt(c.names[j]))
}

func unknown(name string) error {
	return errs.Errorf("serve", "the model has no feature named %q (set IgnoreUnknown to ignore it)", text.Excerpt(name))
}
