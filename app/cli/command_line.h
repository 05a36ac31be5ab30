#pragma once

namespace glassformer {

/// The whole program behind main(): opens the window, or runs a command without one. Returns the exit status:
/// 0, 1 (failed: one line on stderr says what, where and what to do) or 2 (wrong usage).
int runCommandLine(int argc, char** argv);

}  // namespace glassformer
