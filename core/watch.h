#pragma once
#include <functional>

namespace glassformer {

/// Whoever waits for long work: told before every part of it that `done` of `total` parts are finished, and
/// once more at the end. Answers whether to go on; at the first no the work stops and leaves nothing behind,
/// where its function does not say otherwise.
using ProgressCallback = std::function<bool(int done, int total)>;

/// Lets everything run to its end.
inline bool noProgress(int /*done*/, int /*total*/) { return true; }

/// The watch of one of several parts that take about equally long, or of `span` of them, from `part` on.
inline ProgressCallback partOf(const ProgressCallback& whole, int part, int parts, int span = 1) {
  return [=](int done, int total) { return whole(part * total + done * span, parts * total); };
}

}  // namespace glassformer
