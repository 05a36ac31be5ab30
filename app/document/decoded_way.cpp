#include "app/document/decoded_way.h"

#include "app/document/workspace.h"

namespace glassformer {

namespace {

// The way that leads to the open text; where there is none, one that begins here.
DecodedWay wayTo(const Content& content) {
  return isOnWay(content) ? content.way : DecodedWay{{content.text, content.source}, content.text, "", false};
}

void openOn(Content& content, DecodedWay way, std::string text) {
  if (!way.to.starts_with(text)) way.to = text;
  content.way = std::move(way), content.text = std::move(text);
}

}  // namespace

bool isOnWay(const Content& content) { return content.way.leadsThrough(content.text, content.source); }

void decodeTo(Content& content, std::string text) {
  DecodedWay way = wayTo(content);
  way.root.clear(), way.isRooted = false;
  openOn(content, std::move(way), std::move(text));
}

void goAlongWay(Content& content, std::string text) {
  if (!isOnWay(content) || !content.way.leadsThrough(text, content.source)) return;
  DecodedWay way = content.way;
  if (!text.starts_with(way.root)) way.root.clear(), way.isRooted = false;
  openOn(content, std::move(way), std::move(text));
}

void lookAtHypothesis(Content& content, std::string root, std::string text) {
  DecodedWay way = wayTo(content);
  // A tree that grows from before the way, or beside it, begins another one.
  if (!root.starts_with(way.from.text)) way = {{root, content.source}, root, "", false};
  way.root = std::move(root), way.isRooted = true;
  openOn(content, std::move(way), std::move(text));
}

}  // namespace glassformer
