// Command modzip checks that every module of a source tree can be packed as the module proxy packs
// it. If a path is one that the module zip format forbids, such as "nul", nobody can fetch the
// version, and a tag cannot be repaired once it is public.
//
//	modzip ROOT
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/zip"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: modzip ROOT")
		os.Exit(2)
	}
	modules, err := check(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(modules, "modules can be packed")
}

// check returns the number of modules below root, and an error that names every file that keeps its
// module from being packed. It returns an error if there is no module.
func check(root string) (modules int, err error) {
	var problems []error
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if d.Name() != "go.mod" || d.IsDir() {
			return nil
		}
		modules++
		dir := filepath.Dir(path)
		files, err := zip.CheckDir(dir)
		if err == nil {
			err = files.Err()
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("module in %s: %w", dir, err))
		}
		return nil
	})
	if err == nil && modules == 0 {
		err = fmt.Errorf("no module below %s", root)
	}
	return modules, errors.Join(append(problems, err)...)
}
