package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"unicode/utf8"
)

const (
	longestID     = 256 // bytes
	mostExplained = 100 // documents; explaining one takes as long as ranking many
)

// A request contains the settings of a request. Its documents are in a work.
type request struct{ k, explain int }

// parse reads a request. Unknown and repeated fields are errors, because ignoring a typo could
// change the ranking silently. It reads the documents one by one, so that it can stop at a limit.
func (m *servedModel) parse(w *work, body []byte) (q request, err error) {
	if !utf8.Valid(body) {
		return q, errors.New("the body is not UTF-8")
	}
	w.rows, w.ids, q.k = w.rows[:0], w.ids[:0], 10
	d := json.NewDecoder(bytes.NewReader(body))
	err = readObject(d, func(field string) error {
		switch field {
		case "k":
			return d.Decode(&q.k)
		case "explain":
			return d.Decode(&q.explain)
		case "documents":
			return readList(d, '[', func() error { return m.parseDocument(w, d) })
		}
		return fmt.Errorf("unknown field %.40q", field)
	})
	if err == nil {
		if _, end := d.Token(); end != io.EOF {
			err = errors.New("found data after the request")
		}
	}
	_, syntax := errors.AsType[*json.SyntaxError](err)
	if syntax || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("near byte %d: %w", d.InputOffset()+1, err)
	}
	switch {
	case err != nil:
		return q, err
	case q.k < 1 || q.explain > 0 && q.k > mostExplained:
		return q, fmt.Errorf("k is %d; it must be positive, and at most %d if explain is set", q.k, mostExplained)
	case q.explain < 0:
		return q, fmt.Errorf("explain is %d; it must not be negative", q.explain)
	}
	return q, nil
}

// parseDocument appends a document to the rows and IDs of w.
func (m *servedModel) parseDocument(w *work, d *json.Decoder) error {
	if len(w.ids) == m.documents {
		return statusError{http.StatusRequestEntityTooLarge, fmt.Sprintf("found more than %d documents", m.documents)}
	}
	var id string
	w.features = append(w.features[:0], "{}"...)
	err := readObject(d, func(field string) error {
		switch field {
		case "id":
			return d.Decode(&id)
		case "features":
			return d.Decode(&w.features)
		}
		return fmt.Errorf("unknown field %.40q", field)
	})
	if err == nil && (id == "" || len(id) > longestID) {
		err = fmt.Errorf("id is %d bytes long; its length must be 1 to %d", len(id), longestID)
	}
	if err == nil {
		w.rows, err = m.columns.AppendJSON(w.rows, w.features)
	}
	if err != nil {
		return fmt.Errorf("document %d (%.40q): %w", len(w.ids)+1, id, err)
	}
	w.ids = append(w.ids, id)
	return nil
}

// readObject calls value for each field of an object. value must read the value of the field.
func readObject(d *json.Decoder, value func(field string) error) error {
	var seen []string
	return readList(d, '{', func() error {
		token, err := d.Token()
		if err != nil {
			return err
		}
		field := token.(string) // otherwise Token returns an error
		if slices.Contains(seen, field) {
			return fmt.Errorf("found the field %q twice", field)
		}
		seen = append(seen, field)
		err = value(field)
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return fmt.Errorf("%s: found %.40s, expected %v", field, wrong.Value, wrong.Type)
		}
		return err
	})
}

// readList calls element for each element between open and the delimiter that closes it.
func readList(d *json.Decoder, open json.Delim, element func() error) error {
	token, err := d.Token()
	if err == nil && token != open {
		err = fmt.Errorf("expected %v near byte %d", open, d.InputOffset())
	}
	for err == nil && d.More() {
		err = element()
	}
	if err == nil {
		_, err = d.Token() // the end, or a syntax error
	}
	return err
}
