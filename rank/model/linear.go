package model

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// linearVersion is the version of the JSON of linear models.
const linearVersion = 1

type linearJSON struct {
	Format    modelfile.Kind `json:"format"`
	Version   int            `json:"version"`
	Intercept float64        `json:"intercept"`
	Weights   []float64      `json:"weights"`

	FeatureNames []string          `json:"feature_names,omitempty"`
	Settings     map[string]string `json:"settings,omitempty"`
}

func writeLinear(w io.Writer, m *rank.Linear, format Format) error {
	if err := checkFinite(m); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	var b []byte
	switch format {
	case FormatJSON:
		weights := m.Weights
		if weights == nil {
			weights = []float64{} // nil would be null
		}
		if n := len(m.FeatureNames); n > 0 && n != len(weights) {
			return fmt.Errorf("model: %d names for %d features", n, len(weights))
		}
		if err := text.CheckNames(m.FeatureNames, "feature", 1); err != nil {
			return fmt.Errorf("model: %w", err)
		}
		var err error
		if b, err = json.Marshal(linearJSON{modelfile.LinearJSON, linearVersion, m.Intercept, weights, m.FeatureNames,
			m.Settings}); err != nil {
			return err
		}
		b = append(b, '\n')
	case FormatSVMLight:
		b = fmt.Appendf(b, "SVM-light Version V6.20\n0 # kernel type\n3 # kernel parameter -d\n1 # kernel parameter -g\n"+
			"1 # kernel parameter -s\n1 # kernel parameter -r\nempty# kernel parameter -u\n%d # highest feature index\n"+
			"0 # number of training documents\n2 # number of support vectors plus 1\n"+
			"%s # threshold b, each following line is a SV (starting with alpha*y)\n1", len(m.Weights),
			shortest(-m.Intercept))
		for j, v := range m.Weights {
			if v != 0 {
				b = fmt.Appendf(b, " %d:%s", j+1, shortest(v))
			}
		}
		b = append(b, " #\n"...)
	case FormatLiblinear:
		bias := -1
		if m.Intercept != 0 {
			bias = 1
		}
		b = fmt.Appendf(b, "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 -1\nnr_feature %d\nbias %d\nw\n",
			len(m.Weights), bias)
		for _, v := range m.Weights {
			b = append(b, shortest(v)+"\n"...)
		}
		if bias > 0 {
			b = append(b, shortest(m.Intercept)+"\n"...)
		}
	default:
		return fmt.Errorf("model: a linear model cannot be written as %v: want json, svmlight or liblinear", format)
	}
	_, err := w.Write(b)
	return err
}

// shortest formats v with as many digits as it takes to read the same bits back.
func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// checkFinite returns an error that names the first non-finite number of a model.
func checkFinite(m *rank.Linear) error {
	if !finite(m.Intercept) {
		return fmt.Errorf("the intercept is %v", m.Intercept)
	}
	for j, v := range m.Weights {
		if !finite(v) {
			return fmt.Errorf("weight of feature %d is %v", j+1, v)
		}
	}
	return nil
}

func readLinear(content []byte, kind modelfile.Kind) (m *rank.Linear, err error) {
	l := &lines{text.Lines{Rest: content}}
	switch kind {
	case modelfile.SVMLight:
		m, err = readSVMLight(l)
	case modelfile.Liblinear:
		m, err = readLiblinear(l)
	default:
		m, err = readJSON(content)
	}
	if err == nil {
		err = checkFinite(m) // sums and products of finite numbers may overflow
	}
	return m, err
}

func readJSON(content []byte) (*rank.Linear, error) {
	doc, err := modelfile.ParseJSON(content)
	if err != nil {
		return nil, err
	}
	// The version comes first, so that a later one is not called an unknown field.
	version, err := modelfile.Required(doc, "version",
		func(n modelfile.Node) (int64, error) { return n.Whole(0, math.MaxInt64) })
	if err != nil {
		return nil, err
	}
	if version != linearVersion {
		return nil, fmt.Errorf("version %d of %s; this release reads version %d", version, modelfile.LinearJSON,
			linearVersion)
	}
	if err := doc.Only("format", "version", "intercept", "weights", "feature_names", "settings"); err != nil {
		return nil, err
	}
	m := &rank.Linear{}
	m.Weights, err = modelfile.Required(doc, "weights",
		func(n modelfile.Node) ([]float64, error) { return modelfile.Elements(n, finiteNumber) })
	if err != nil {
		return nil, err
	}
	if m.FeatureNames, err = modelfile.Optional(doc, "feature_names", modelfile.Node.Texts); err != nil {
		return nil, err
	}
	if n := len(m.FeatureNames); m.FeatureNames != nil && n != len(m.Weights) {
		return nil, doc.Errorf("%d feature_names for %d features", n, len(m.Weights))
	}
	if m.Settings, err = modelfile.Optional(doc, "settings", modelfile.Node.TextsByName); err != nil {
		return nil, err
	}
	if n, err := doc.Get("intercept"); err == nil {
		if m.Intercept, err = n.Number(); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// finiteNumber parses a finite number.
func finiteNumber(n modelfile.Node, digits string) (float64, error) {
	v, err := text.ParseNumber(digits, 64)
	if err != nil || !finite(v) {
		return 0, n.Errorf("%q is not a finite number", text.Excerpt(digits))
	}
	return v, nil
}

// lines are those of a model text, for errors that name them.
type lines struct{ text.Lines }

func (l *lines) next() (string, error) {
	line, ok := l.Next()
	if !ok {
		return "", fmt.Errorf("the file ends at line %d, before the model does", l.Line)
	}
	return line, nil
}

func (l *lines) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %w", l.Line, fmt.Errorf(format, args...))
}

// number parses a finite number.
func (l *lines) number(s string) (float64, error) {
	v, err := text.ParseNumber(s, 64)
	if err != nil || !finite(v) {
		return 0, l.errorf("%.40q is not a finite number", s)
	}
	return v, nil
}

// count parses a whole number from 0 to modelfile.MaxFeatures.
func (l *lines) count(s, what string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > modelfile.MaxFeatures {
		return 0, l.errorf("%s %.40q is not a whole number from 0 to %d", what, s, modelfile.MaxFeatures)
	}
	return n, nil
}

// readSVMLight reads the model text of SVMlight (Joachims): the weights are the
// sum of the support vectors, each times the number that its line starts with.
func readSVMLight(l *lines) (*rank.Linear, error) {
	var features, vectors int
	var threshold float64
	for l.Line < 11 { // lines of a value, '#' and what it is
		line, err := l.next()
		if err != nil {
			return nil, err
		}
		value, _, _ := strings.Cut(line, "#")
		value = strings.TrimSpace(value)
		switch l.Line {
		case 2:
			if value != "0" {
				err = l.errorf("kernel type %.40q: only linear kernels (0) have weights", value)
			}
		case 8:
			features, err = l.count(value, "highest feature index")
		case 10:
			if vectors, err = strconv.Atoi(value); err != nil || vectors < 1 {
				err = l.errorf("number of support vectors plus 1 is %.40q", value)
			}
		case 11:
			threshold, err = l.number(value)
		}
		if err != nil {
			return nil, err
		}
	}
	m := &rank.Linear{Weights: make([]float64, features), Intercept: 0 - threshold}
	for range vectors - 1 {
		text, err := l.next()
		if err != nil {
			return nil, err
		}
		text, _, _ = strings.Cut(text, "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			return nil, l.errorf("no support vector")
		}
		alpha, err := l.number(fields[0])
		if err != nil {
			return nil, err
		}
		for _, f := range fields[1:] {
			index, value, ok := strings.Cut(f, ":")
			if !ok {
				return nil, l.errorf("%.40q is not index:value", f)
			}
			if index == "qid" || index == "sid" || index == "cost" {
				continue
			}
			j, err := l.count(index, "feature index")
			if err != nil {
				return nil, err
			}
			if j < 1 || j > features {
				return nil, l.errorf("feature index %d outside 1 to %d", j, features)
			}
			v, err := l.number(value)
			if err != nil {
				return nil, err
			}
			m.Weights[j-1] += float64(alpha * v)
		}
	}
	return m, nil
}

// readLiblinear reads the model text of liblinear (Fan et al. 2008) and of its
// ranking branch: two classes, so that there is one vector of weights.
func readLiblinear(l *lines) (*rank.Linear, error) {
	features, bias, sign := -1, -1.0, 1.0
	for done := false; !done; {
		text, err := l.next()
		if err != nil {
			return nil, err
		}
		key, value, _ := strings.Cut(text, " ")
		value = strings.TrimSpace(value)
		switch key {
		case "solver_type", "rho":
		case "nr_class":
			if value != "2" && value != "1" {
				return nil, l.errorf("nr_class %.40q: a ranker has one vector of weights, which 2 classes give", value)
			}
		case "label":
			// The weights speak for the first label.
			if f := strings.Fields(value); len(f) == 2 {
				a, err := l.number(f[0])
				if err != nil {
					return nil, err
				}
				b, err := l.number(f[1])
				if err != nil {
					return nil, err
				}
				if a < b {
					sign = -1
				}
			}
		case "nr_feature":
			if features, err = l.count(value, "nr_feature"); err != nil {
				return nil, err
			}
		case "bias":
			if bias, err = l.number(value); err != nil {
				return nil, err
			}
		case "w":
			done = true
		default:
			return nil, l.errorf("%.40q is no field of a liblinear model", key)
		}
	}
	if features < 0 {
		return nil, l.errorf("no nr_feature before the weights")
	}
	m := &rank.Linear{Weights: make([]float64, features)}
	weight := func() (float64, error) {
		text, err := l.next()
		if err != nil {
			return 0, err
		}
		v, err := l.number(text)
		return sign * v, err
	}
	var err error
	for j := range m.Weights {
		if m.Weights[j], err = weight(); err != nil {
			return nil, err
		}
	}
	if bias >= 0 {
		if m.Intercept, err = weight(); err != nil {
			return nil, err
		}
		m.Intercept *= bias
	}
	return m, nil
}
