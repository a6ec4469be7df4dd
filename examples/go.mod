module github.com/simdrank/simdrank/examples

go 1.26.0

require (
	github.com/simdrank/simdrank v0.1.0
	github.com/yuin/goldmark v1.8.7
)

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	golang.org/x/sys v0.50.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)
