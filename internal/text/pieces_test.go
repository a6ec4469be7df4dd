package text

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestSplitter(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  []string // pieces; an error begins with "!"
	}{
		{"", 9, nil},
		{"a\nb\n", 9, []string{"a\nb\n"}},
		{"a\nb", 9, []string{"a\nb\n"}},
		{"\xef\xbb\xbfa\nb\n", 9, []string{"a\nb\n"}},
		{"ab\nc\"\nd\"\ne\n", 6, []string{"ab\n", "c\"\nd\"\n", "e\n"}},
		{"a\nb\nc\nd\n", 3, []string{"a\nb\n", "c\nd\n"}},
		{"a\n\"\nb\n", 9, []string{"a\n\"\nb\n\n"}}, // a quote that is not closed
		{"a\nbcdefg\n", 5, []string{"a\n", "!a record is longer than 5 bytes"}},
		{"abcdefg\n", 7, []string{"abcdefg\n"}},
	} {
		t.Run(c.text, func(t *testing.T) {
			s := &Splitter{R: strings.NewReader(c.text), Size: 128 << 10, Limit: c.limit}
			var piece []byte
			for i := 0; ; i++ {
				var err error
				piece, err = s.Next(piece)
				if err == io.EOF {
					if i != len(c.want) {
						t.Errorf("%d pieces, want %q", i, c.want)
					}
					break
				}
				if err != nil {
					if i >= len(c.want) || !strings.HasPrefix("!"+err.Error(), c.want[i]) {
						t.Errorf("%v, want %q", err, c.want)
					}
					break
				}
				if got := string(piece[:len(piece)-Slack]); i >= len(c.want) || got != c.want[i] {
					t.Errorf("piece %d is %q, want %q", i, got, c.want)
				}
			}
		})
	}
}

func TestPieceSize(t *testing.T) {
	for _, c := range []struct {
		size int64
		want int
	}{{0, 64 << 10}, {1, 16 << 10}, {4 << 20, 32 << 10}, {1 << 40, 64 << 10}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := PieceSize(64<<10, c.size); got != c.want {
				t.Errorf("%d bytes: pieces of %d, want %d", c.size, got, c.want)
			}
		})
	}
}

// stuck is a reader that reads nothing.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestSplitterStuck(t *testing.T) {
	_, err := (&Splitter{R: stuck{}, Size: 9, Limit: 9}).Next(nil)
	if err == nil || !strings.Contains(err.Error(), "no data") {
		t.Error(err)
	}
}

func TestParse(t *testing.T) {
	line := strings.Repeat("x", 999) + "\n"
	input := strings.Repeat(line, 2000)
	for _, threads := range []int{1, 2, 5} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			s := &Splitter{R: strings.NewReader(input), Size: 128 << 10, Limit: 1 << 20}
			first, err := s.Next(nil)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			err = Parse(s, first, threads, func(part *[]byte, piece []byte) {
				*part = append((*part)[:0], piece[:len(piece)-Slack]...)
			}, func(part *[]byte, _ int64) error {
				got.Write(*part)
				return nil
			})
			if err != nil || got.String() != input {
				t.Errorf("%d bytes of %d, %v", got.Len(), len(input), err)
			}
			// An error of add ends it.
			s = &Splitter{R: strings.NewReader(input), Size: 128 << 10, Limit: 1 << 20}
			first, _ = s.Next(nil)
			calls := 0
			err = Parse(s, first, threads, func(*[]byte, []byte) {}, func(*[]byte, int64) error {
				if calls++; calls == 3 {
					return io.ErrShortBuffer
				}
				return nil
			})
			if err != io.ErrShortBuffer || calls != 3 {
				t.Errorf("%v after %d calls", err, calls)
			}
		})
	}
}
