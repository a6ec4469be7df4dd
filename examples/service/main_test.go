package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// trained returns a model that is trained once.
var trained = sync.OnceValues(train)

// randomRequest returns a request with random documents.
func randomRequest(rng *rand.Rand, documents, features int) *request {
	req := &request{K: 10}
	for i := range documents {
		d := document{ID: fmt.Sprint("doc-", i), Features: make([]float32, features)}
		for j := range d.Features {
			d.Features[j] = rng.Float32()
		}
		req.Documents = append(req.Documents, d)
	}
	return req
}

// post sends a request and returns the status and the body of the response.
func post(h http.Handler, body string) (int, string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/rank", strings.NewReader(body)))
	return w.Code, w.Body.String()
}

// TestRank compares responses with the order of the model's scores.
func TestRank(t *testing.T) {
	split := &lambdamart.Model{NumFeatures: 2, Trees: []lambdamart.Tree{{Feature: []int32{1}, Threshold: []float32{2},
		Left: []int32{^0}, Right: []int32{^1}, Leaf: []float64{-1, 1}}}}
	s, err := newService(split)
	if err != nil {
		t.Fatal(err)
	}
	h := s.handler()
	for body, want := range map[string]string{
		`{"documents": [{"id": "a", "features": [9]}, {"id": "b", "features": [0, 3]}, {"id": "c"}]}`: `["b","a","c"]`,
		`{"k": 1, "documents": [{"id": "a"}, {"id": "b", "features": [0, 3]}]}`:                       `{"ranked":["b"]}`,
		`{}`: `{"ranked":[]}`,
		`{"documents": [{"id": "a", "features": [1, 2, 3]}]}`: `document 0 ("a") has 3 features, but`,
		`{"k": -1}`:                            `k is -1`,
		`{"documents": [{"features": ["x"]}]}`: `cannot unmarshal string`,
		`[`:                                    `unexpected EOF`,
	} {
		t.Run(body, func(t *testing.T) {
			code, got := post(h, body)
			if bad := !strings.Contains(want, "["); !strings.Contains(got, want) ||
				bad != (code == http.StatusBadRequest) {
				t.Errorf("%d %s, want %s", code, got, want)
			}
		})
	}
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, httptest.NewRequest("GET", "/rank", nil)); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d", w.Code)
	}
}

func TestTrained(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a model; the other tests cover the service")
	}
	m, err := trained()
	if err != nil {
		t.Fatal(err)
	}
	s, err := newService(m)
	if err != nil {
		t.Fatal(err)
	}
	req := randomRequest(rand.New(rand.NewPCG(1, 2)), 50, m.NumFeatures)
	scores := make([]float64, len(req.Documents))
	for i, d := range req.Documents {
		scores[i] = m.Score(d.Features)
	}
	var want []string
	for _, row := range kernels.AppendTopK(nil, scores, 10, nil) {
		want = append(want, req.Documents[row].ID)
	}
	body, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	var got response
	_, text := post(s.handler(), string(body))
	if err := json.Unmarshal([]byte(text), &got); err != nil || !slices.Equal(got.Ranked, want) {
		t.Errorf("%s, want %v", text, want)
	}
	for _, args := range [][]string{{"no such file"}, {"a", "b"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			if _, err := load(args); err == nil {
				t.Error("no error")
			}
		})
	}
}

// BenchmarkService answers requests with 136 features per document, without a network. The model
// has 100 trees of up to 31 leaves. rank-% is the share of the time that ranking takes. The rest is
// JSON and HTTP.
func BenchmarkService(b *testing.B) {
	m, err := trained()
	if err != nil {
		b.Fatal(err)
	}
	s, err := newService(m)
	if err != nil {
		b.Fatal(err)
	}
	h := s.handler()
	for _, n := range []int{1, 20, 200} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		var requests []*request
		var bodies []string
		for range 64 {
			requests = append(requests, randomRequest(rng, n, m.NumFeatures))
			body, err := json.Marshal(requests[len(requests)-1])
			if err != nil {
				b.Fatal(err)
			}
			bodies = append(bodies, string(body))
		}
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			var ranking time.Duration
			for i := 0; b.Loop(); i++ {
				if code, text := post(h, bodies[i%len(bodies)]); code != http.StatusOK {
					b.Fatal(text)
				}
				start := time.Now()
				if _, err := s.rank(requests[i%len(bodies)]); err != nil {
					b.Fatal(err)
				}
				ranking += time.Since(start)
			}
			b.ReportMetric(100*float64(ranking)/float64(b.Elapsed()-ranking), "rank-%")
			b.ReportMetric(float64(ranking.Nanoseconds())/float64(b.N), "rank-ns/op")
		})
	}
}
