package rank

// ReadOptions are the options that all readers of files have: of data, models, judgments, runs and
// vectors. Of several, the last one counts.
type ReadOptions struct {
	// MemoryLimit is the number of bytes that a reader may hold at once. A reader counts what it is
	// about to hold before it allocates it, so that a small file, or a short compressed one, cannot
	// take all memory. Beyond the limit it returns an [OptionError]. 0 means 2 GiB, or 64 times the
	// size of the file if that is more. Files that are mapped into memory do not count.
	MemoryLimit int64
}
