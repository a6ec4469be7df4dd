package cli

// ThisModuleNeedsSimdrankV0_1_0 has the version of the library in its name. The modules beam and
// cmd/simdrank use internal packages of the library, so they need exactly that version. They refer
// to this constant, so that they do not compile with another version, and the compiler's error
// names the version that they need. A test compares the name with the versions that their go.mod
// files require.
const ThisModuleNeedsSimdrankV0_1_0 = true
