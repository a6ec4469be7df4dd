package trec

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// Judgments and a run are converted to sequences, TREC's text and JSON, and back.
func TestForms(t *testing.T) {
	q, r := mustRead(t, "2 0 b 2\n2 0 a\"\\é -1\n1 0 c 0\n2 0 d 1\n", "2 Q0 a 1 1 r\n2 Q0 b\\\" 2 2.5e-7 r\n1 Q0 c 1 -3 r\n2 Q0 d 3 1 r\n")
	wantQ := "[{2 b 2} {2 a\"\\é -1} {2 d 1} {1 c 0}]"
	wantR := "[{2 d 1} {2 a 1} {2 b\\\" 2.5e-07} {1 c -3}]"
	const jsonQ = `{"2": {"b": 2, "a\"\\é": -1, "d": 1},` + "\n" + `"1": {"c": 0}}` + "\n"
	const jsonR = `{"2": {"d": 1, "a": 1, "b\\\"": 2.5e-07},` + "\n" + `"1": {"c": -3}}` + "\n"
	const textQ = "2 0 b 2\n2 0 a\"\\é -1\n2 0 d 1\n1 0 c 0\n"
	const textR = "2 Q0 d 1 1 m\n2 Q0 a 2 1 m\n2 Q0 b\\\" 3 2.5e-07 m\n1 Q0 c 1 -3 m\n"

	written := func(t *testing.T, write func(b *bytes.Buffer) error) *bytes.Buffer {
		t.Helper()
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return &b
	}
	checkQ := func(t *testing.T, q *Qrels, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		all := fmt.Sprint(slices.Collect(q.All()))
		if all != wantQ {
			t.Errorf("%s, want %s", all, wantQ)
		}
	}
	checkR := func(r *Run, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		r.Name = "m"
		if all := fmt.Sprint(slices.Collect(r.All())); all != wantR {
			t.Errorf("%s, want %s", all, wantR)
		}
	}
	checkQ(t, q, nil)
	checkR(r, nil)
	made, err := NewQrels(q.All())
	checkQ(t, made, err)
	run, err := NewRun("m", r.All())
	checkR(run, err)
	for i, q := range []*Qrels{q, made} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			b := written(t, func(b *bytes.Buffer) error { return q.Write(b) })
			if b.String() != textQ {
				t.Errorf("%s, want %s", b, textQ)
			}
			back, err := ReadQrels(b)
			checkQ(t, back, err)
			if b = written(t, func(b *bytes.Buffer) error { return q.WriteJSON(b) }); b.String() != jsonQ {
				t.Errorf("%s, want %s", b, jsonQ)
			}
			back, err = ReadQrels(b)
			checkQ(t, back, err)
		})
	}
	b := written(t, func(b *bytes.Buffer) error { return r.Write(b) })
	if b.String() != textR {
		t.Errorf("%s, want %s", b, textR)
	}
	if b = written(t, func(b *bytes.Buffer) error { return r.WriteJSON(b) }); b.String() != jsonR {
		t.Errorf("%s, want %s", b, jsonR)
	}
	run, err = ReadRun(b)
	checkR(run, err)
	// They are joined like those of files, but their errors contain no line.
	for i, q := range []*Qrels{q, made} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			lists := q.Lists(run)
			if len(lists) != 2 || !slices.Equal(lists[1].Labels, []float64{1, -1, -1}) ||
				(lists[1].Place == nil) != q.made {
				t.Errorf("%+v", lists)
			}
		})
	}
	if b = written(t, func(b *bytes.Buffer) error { return new(Run).WriteJSON(b) }); b.String() != "{}\n" {
		t.Errorf("a run without topics: %s", b)
	}
	for range r.All() {
		break
	}
	for range q.All() {
		break
	}
}

func TestFormErrors(t *testing.T) {
	judgments := func(all ...Judgment) error { _, err := NewQrels(slices.Values(all)); return err }
	scored := func(all ...ScoredDoc) error { _, err := NewRun("m", slices.Values(all)); return err }
	_, infinite := mustRead(t, "1 0 a 1\n", "1 Q0 a 1 inf r\n")
	_, latin := mustRead(t, "1 0 a 1\n", "1 Q0 a\xe9 1 1 r\n")
	for _, c := range []struct {
		want string
		err  error
	}{
		{"trec: the qrels contain no judgments", judgments()},
		{"trec: the run contains no documents", scored()},
		{"trec: topic 1: document a is judged twice", judgments(Judgment{"1", "a", 1}, Judgment{"1", "a", 1})},
		{"trec: topic 1: document a is retrieved twice", scored(ScoredDoc{"1", "a", 1}, ScoredDoc{"1", "a", 2})},
		{"trec: topic 1: document a: the score is NaN", scored(ScoredDoc{"1", "a", math.NaN()})},
		{"trec: topic 1: document a: the score is -Inf", scored(ScoredDoc{"1", "a", math.Inf(-1)})},
		{`trec: the topic "" is empty`, scored(ScoredDoc{"", "a", 1})},
		{`trec: the topic "#1" begins with #, as comments do`, judgments(Judgment{"#1", "#a", 1})},
		{`trec: topic 1: the document "" is empty`, judgments(Judgment{"1", "", 1})},
		{`trec: topic 1: the document "a b" contains a blank or`, judgments(Judgment{"1", "a b", 1})},
		{"trec: topic 1: document a: the score is +Inf; scores must be finite in JSON", infinite.WriteJSON(new(bytes.Buffer))},
		{`trec: topic "1": document "a\xe9": IDs must be UTF-8 in JSON`, latin.WriteJSON(new(bytes.Buffer))},
	} {
		t.Run(c.want, func(t *testing.T) {
			if c.err == nil || !strings.HasPrefix(c.err.Error(), c.want) {
				t.Errorf("%v, want %s", c.err, c.want)
			}
		})
	}
}

func TestReadJSON(t *testing.T) {
	// Tests escapes, any blanks, numbers of every form, and topics without documents.
	text := "\ufeff {\n\"q\\u0031\"\t:{ \"d\\u00e9\\/\\\\\\\"\" : 1.0e0 ,\r\n\"b\":-2},\"q2\":{},\"q3\":{\"\\ud83d\\ude00\":0}} \n "
	q := must(t, ReadQrels, text)
	want := []Judgment{{"q1", "dé/\\\"", 1}, {"q1", "b", -2}, {"q3", "😀", 0}}
	if got := slices.Collect(q.All()); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	r, err := ReadRun(strings.NewReader(text))
	if err != nil || !slices.Equal(docsOf(r, "q1"), []string{"dé/\\\"", "b"}) || r.answers("q2") {
		t.Errorf("%v, %v", r, err)
	}
	lists := q.Lists(r)
	if place := lists[0].Place(0, -2); place.Line != 3 {
		t.Errorf("the place of b: %v", place)
	}
	qrels, run := errorOf(ReadQrels), errorOf(ReadRun)
	checkRefused(t, []refused{
		{run, "{}", "line 1: the run contains no documents"},
		{qrels, "{\n}", "line 1: the qrels contain no judgments"},
		{run, `{"1": {}}`, "line 1: the run contains no documents"},
		{run, "{\"1\":\n {\"a\": \"x\"}}", `line 2, column 8: topic 1: document a: the score is not a finite number: "\"x\""`},
		{run, `{"1": {"a": NaN}}`, `line 1, column 13: topic 1: document a: the score is not a finite number: "NaN"`},
		{run, `{"1": {"a": 1e999}}`, `topic 1: document a: the score is not a finite number: "1e999"`},
		{run, `{"1": {"a": }}`, "topic 1: document a: the score is not a finite number"},
		{run, `{"1": {"a": {"b": 1}}}`, "topic 1: document a: the score is not a finite number"},
		{qrels, `{"1": {"a": 1.5}}`, `topic 1: document a: the relevance is not an integer: "1.5"`},
		{qrels, `{"1": {"a": 1e19}}`, `topic 1: document a: the relevance is not an integer: "1e19"`},
		{qrels, fmt.Sprintf(`{"1": {"a": %d}}`, uint64(math.MaxInt)+1), "document a: the relevance is not an integer"},
		{qrels, `{"1": {"a": true}}`, `topic 1: document a: the relevance is not an integer: "true"`},
		{run, `{"1": {"a": 1,` + "\n" + `"a": 2}}`, `line 2: topic 1: the document is retrieved twice, first in line 1: "a"`},
		{qrels, `{"1": {"a": 1, "a": 2}}`, `line 1: topic 1: the document is judged twice, first in line 1`},
		{run, `{"1": {"a": 1}, "1": {"b": 2}}`, `line 1, column 18: the topic is repeated: "1"`},
		{run, `{"1": {"a b": 1}}`, `line 1, column 9: the ID of a document contains a blank or a control character: "a b"`},
		{run, `{"1": {"a\u0009": 1}}`, "the ID of a document contains a blank or a control character"},
		{run, `{"": {"a": 1}}`, "line 1, column 3: the ID of a topic is empty"},
		{run, `{"1": {"#a": 1}, "#1": {"a": 1}}`, `line 1, column 19: the ID of a topic begins with #, as ` +
			`comments do: "#1"`},
		{run, "{\"1\": {\"a\xe9\": 1}}", "the ID of a document is not UTF-8"},
		{run, `{"1": {"a\udce9": 1, "a\udce8": 1}}`, "the ID of a document contains half of a surrogate pair"},
		{run, `{"1": {"a\x": 1}}`, "the ID of a document is not a JSON string"},
		{run, "{\"1\": {\"a\n\": 1}}", "line 1, column 10: expected the end of a string in quotes"},
		{run, `{"1": {"a`, "the file ends too early: expected the end of a string in quotes"},
		{run, `{"1": {"a\`, "line 1, column 11: the file ends too early: expected the end of a string in quotes"},
		{run, `{"1": {"a": 1`, "line 1, column 14: the file ends too early: expected a comma or a closing brace"},
		{run, `{"1": {"a": 1}`, "the file ends too early: expected a comma or a closing brace"},
		{run, `{"1": {"a" 1}}`, `line 1, column 12: expected a colon: "1}}"`},
		{run, `{"1": {"a": 1 2}}`, `expected a comma or a closing brace: "2}}"`},
		{run, `{"1": {"a": 1,}}`, "expected the ID of a document in quotes"},
		{run, `{"1": [1]}`, `line 1, column 7: expected an object, which begins with a brace: "[1]}"`},
		{run, `{"1": {"a": 1}} {}`, `line 1, column 17: expected the end of the file: "{}"`},
		{run, `["1"]`, "line 1: found 1 field; there must be 6"},
	})
}
