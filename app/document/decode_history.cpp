#include "app/document/decode_history.h"

#include <algorithm>

#include "app/document/workspace.h"

namespace glassformer {

namespace {

// The way that leads to the open text; where there is none, one that begins here.
DecodeHistory wayTo(const Content& content) {
  return isOnWay(content) ? content.way
                          : DecodeHistory{{content.text, content.source}, content.text, "", false};
}

void openOn(Content& content, DecodeHistory way, std::string text) {
  if (!way.to.starts_with(text)) way.to = text;
  content.way = std::move(way), content.text = std::move(text);
}

}  // namespace

const DecodedStretch* DecodeHistory::stretchAt(std::size_t byte) const {
  if (byte < from.text.size()) return nullptr;
  const auto found = std::ranges::upper_bound(stretches, byte, {}, &DecodedStretch::end);
  return found == stretches.end() ? nullptr : &*found;
}

void DecodeHistory::note(std::size_t begin, const DecodedStretch& stretch) {
  std::vector<DecodedStretch> noted;
  const auto add = [&](DecodedStretch next) {
    const bool isAlike =
        !noted.empty() && noted.back().by == next.by && noted.back().decoding == next.decoding;
    if (isAlike)
      noted.back().end = next.end;
    else
      noted.push_back(std::move(next));
  };
  std::size_t from = this->from.text.size();
  for (const DecodedStretch& each : stretches) {
    if (from < begin) add({std::min(each.end, begin), each.by, each.decoding});
    from = each.end;
  }
  add(stretch);
  for (const DecodedStretch& each : stretches)
    if (each.end > stretch.end && stretch.end < to.size())
      add({std::min(each.end, to.size()), each.by, each.decoding});
  stretches = std::move(noted);
}

bool isOnWay(const Content& content) { return content.way.leadsThrough(content.text, content.source); }

void decodeTo(Content& content, std::string text, ChosenBy by) {
  DecodeHistory way = wayTo(content);
  way.root.clear(), way.isRooted = false;
  const std::size_t before = content.text.size();
  openOn(content, std::move(way), std::move(text));
  content.way.note(before, {content.text.size(), by, content.decoding});
}

void goAlongWay(Content& content, std::string text) {
  if (!isOnWay(content) || !content.way.leadsThrough(text, content.source)) return;
  DecodeHistory way = content.way;
  if (!text.starts_with(way.root)) way.root.clear(), way.isRooted = false;
  openOn(content, std::move(way), std::move(text));
}

void endWayAt(Content& content, std::string text) {
  if (!isOnWay(content) || !content.way.leadsThrough(text, content.source)) return;
  DecodeHistory& way = content.way;
  way.to = text, way.root.clear(), way.isRooted = false;
  std::size_t begin = way.from.text.size();
  std::erase_if(way.stretches, [&](DecodedStretch& each) {
    const bool isBehind = begin >= text.size();
    each.end = std::min(begin = each.end, text.size());
    return isBehind;
  });
  content.text = std::move(text);
}

void lookAtHypothesis(Content& content, std::string root, std::string text) {
  DecodeHistory way = wayTo(content);
  // A tree that grows from before the way, or beside it, begins another one.
  if (!root.starts_with(way.from.text)) way = {{root, content.source}, root, "", false};
  const std::size_t before = root.size();
  way.root = std::move(root), way.isRooted = true;
  openOn(content, std::move(way), std::move(text));
  if (content.text.size() > before)
    content.way.note(before, {content.text.size(), ChosenBy::Beam, content.decoding});
}

}  // namespace glassformer
