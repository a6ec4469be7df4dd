package model

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// linearVersion is the version of the JSON format for linear models.
const linearVersion = 1

type linearJSON struct {
	Format    modelfile.Kind `json:"format"`
	Version   int            `json:"version"`
	Intercept float64        `json:"intercept"`
	Weights   []float64      `json:"weights"`

	FeatureNames []string          `json:"feature_names,omitempty"`
	Settings     map[string]string `json:"settings,omitempty"`
	Calibration  json.RawMessage   `json:"calibration,omitempty"`
}

func writeLinear(w io.Writer, m *rank.Linear, format string) error {
	if err := checkFinite(m); err != nil {
		return errs.Op("model", err)
	}
	var b []byte
	switch format {
	case "json":
		weights := m.Weights
		if weights == nil {
			weights = []float64{} // JSON would contain null for a nil slice
		}
		if n := len(m.FeatureNames); n > 0 && n != len(weights) {
			return errs.Errorf("model", "the number of names is %d; it must be %d, one per feature", n, len(weights))
		}
		if err := text.CheckNames(m.FeatureNames, "feature", 1); err != nil {
			return errs.Op("model", err)
		}
		var calibration []byte
		if m.Calibration != nil {
			if err := m.Calibration.Validate(); err != nil {
				return errs.Op("model", err)
			}
			calibration = modelfile.AppendCalibration(nil, m.Calibration)
		}
		var err error
		if b, err = json.Marshal(linearJSON{modelfile.LinearJSON, linearVersion, m.Intercept, weights, m.FeatureNames,
			m.Settings, calibration}); err != nil {
			return err
		}
		b = append(b, '\n')
	case "svmlight":
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
	case "liblinear":
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
	case "onnx":
		var err error
		if b, err = appendONNXLinear(m, nil); err != nil {
			return err
		}
	default:
		return errs.Errorf("model", "a linear model cannot be written as %v: the format must be json, svmlight, "+
			"liblinear or onnx", format)
	}
	_, err := w.Write(b)
	return err
}

// shortest formats v with the fewest digits that restore it exactly.
func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// checkFinite returns an error that names the first non-finite number of a model.
func checkFinite(m *rank.Linear) error {
	if !finite(m.Intercept) {
		return fmt.Errorf("the intercept is %v; it must be finite", m.Intercept)
	}
	for j, v := range m.Weights {
		if !finite(v) {
			return fmt.Errorf("the weight of feature %d is %v; it must be finite", j+1, v)
		}
	}
	return nil
}

func readLinear(content []byte, kind modelfile.Kind, budget *files.Budget) (m *rank.Linear, err error) {
	l := &lines{Lines: text.Lines{Rest: content}}
	switch kind {
	case modelfile.SVMLight:
		m, err = readSVMLight(l, budget)
	case modelfile.Liblinear:
		m, err = readLiblinear(l, budget)
	default:
		m, err = readJSON(content, budget)
	}
	if err == nil {
		err = checkFinite(m) // computed weights may have overflowed
	}
	return m, err
}

func readJSON(content []byte, budget *files.Budget) (*rank.Linear, error) {
	doc, err := modelfile.ParseJSON(content, budget)
	if err != nil {
		return nil, err
	}
	// Check the version first. Otherwise a later version would be reported as an unknown field.
	if version := doc.Get("version").Whole(0, math.MaxInt64); version != linearVersion {
		doc.Fail(fmt.Errorf("version %d of %s is not supported; this release reads version %d", version, modelfile.LinearJSON,
			linearVersion))
	}
	doc.Only("format", "version", "intercept", "weights", "feature_names", "settings", "calibration")
	m := &rank.Linear{}
	m.Weights = modelfile.Elements(doc.Get("weights"), func(digits []byte) (float64, error) {
		v, err := text.ParseNumber(digits, 64)
		if err != nil || !finite(v) {
			return 0, fmt.Errorf("%q is not a finite number", text.Excerpt(digits))
		}
		return v, nil
	})
	m.FeatureNames = doc.Optional("feature_names").Texts()
	if n := len(m.FeatureNames); m.FeatureNames != nil && n != len(m.Weights) {
		doc.Failf("the number of feature_names is %d; it must be %d, one per feature", n, len(m.Weights))
	}
	m.Settings = doc.Optional("settings").TextsByName()
	m.Calibration = modelfile.ReadCalibration(doc)
	if doc.HasKey("intercept") {
		m.Intercept = doc.Get("intercept").Number()
	}
	return m, doc.Err()
}

// lines provides the lines of a model text, and keeps the first error of reading them. The error
// names the line.
type lines struct {
	text.Lines
	err error
}

// next returns the next line. It fails at the end of the file.
func (l *lines) next() string {
	line, ok := l.Next()
	if !ok && l.err == nil {
		l.err = fmt.Errorf("the file ends at line %d, within the model: it may be truncated", l.Line)
	}
	return line
}

// failf records an error about the current line, unless an earlier error was recorded.
func (l *lines) failf(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("line %d: %w", l.Line, fmt.Errorf(format, args...))
	}
}

// number parses a number, which must be finite.
func (l *lines) number(s string) float64 {
	v, err := text.ParseNumber(s, 64)
	if err != nil || !finite(v) {
		l.failf("%.40q is not a finite number", s)
	}
	return v
}

// count parses a whole number from 0 to modelfile.MaxFeatures.
func (l *lines) count(s, what string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > modelfile.MaxFeatures {
		l.failf("%s is %.40q; it must be a whole number from 0 to %d", what, s, modelfile.MaxFeatures)
		return 0
	}
	return n
}

// readSVMLight reads a model in the text format of SVMlight (Joachims). The weight vector is the
// sum of the support vectors, each multiplied by the number at the start of its line.
func readSVMLight(l *lines, budget *files.Budget) (*rank.Linear, error) {
	var features, vectors int
	var threshold float64
	for l.Line < 11 && l.err == nil { // each of the first 11 lines consists of a value, # and a description
		value, _, _ := strings.Cut(l.next(), "#")
		value = strings.TrimSpace(value)
		switch l.Line {
		case 2:
			if value != "0" {
				l.failf("the kernel type is %.40q; it must be 0, because only linear kernels have weights", value)
			}
		case 8:
			features = l.count(value, "the highest feature index")
		case 10:
			var err error
			if vectors, err = strconv.Atoi(value); err != nil || vectors < 1 {
				l.failf("the number of support vectors plus 1 is %.40q; it must be a positive whole number", value)
			}
		case 11:
			threshold = l.number(value)
		}
	}
	if err := budget.Hold("the weights", 8*int64(features)); err != nil {
		return nil, err
	}
	m := &rank.Linear{Weights: make([]float64, features), Intercept: 0 - threshold}
	for i := 1; i < vectors && l.err == nil; i++ {
		line, _, _ := strings.Cut(l.next(), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			l.failf("the support vector is missing")
			break
		}
		alpha := l.number(fields[0])
		for _, f := range fields[1:] {
			index, value, ok := strings.Cut(f, ":")
			if !ok {
				l.failf("%.40q must have the form INDEX:VALUE", f)
			}
			if index == "qid" || index == "sid" || index == "cost" {
				continue
			}
			j := l.count(index, "the feature index")
			if j < 1 || j > features {
				l.failf("the feature index is %d; it must be from 1 to %d", j, features)
				break
			}
			m.Weights[j-1] += float64(alpha * l.number(value))
		}
	}
	return m, l.err
}

// readLiblinear reads a model in the text format of liblinear (Fan et al. 2008) and of its ranking
// version. The model must have at most two classes, which share one weight vector.
func readLiblinear(l *lines, budget *files.Budget) (*rank.Linear, error) {
	features, bias, sign := -1, -1.0, 1.0
	for done := false; !done && l.err == nil; {
		key, value, _ := strings.Cut(l.next(), " ")
		value = strings.TrimSpace(value)
		switch key {
		case "solver_type", "rho":
		case "nr_class":
			if value != "2" && value != "1" {
				l.failf("nr_class is %.40q; it must be 2, because a ranker has one weight vector", value)
			}
		case "label":
			// A positive score means the first label.
			if f := strings.Fields(value); len(f) == 2 && l.number(f[0]) < l.number(f[1]) {
				sign = -1
			}
		case "nr_feature":
			features = l.count(value, "nr_feature")
		case "bias":
			bias = l.number(value)
		case "w":
			done = true
		default:
			l.failf("%.40q is not a field of a liblinear model", key)
		}
	}
	if features < 0 {
		l.failf("nr_feature is missing before the weights")
	}
	m := &rank.Linear{}
	for range features { // allocate one by one, because the file may contain fewer weights than it claims
		if err := budget.Hold("the weights", 8); err != nil {
			return nil, err
		}
		if m.Weights = append(m.Weights, sign*l.number(l.next())); l.err != nil {
			return nil, l.err
		}
	}
	if m.Weights == nil {
		m.Weights = []float64{}
	}
	if bias >= 0 {
		m.Intercept = sign * l.number(l.next()) * bias
	}
	return m, l.err
}
