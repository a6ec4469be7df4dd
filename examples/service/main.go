// Command service ranks documents over HTTP with a tree model of simdrank, LightGBM or XGBoost.
//
//	go run ./examples/service model.json
//	curl localhost:8080/rank -d '{"k": 2, "documents": [{"id": "a", "features": [0.5, 3]}, …]}'
//
// The response contains the IDs of the best k documents, best first: {"ranked":["c","a"]}. A
// document lists its features in the order of the model. Omitted features at the end are 0.
//
// A feature that can be missing in requests should also be missing in some training rows. Otherwise
// NaN counts as the feature's median in the training data; docs/explanation/training.md explains
// why. JSON cannot represent NaN.
//
// Without a model, the service trains one on synthetic data.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
	"github.com/simdrank/simdrank/rank/serve"
)

func main() {
	log.SetFlags(0)
	model, err := load(os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	s, err := newService(model)
	if err != nil {
		log.Fatal(err)
	}
	const address = "localhost:8080"
	log.Printf("%d trees of %d features at http://%s/rank", len(model.Trees), model.Features(), address)
	server := http.Server{Addr: address, Handler: s.handler(), ReadTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}

// load reads the model that the arguments name. Without arguments, it trains one.
func load(args []string) (*lambdamart.Model, error) {
	switch len(args) {
	case 0:
		return train()
	case 1:
		return model.Trees(model.Load(args[0]))
	}
	return nil, fmt.Errorf("usage: service [MODEL]")
}

// train trains a model on synthetic data with 136 features.
func train() (*lambdamart.Model, error) {
	const queries, documents, features = 800, 25, 136
	rng := rand.New(rand.NewPCG(1, 2))
	d := rank.NewDataset(queries*documents, features)
	for i := range d.Labels {
		row := d.Row(i)
		for j := range row {
			row[j] = rng.Float32()
		}
		d.Labels[i] = float64(int(2 * (row[0] + row[1]*row[2] + rng.Float32()/2))) // 0 to 4
	}
	for q := range queries {
		d.Offsets = append(d.Offsets, (q+1)*documents)
		d.QueryIDs = append(d.QueryIDs, fmt.Sprint(q+1))
	}
	result, err := lambdamart.DefaultTrainer().Fit(context.Background(), d)
	if err != nil {
		return nil, err
	}
	return result.Model, nil
}

// A request contains the documents to rank.
type request struct {
	K         int        `json:"k"` // 0 means 10
	Documents []document `json:"documents"`
}

type document struct {
	ID       string    `json:"id"`
	Features []float32 `json:"features"`
}

type response struct {
	Ranked []string `json:"ranked"`
}

// A service answers requests. All requests share its ranker.
type service struct {
	ranker *serve.Ranker
	memory sync.Pool // of *memory
}

// A memory contains the buffers of a request, which later requests reuse.
type memory struct {
	features []float32 // row by row
	best     []serve.Ranked
}

func newService(m *lambdamart.Model) (*service, error) {
	ranker, err := serve.New(m)
	if err != nil {
		return nil, err
	}
	return &service{ranker, sync.Pool{New: func() any { return new(memory) }}}, nil
}

func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /rank", func(w http.ResponseWriter, r *http.Request) {
		var req request
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<20)).Decode(&req); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		ranked, err := s.rank(&req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(response{ranked}) // fails only if the client is gone
	})
	return mux
}

// rank returns the IDs of the best documents.
func (s *service) rank(req *request) ([]string, error) {
	m := s.memory.Get().(*memory)
	defer s.memory.Put(m)
	cols := s.ranker.Features()
	m.features = m.features[:0]
	for i, d := range req.Documents {
		if len(d.Features) > cols {
			return nil, fmt.Errorf("document %d (%q) has %d features, but the model has only %d", i, d.ID, len(d.Features),
				cols)
		}
		m.features = append(m.features, d.Features...)
		for range cols - len(d.Features) {
			m.features = append(m.features, 0)
		}
	}
	if req.K < 0 {
		return nil, fmt.Errorf("k is %d; it must not be negative", req.K)
	}
	k := req.K
	if k == 0 {
		k = 10
	}
	m.best = s.ranker.AppendTopK(m.best[:0], m.features, len(req.Documents), k)
	ranked := make([]string, len(m.best))
	for i, best := range m.best {
		ranked[i] = req.Documents[best.Row].ID
	}
	return ranked, nil
}
