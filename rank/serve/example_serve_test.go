package serve_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/simdrank/simdrank/rank/serve"
)

// A handler scores a document, which is a JSON object. All requests share the ranker. A server
// calls http.ListenAndServe instead of the last three lines.
func ExampleColumns_AppendJSON() {
	ranker, err := serve.Load("testdata/hotels.txt")
	if err != nil {
		panic(err)
	}
	http.HandleFunc("/score", func(w http.ResponseWriter, r *http.Request) {
		row, err := ranker.Columns().AppendJSON(nil, []byte(r.FormValue("document")))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, "%.4f\n", ranker.Score(row))
	})
	response := httptest.NewRecorder()
	request := httptest.NewRequest("GET", `/score?document={"price":95,"rating":null,"chain":0}`, nil)
	http.DefaultServeMux.ServeHTTP(response, request)
	fmt.Print(response.Body)
	// Output: 0.4535
}
