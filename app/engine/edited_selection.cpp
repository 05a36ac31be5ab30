#include "app/engine/edited_selection.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/lens/alignment.h"

namespace glassformer {

namespace {

std::vector<int> idsRead(const Snapshot& snapshot, Stream stream) {
  if (!snapshot.pass->trace) return {};
  const std::span<const int> read =
      stream == Stream::Text ? snapshot.pass->trace->tokens() : snapshot.pass->trace->source();
  return {read.begin(), read.end()};
}

int movedPosition(int position, const Alignment& alignment, int count) {
  if (position < 0) return position;
  const int column = alignment.columnOfA(position);
  for (int i = column; i >= 0; --i)  // in place of one that is gone stands the one before it
    if (alignment[i].b >= 0) return alignment[i].b;
  return count > 0 ? std::min(position, count - 1) : -1;
}

}  // namespace

Selection afterEdit(Selection selection, const Snapshot& before, const Snapshot& after) {
  const auto follow = [&](Stream stream, std::initializer_list<int*> positions) {
    const std::vector<int> old = idsRead(before, stream), now = idsRead(after, stream);
    if (old == now || std::ranges::all_of(positions, [](const int* at) { return *at < 0; })) return;
    const Alignment alignment = align(old, now);
    for (int* position : positions)
      *position = movedPosition(*position, alignment, static_cast<int>(now.size()));
  };
  follow(Stream::Text, {&selection.query, &selection.key});
  follow(Stream::Source, {&selection.source, &selection.sourceKey});
  return selection;
}

}  // namespace glassformer
