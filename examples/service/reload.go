package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/simdrank/simdrank/rank/serve"
)

// A servedModel is immutable. A request uses one for its rows and its scores.
type servedModel struct {
	ranker    *serve.Ranker
	columns   serve.Columns
	names     []string
	documents int       // maximum per request
	modified  time.Time // time of the file
}

// mostValues is the maximum number of features of all documents of a request. It limits the memory
// of a slot if the model has very many features.
const mostValues = 1 << 20

// load loads the model, or trains one if there is no file. Its errors name the file.
func (s *service) load() (m *servedModel, err error) {
	m = new(servedModel)
	if s.path == "" {
		m.modified = time.Now()
		m.ranker, err = train()
	} else if s.file, err = os.Stat(s.path); err == nil { // before reading, to notice later changes
		m.modified = s.file.ModTime()
		m.ranker, err = serve.Load(s.path)
	}
	if err != nil {
		return nil, err
	}
	m.columns = m.ranker.Columns()
	if _, err := m.columns.AppendRow(nil, nil); err != nil { // for example, features have no names
		return nil, fmt.Errorf("%s: %w", s.path, err)
	}
	m.columns.IgnoreUnknown = s.ignoreUnknown
	m.names = m.columns.Names()
	m.documents = min(s.maxDocuments, max(1, mostValues/max(1, len(m.names))))
	return m, nil
}

// accepts returns an error if the model lacks a feature of the old model. Requests that contain it
// would fail, so the file is probably a mistake. After a restart, the service accepts any model.
func (m *servedModel) accepts(old *servedModel) error {
	values := map[string]float32{}
	for _, name := range old.names {
		values[name] = 0
	}
	_, err := m.ranker.Columns().AppendRow(nil, values)
	return err
}

// watch loads the model again when its file changes, until the context ends.
func (s *service) watch(ctx context.Context) {
	for tick := time.Tick(s.interval); s.path != ""; {
		select {
		case <-ctx.Done():
			return
		case <-tick:
			if s.changed() {
				s.reload()
			}
		}
	}
}

// changed reports whether the file has changed since it was last read. A file that disappears and
// returns has changed twice.
func (s *service) changed() bool {
	info, err := os.Stat(s.path)
	if err != nil || s.file == nil {
		return (err == nil) != (s.file != nil)
	}
	return !os.SameFile(info, s.file) || info.Size() != s.file.Size() || !info.ModTime().Equal(s.file.ModTime())
}

// reload loads the model. If that fails, the service keeps the old model until the file changes
// again.
func (s *service) reload() {
	m, err := s.load()
	if err == nil {
		if err = m.accepts(s.model.Load()); err != nil {
			err = fmt.Errorf("%s: the new model requires other features than the old model: %w", s.path, err)
		}
	}
	if err != nil {
		s.metrics.count(func() { s.metrics.failed++ })
		log.Printf("keeping the old model: %v", err)
		return
	}
	s.model.Store(m)
	s.metrics.count(func() { s.metrics.reloaded++ })
	log.Printf("%s: loaded a model of %d features", s.path, len(m.names))
}
