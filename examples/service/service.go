package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// A service answers requests with the current model.
type service struct {
	options
	path     string      // of the model; empty if the model is trained
	file     os.FileInfo // before it was last read; nil if it did not exist
	model    atomic.Pointer[servedModel]
	slots    chan *work   // buffers that no request uses
	waiting  atomic.Int64 // requests
	reserved atomic.Int64 // bytes
	stopping atomic.Bool
	metrics  metrics
}

func newService(path string, o options) (*service, error) {
	s := &service{options: o, path: path, slots: make(chan *work, o.slots)}
	for range o.slots {
		s.slots <- new(work)
	}
	m, err := s.load()
	s.model.Store(m)
	return s, err
}

func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /rank", s.handleRank)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if s.stopping.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		s.metrics.write(w, s.model.Load())
	})
	return mux
}

// A statusError is an error whose status is not 400.
type statusError struct {
	status int
	text   string
}

func (e statusError) Error() string { return e.text }

// buffers contains buffers for requests. It keeps no large ones, because a few large requests would
// then occupy memory for a long time.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const largestPooled = 512 << 10 // bytes

func (s *service) handleRank(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	status, documents := http.StatusInternalServerError, 0 // if the handler panics
	s.metrics.count(func() { s.metrics.running++ })
	defer func() { s.metrics.end(status, documents, time.Since(start)) }()
	buffer := buffers.Get().(*bytes.Buffer)
	defer func() {
		if buffer.Cap() <= largestPooled {
			buffers.Put(buffer)
		}
	}()
	buffer.Reset()
	documents, err := s.answer(w, r, buffer)
	if status = http.StatusOK; err != nil {
		status = http.StatusBadRequest
		if e, ok := errors.AsType[statusError](err); ok {
			status = e.status
		}
		if status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "1")
		}
		buffer.Reset()
		json.NewEncoder(buffer).Encode(map[string]string{"error": err.Error()})
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(buffer.Bytes()) // fails only if the client is gone
}

// answer reads a request into the buffer and replaces it with the response. It returns the number
// of documents. A request occupies a slot only after its body has arrived, so slow clients do not
// delay others.
func (s *service) answer(w http.ResponseWriter, r *http.Request, buffer *bytes.Buffer) (int, error) {
	tooLarge := statusError{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body exceeds %d bytes", s.maxBody)}
	size := r.ContentLength
	if size < 0 { // unknown
		size = s.maxBody
	}
	if size > s.maxBody {
		return 0, tooLarge
	}
	defer s.reserved.Add(-size)
	if s.reserved.Add(size) > s.maxMemory {
		return 0, statusError{http.StatusServiceUnavailable, "the memory for request bodies is full"}
	}
	buffer.Grow(int(size) + bytes.MinRead) // so that ReadFrom does not double the buffer
	_, err := buffer.ReadFrom(http.MaxBytesReader(w, r.Body, s.maxBody))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return 0, tooLarge
	} else if errors.Is(err, os.ErrDeadlineExceeded) {
		return 0, statusError{http.StatusRequestTimeout, "the body did not arrive in time"}
	} else if err != nil {
		return 0, errors.New("the body is incomplete")
	}
	work, err := s.enter(r.Context())
	if err != nil {
		return 0, err
	}
	defer func() { s.slots <- work }()
	m := s.model.Load()
	documents, err := m.rank(work, buffer)
	if err != nil {
		return 0, err
	}
	unseen, _, _ := m.ranker.UnseenMissing(work.rows)
	s.metrics.count(func() { s.metrics.unseen += unseen })
	return documents, nil
}

// enter waits for a slot.
func (s *service) enter(ctx context.Context) (*work, error) {
	defer s.waiting.Add(-1)
	if s.waiting.Add(1) > int64(s.queue) && len(s.slots) == 0 {
		return nil, statusError{http.StatusServiceUnavailable,
			fmt.Sprintf("the queue is full: its limit is %d", s.queue)}
	}
	ctx, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	select {
	case work := <-s.slots:
		return work, nil
	case <-ctx.Done():
		return nil, statusError{http.StatusServiceUnavailable, fmt.Sprintf("no slot became free within %v", s.wait)}
	}
}
