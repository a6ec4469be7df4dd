package rank

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/enum"
	"github.com/simdrank/simdrank/internal/files"
)

// A Format is a form in which a [Linear] is written. [ReadLinear] recognizes
// all of them.
type Format int

const (
	// FormatJSON is the form of this package, an object with the fields
	//
	//	format     "simdrank-linear"
	//	version    1
	//	intercept  a number
	//	weights    an array of numbers, the weight of feature 1 first
	//
	// Numbers are written with as many digits as it takes to read the same bits back.
	FormatJSON Format = iota

	// FormatSVMLight is the model text of SVMlight and SVMrank with a linear
	// kernel: one support vector that holds the weights. The threshold is −Intercept.
	FormatSVMLight

	// FormatLiblinear is the model text of liblinear and liblinear-ranksvm. An
	// intercept is written as the weight of a bias feature of value 1.
	FormatLiblinear
)

var formatNames = []string{FormatJSON: "json", FormatSVMLight: "svmlight", FormatLiblinear: "liblinear"}

// String returns the name that [ParseFormat] reads.
func (f Format) String() string { return enum.Name("Format", formatNames, f) }

// ParseFormat returns the format of a name: json, svmlight or liblinear.
func ParseFormat(name string) (Format, error) {
	return enum.Parse[Format]("rank: format", formatNames, name)
}

// The JSON form's names.
const (
	linearFormat  = "simdrank-linear"
	linearVersion = 1
)

type linearJSON struct {
	Format    string    `json:"format"`
	Version   int       `json:"version"`
	Intercept float64   `json:"intercept"`
	Weights   []float64 `json:"weights"`
}

// maxModelFeatures bounds the feature index that a model file may name, so that a
// damaged file cannot ask for all memory.
const maxModelFeatures = 1 << 24

// Save writes the model to a file as [FormatJSON]. The file appears whole or not at
// all: it is written beside path and renamed.
func (m *Linear) Save(path string) error {
	if err := files.Save(path, func(w io.Writer) error { return m.Write(w, FormatJSON) }); err != nil {
		return fmt.Errorf("rank: saving model %s: %w", path, err)
	}
	return nil
}

// LoadLinear reads a model file in any [Format], gzipped or not.
func LoadLinear(path string) (*Linear, error) {
	m, err := files.Load(path, ReadLinear)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Write writes the model in the given form. A weight that is not finite is an error.
func (m *Linear) Write(w io.Writer, format Format) error {
	for j, v := range append([]float64{m.Intercept}, m.Weights...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			if j == 0 {
				return fmt.Errorf("rank: the intercept is %v", v)
			}
			return fmt.Errorf("rank: weight of feature %d is %v", j, v)
		}
	}
	var b bytes.Buffer
	switch format {
	case FormatJSON:
		weights := m.Weights
		if weights == nil {
			weights = []float64{}
		}
		text, err := json.Marshal(linearJSON{linearFormat, linearVersion, m.Intercept, weights})
		if err != nil {
			return err
		}
		b.Write(text)
		b.WriteByte('\n')
	case FormatSVMLight:
		fmt.Fprintf(&b, "SVM-light Version V6.20\n0 # kernel type\n3 # kernel parameter -d\n1 # kernel parameter -g\n"+
			"1 # kernel parameter -s\n1 # kernel parameter -r\nempty# kernel parameter -u\n%d # highest feature index\n"+
			"0 # number of training documents\n2 # number of support vectors plus 1\n"+
			"%s # threshold b, each following line is a SV (starting with alpha*y)\n1", len(m.Weights),
			shortest(-m.Intercept))
		for j, v := range m.Weights {
			if v != 0 {
				fmt.Fprintf(&b, " %d:%s", j+1, shortest(v))
			}
		}
		b.WriteString(" #\n")
	case FormatLiblinear:
		bias := -1
		if m.Intercept != 0 {
			bias = 1
		}
		fmt.Fprintf(&b, "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 -1\nnr_feature %d\nbias %d\nw\n",
			len(m.Weights), bias)
		for _, v := range m.Weights {
			b.WriteString(shortest(v) + "\n")
		}
		if bias > 0 {
			b.WriteString(shortest(m.Intercept) + "\n")
		}
	default:
		return fmt.Errorf("rank: unknown model format %d", format)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// shortest formats v with as many digits as it takes to read the same bits back.
func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// ReadLinear reads a model in any [Format], gzipped or not.
func ReadLinear(r io.Reader) (*Linear, error) {
	text, err := files.Uncompressed(r)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	br := bufio.NewReader(text)
	head, err := br.Peek(12)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("model: %w", err)
	}
	switch {
	case len(head) == 0:
		return nil, errors.New("model: the file is empty")
	case len(bytes.TrimLeft(head, " \t\r\n")) > 0 && bytes.TrimLeft(head, " \t\r\n")[0] == '{':
		return readJSON(br)
	case bytes.HasPrefix(head, []byte("SVM-light")):
		return readSVMLight(br)
	case bytes.HasPrefix(head, []byte("solver_type")):
		return readLiblinear(br)
	}
	return nil, fmt.Errorf("model: %q begins neither %s JSON nor the model text of SVMlight or liblinear", head,
		linearFormat)
}

func readJSON(r io.Reader) (*Linear, error) {
	dec := json.NewDecoder(r)
	// The name and version come first, so that a model of a later version is
	// called that and not an unknown field.
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the file ends within the JSON object")
		}
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			err = fmt.Errorf("no JSON at byte %d: %w", syntax.Offset, err)
		}
		return nil, fmt.Errorf("model: %w", err)
	}
	if rest, err := io.ReadAll(io.MultiReader(dec.Buffered(), r)); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	} else if rest = bytes.TrimSpace(rest); len(rest) > 0 {
		return nil, fmt.Errorf("model: %.20q after the JSON object", rest)
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if head.Format != linearFormat {
		return nil, fmt.Errorf("model: format %q, want %q", head.Format, linearFormat)
	}
	if head.Version != linearVersion {
		return nil, fmt.Errorf("model: version %d of %s; this release reads version %d", head.Version, linearFormat,
			linearVersion)
	}
	strict := json.NewDecoder(bytes.NewReader(raw))
	strict.DisallowUnknownFields()
	var body struct {
		Format    json.RawMessage   `json:"format"`
		Version   json.RawMessage   `json:"version"`
		Intercept json.RawMessage   `json:"intercept"`
		Weights   []json.RawMessage `json:"weights"`
	}
	if err := strict.Decode(&body); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if body.Weights == nil {
		return nil, errors.New("model: no weights")
	}
	m := &Linear{Weights: make([]float64, len(body.Weights))}
	// Not by encoding/json, which takes null for 0 and words its errors for Go programmers.
	var err error
	for j, text := range body.Weights {
		if m.Weights[j], err = strconv.ParseFloat(string(text), 64); err != nil {
			return nil, fmt.Errorf("model: weight of feature %d is %.40s, want a finite number", j+1, text)
		}
	}
	if body.Intercept != nil {
		if m.Intercept, err = strconv.ParseFloat(string(body.Intercept), 64); err != nil {
			return nil, fmt.Errorf("model: intercept is %.40s, want a finite number", body.Intercept)
		}
	}
	return m, nil
}

// A lineReader hands out the lines of a model text and counts them for errors.
type lineReader struct {
	s    *bufio.Scanner
	line int
}

func newLineReader(r io.Reader) *lineReader {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<30) // an SVMlight support vector is one line
	return &lineReader{s: s}
}

func (l *lineReader) next() (string, error) {
	if l.s.Scan() {
		l.line++
		return strings.TrimSpace(l.s.Text()), nil
	}
	if err := l.s.Err(); err != nil {
		return "", fmt.Errorf("model: line %d: %w", l.line+1, err)
	}
	return "", fmt.Errorf("model: the file ends at line %d, before the model does", l.line)
}

func (l *lineReader) errorf(format string, args ...any) error {
	return fmt.Errorf("model: line %d: %w", l.line, fmt.Errorf(format, args...))
}

// number parses a finite number.
func (l *lineReader) number(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, l.errorf("%.40q is not a finite number", s)
	}
	return v, nil
}

// count parses a whole number from 0 to maxModelFeatures.
func (l *lineReader) count(s, what string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxModelFeatures {
		return 0, l.errorf("%s %.40q is not a whole number from 0 to %d", what, s, maxModelFeatures)
	}
	return n, nil
}

// readSVMLight reads the model text of SVMlight (Joachims): the weights are the
// sum of the support vectors, each times the number that its line starts with.
func readSVMLight(r io.Reader) (*Linear, error) {
	l := newLineReader(r)
	var head [11]string // the values before the '#' of the header's lines
	for i := range head {
		text, err := l.next()
		if err != nil {
			return nil, err
		}
		head[i], _, _ = strings.Cut(text, "#")
		head[i] = strings.TrimSpace(head[i])
		if i == 1 && head[i] != "0" {
			return nil, l.errorf("kernel type %.40q: only linear kernels (0) have weights", head[i])
		}
	}
	l.line = 8
	features, err := l.count(head[7], "highest feature index")
	if err != nil {
		return nil, err
	}
	l.line = 10
	vectors, err := strconv.Atoi(head[9])
	if err != nil || vectors < 1 {
		return nil, l.errorf("number of support vectors plus 1 is %.40q", head[9])
	}
	l.line = 11
	threshold, err := l.number(head[10])
	if err != nil {
		return nil, err
	}
	m := &Linear{Weights: make([]float64, features), Intercept: 0 - threshold}
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
func readLiblinear(r io.Reader) (*Linear, error) {
	l := newLineReader(r)
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
	m := &Linear{Weights: make([]float64, features)}
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
