package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// defaults returns the options without flags.
func defaults() (o options) {
	o.register(flag.NewFlagSet("", flag.PanicOnError))
	o.interval, o.drain = 5*time.Millisecond, 0
	return o
}

// linear returns a model of two features whose weights are w.
func linear(w float64) *rank.Linear {
	return &rank.Linear{Weights: []float64{w, w}, FeatureNames: []string{"a", "b"}}
}

// randomTrees returns a model of trees of 32 leaves.
func randomTrees(seed uint64, trees, features int) *lambdamart.Model {
	rng := rand.New(rand.NewPCG(seed, seed))
	m := &lambdamart.Model{NumFeatures: features}
	for j := range features {
		m.FeatureNames = append(m.FeatureNames, fmt.Sprint("feature", j))
	}
	for range trees {
		t := lambdamart.Tree{Leaf: make([]float64, 32), LeafCount: make([]int64, 32)}
		for s := range int32(31) {
			t.Feature, t.Threshold = append(t.Feature, int32(rng.IntN(features))), append(t.Threshold, rng.Float32())
			t.Left, t.Right, t.Count = append(t.Left, 2*s+1), append(t.Right, 2*s+2), append(t.Count, 1000)
			if s >= 15 {
				t.Left[s], t.Right[s] = ^(2*s - 30), ^(2*s - 29)
			}
		}
		for i := range t.Leaf {
			t.Leaf[i], t.LeafCount[i] = rng.NormFloat64(), 31
		}
		m.Trees = append(m.Trees, t)
	}
	return m
}

// save saves a model and returns its path.
func save(t testing.TB, m rank.Model) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.json")
	if err := model.Save(path, m); err != nil {
		t.Fatal(err)
	}
	return path
}

// start starts a service and returns its URL. stop shuts it down and returns its error.
func start(t testing.TB, m rank.Model, o options) (s *service, url string, stop func() error) {
	t.Helper()
	log.SetOutput(io.Discard)
	s, err := newService(save(t, m), o)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx, listener) }()
	stop = func() error {
		cancel()
		err := <-ended
		ended <- err
		return err
	}
	t.Cleanup(func() { stop() })
	return s, "http://" + listener.Addr().String(), stop
}

// handle answers a request without a network.
func handle(s *service, method, path, body string) (int, string) {
	w := httptest.NewRecorder()
	s.handler().ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w.Code, strings.TrimSpace(w.Body.String())
}

// post sends a request to a server.
func post(url string, body io.Reader) (int, string, error) {
	r, err := http.Post(url+"/rank", "application/json", body)
	if err != nil {
		return 0, "", err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return r.StatusCode, strings.TrimSpace(string(text)), err
}

func TestRank(t *testing.T) {
	o := defaults()
	o.maxDocuments, o.maxBody = 4, 1000
	s, err := newService(save(t, &rank.Linear{Weights: []float64{1, -2}, FeatureNames: []string{"a", "b"}}), o)
	if err != nil {
		t.Fatal(err)
	}
	documents := func(text string) string { return `{"documents": [` + text + `]}` }
	for body, want := range map[string]string{
		`{}`: `{"ranked":[]}`,
		documents(`{"id": "x", "features": {"a": 1, "b": 1}}, {"features": {"b": 0, "a": 1e0}, "id": "\u0079"}`): `{"ranked":[` +
			`{"id":"y","score":1},{"id":"x","score":-1}]}`,
		documents(`{"id": "x"}, {"id": "y", "features": {"a": 1, "b": null}}`): `{"ranked":[{"id":"x","score":null},` +
			`{"id":"y","score":null}]}`,
		`{"documents": [{"id": "x", "features": {"a": 3, "b": 2}}, {"id": "y", "features": {"a": 1, "b": 1}}],` +
			`"explain": 1, "k": 1}`: `{"ranked":[{"id":"x","score":-1,"contributions":{"b":-4}}]}`,
		documents(`{"id": "x"}`) + " \n": `{"ranked":[{"id":"x","score":null}]}`,

		``:                         `near byte 1: EOF`,
		`{`:                        `near byte 2: EOF`,
		`[]`:                       `expected { near byte 1`,
		`{"documents": null}`:      `expected [ near byte 18`,
		`{"documents": [null]}`:    `document 1 (""): expected { near byte 19`,
		`{"documents": [{`:         `near byte 17: document 1 (""): EOF`,
		documents(`{"id": "x"},`):  `near byte 28: document 2 (""): invalid character ']' looking for beginning of value`,
		`{} {}`:                    `found data after the request`,
		`{}x`:                      `found data after the request`,
		`{"k": 1, "k": 1}`:         `found the field "k" twice`,
		`{"k": `:                   `near byte 6: EOF`,
		`{"documents": [{"id": "x`: `near byte 22: document 1 (""): unexpected EOF`,
		`{"K": 1}`:                 `unknown field "K"`,
		`{"k": "1"}`:               `k: found string, expected int`,
		`{"k": 1.5}`:               `k: found number 1.5, expected int`,
		`{"k": NaN}`:               `near byte 6: invalid character 'N' looking for beginning of value`,
		`{"k": 0}`:                 `k is 0; it must be positive, and at most 100 if explain is set`,
		`{"k": 101, "explain": 1}`: `k is 101; it must be positive, and at most 100 if explain is set`,
		`{"explain": -1}`:          `explain is -1; it must not be negative`,
		"{\"\xff\": 1}":            `the body is not UTF-8`,
		documents(`{}`):            `document 1 (""): id is 0 bytes long; its length must be 1 to 256`,
		documents(`{"id": "` + strings.Repeat("x", 257) + `"}`): `document 1 ("` + strings.Repeat("x", 40) +
			`"): id is 257 bytes long; its length must be 1 to 256`,
		documents(`{"id": 1}`):              `document 1 (""): id: found number, expected string`,
		documents(`{"id": "x"}, {"Id": 1}`): `document 2 (""): unknown field "Id"`,
		documents(`{"id": "x", "id": "x"}`): `document 1 ("x"): found the field "id" twice`,
		documents(`{"id": "x", "features": {"a": 1, "c": 2}}`): `document 1 ("x"): serve: the model has no feature ` +
			`named "c" (set IgnoreUnknown to ignore it)`,
		documents(`{"id": "x", "features": {"a": 1, "a": 2}}`): `document 1 ("x"): serve: found two values for the ` +
			`feature "a"`,
		documents(`{"id": "x", "features": {"a": "1"}}`): `document 1 ("x"): serve: feature "a" is "1"; it must be a number ` +
			`or null`,
		documents(`{"id": "x", "features": {"a": [[1]]}}`): `document 1 ("x"): serve: feature "a" is an array; it must be a ` +
			`number or null`,
		documents(`{"id": "x", "features": {"a": 1e39}}`): `document 1 ("x"): serve: feature "a" is 1e39, which is out of ` +
			`range for float32`,
		documents(`{"id": "x", "features": [1, 2]}`):  `document 1 ("x"): serve: byte 1: found "[1, 2]", expected an object`,
		documents(strings.Repeat(`{"id": "x"}, `, 5)): `413 found more than 4 documents`,
		strings.Repeat(" ", 1001):                     `413 the body exceeds 1000 bytes`,
	} {
		t.Run(body, func(t *testing.T) {
			code, got := handle(s, "POST", "/rank", body)
			status := 200
			if !strings.HasPrefix(want, "{") {
				status = 400
				if text, large := strings.CutPrefix(want, "413 "); large {
					status, want = 413, text
				}
				var reply struct{ Error string }
				if err := json.Unmarshal([]byte(got), &reply); err != nil {
					t.Fatal(got)
				}
				got = reply.Error
			}
			if code != status || got != want {
				t.Errorf("%d %s, want %d %s", code, got, status, want)
			}
		})
	}
	s.maxMemory = 10
	if code, got := handle(s, "POST", "/rank", `{"k":      1}`); code != 503 {
		t.Errorf("%d %s", code, got)
	}
}

// TestIgnoreUnknown ranks documents with features that the model does not have.
func TestIgnoreUnknown(t *testing.T) {
	o := defaults()
	o.ignoreUnknown = true
	s, err := newService(save(t, linear(1)), o)
	if err != nil {
		t.Fatal(err)
	}
	code, got := handle(s, "POST", "/rank", `{"documents": [{"id": "x", "features": {"a": 1, "c": [{}], "b": 2}}]}`)
	if code != 200 || got != `{"ranked":[{"id":"x","score":3}]}` {
		t.Errorf("%d %s", code, got)
	}
}

// TestTrained ranks with the model that the service trains and explains the scores.
func TestTrained(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a model; the other tests cover the service")
	}
	s, err := newService("", defaults())
	if err != nil {
		t.Fatal(err)
	}
	code, got := handle(s, "POST", "/rank", `{"explain": 4, "documents": [{"id": "low", "features": {"bm25": 1}}, `+
		`{"id": "high", "features": {"bm25": 9}}]}`)
	if want := regexp.MustCompile(`^{"ranked":\[{"id":"high".*"contributions":{"bm25":[0-9.]+,.*"low"`); code != 200 ||
		!want.MatchString(got) {
		t.Errorf("%d %s", code, got)
	}
}

func TestMetrics(t *testing.T) {
	s, err := newService(save(t, linear(1)), defaults())
	if err != nil {
		t.Fatal(err)
	}
	handle(s, "POST", "/rank", `{"documents": [{"id": "x"}, {"id": "y"}]}`)
	handle(s, "POST", "/rank", `{`)
	s.reload()
	code, got := handle(s, "GET", "/metrics", "")
	for _, line := range strings.Split(got, "\n") {
		if !regexp.MustCompile(`^(# TYPE \w+ (counter|gauge|histogram)|\w+({\w+="[^"]+"})? [-+.e0-9]+)$`).MatchString(line) {
			t.Errorf("line %q", line)
		}
	}
	for _, want := range []string{`rank_requests_total{code="200"} 1`, `rank_requests_total{code="400"} 1`,
		`rank_request_duration_seconds_bucket{le="+Inf"} 2`, "rank_request_duration_seconds_count 2",
		"rank_documents_total 2",
		"rank_requests_in_flight 0", `rank_model_reloads_total{result="ok"} 1`, "rank_model_features 2"} {
		if !strings.Contains(got, "\n"+want+"\n") {
			t.Errorf("%d %s\nlacks %s", code, got, want)
		}
	}
}

// TestUnseenMissing counts the features that a request lacks although training had all of them.
func TestUnseenMissing(t *testing.T) {
	s, err := newService("", defaults())
	if err != nil {
		t.Fatal(err)
	}
	name := s.model.Load().names[0]
	body := `{"documents":[{"id":"a"},{"id":"b","features":{"` + name + `":1}}]}`
	if code, got := handle(s, "POST", "/rank", body); code != http.StatusOK {
		t.Fatalf("%d %s", code, got)
	}
	want := fmt.Sprintf("\nrank_unexpected_missing_values_total %d\n", 2*len(s.model.Load().names)-1)
	if _, got := handle(s, "GET", "/metrics", ""); !strings.Contains(got, want) {
		t.Errorf("%s\nlacks %s", got, want)
	}
}

// TestShutdown: a request that has begun is answered, and /readyz fails in the meantime.
func TestShutdown(t *testing.T) {
	o := defaults()
	o.drain = 300 * time.Millisecond
	s, url, stop := start(t, linear(1), o)
	reader, writer := io.Pipe()
	answer := make(chan string, 1)
	go func() {
		code, text, err := post(url, reader)
		answer <- fmt.Sprint(code, text, err)
	}()
	io.WriteString(writer, `{"documents": [`) // returns when the client sends it
	if code, _ := handle(s, "GET", "/healthz", ""); code != 200 {
		t.Errorf("healthz %d", code)
	}
	go func() {
		for !s.stopping.Load() {
			time.Sleep(time.Millisecond)
		}
		if r, err := http.Get(url + "/readyz"); err != nil || r.StatusCode != 503 {
			t.Errorf("readyz %v %v", r, err)
		}
		time.Sleep(2 * o.drain)
		io.WriteString(writer, `{"id": "x"}]}`)
		writer.Close()
	}()
	if code, _ := handle(s, "GET", "/readyz", ""); code != 200 {
		t.Errorf("readyz %d", code)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if got, want := <-answer, `200{"ranked":[{"id":"x","score":null}]}<nil>`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
