// Package memory provides large slices, either in pages of 2 MiB or mapped from files.
package memory
