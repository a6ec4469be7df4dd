module github.com/simdrank/simdrank/bench/peers/scoring/leaves

go 1.26

require github.com/dmitryikh/leaves v0.0.0-20230708180554-25d19a787328
