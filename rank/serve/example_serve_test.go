package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/simdrank/simdrank/rank/serve"
)

// A handler ranks the documents of a request and responds with their numbers and scores, best
// first. All requests share the ranker. A server calls http.ListenAndServe instead of the last
// lines.
func ExampleColumns_AppendJSON() {
	ranker, err := serve.Load("testdata/hotels.txt")
	if err != nil {
		panic(err)
	}
	http.HandleFunc("POST /rank", func(w http.ResponseWriter, r *http.Request) {
		var documents []json.RawMessage
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&documents)
		var x []float32
		for i := 0; i < len(documents) && err == nil; i++ {
			x, err = ranker.Columns().AppendJSON(x, documents[i])
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		json.NewEncoder(w).Encode(ranker.AppendTopK(nil, x, len(documents), 10))
	})
	response := httptest.NewRecorder()
	body := strings.NewReader(`[{"price": 180, "rating": 3.1}, {"price": 95, "rating": null, "chain": 0}]`)
	http.DefaultServeMux.ServeHTTP(response, httptest.NewRequest("POST", "/rank", body))
	fmt.Print(response.Body)
	// Output: [{"row":1,"score":0.45346818205120465},{"row":0,"score":-0.7832594386801006}]
}
