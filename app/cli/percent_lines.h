#pragma once
#include <chrono>
#include <cstdio>
#include <string>

#include "core/watch.h"

namespace glassformer {

/// A line every so often of how far work is that is never stopped, "measuring: 40 %"; none of work that is
/// done sooner than that.
ProgressCallback percentLines(std::FILE* to, std::string doing, std::chrono::seconds every);

}  // namespace glassformer
