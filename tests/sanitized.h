#pragma once

/// Whether sanitizers watch what is tested: every step takes about ten times as long then, and which numbers
/// come out is held by the tests without them. Known when a test program is linked, since its own files are
/// compiled once for all.
extern const bool isSanitized;

/// How often the same is done with other numbers: `usual` times, under sanitizers a tenth of that.
inline int times(int usual) { return isSanitized ? (usual + 9) / 10 : usual; }
