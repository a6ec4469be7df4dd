package cli

// ThisModuleNeedsSimdrankV0_1_0 has the version of the library in its name. The modules beam and
// cmd/simdrank use packages internal to the library, so they need its version exactly, and they
// name this constant: with another version they do not compile, and the error names the one that
// they need. A test compares the name with the versions that their go.mod files require.
const ThisModuleNeedsSimdrankV0_1_0 = true
