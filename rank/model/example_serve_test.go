package model_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/simdrank/simdrank/rank/model"
)

// A handler ranks the documents of a request and answers with their numbers, best first. Requests
// share the scorer. A server calls http.ListenAndServe instead of the last three lines.
func ExampleLoadScorer_serve() {
	scorer, err := model.LoadScorer("testdata/model.json")
	if err != nil {
		panic(err)
	}
	http.HandleFunc("/rank", func(w http.ResponseWriter, r *http.Request) {
		var x []float32 // the three features of a document after those of the one before
		if err := json.Unmarshal([]byte(r.FormValue("features")), &x); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		json.NewEncoder(w).Encode(scorer.AppendTopK(nil, x, len(x)/3, 3, 3, 10))
	})
	answer := httptest.NewRecorder()
	http.DefaultServeMux.ServeHTTP(answer, httptest.NewRequest("GET", "/rank?features=[2,0,0,9,1,1]", nil))
	fmt.Print(answer.Body)
	// Output: [1,0]
}
