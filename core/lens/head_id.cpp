#include "core/lens/head_id.h"

#include <cstddef>

namespace glassformer {
namespace {

std::string span(int first, int last) {
  return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

const char* siteName(AttentionSite site) {
  switch (site) {
    case AttentionSite::Self:
      return "";
    case AttentionSite::Decoder:
      return "dec.";
    case AttentionSite::Encoder:
      return "enc.";
    case AttentionSite::Cross:
      return "cross.";
  }
  return "";
}

// The heads of one layer, "H0-3" or "H0,2-3"; moves `i` behind them.
std::string headsOfLayer(const std::vector<HeadId>& heads, std::size_t& i) {
  const int layer = heads[i].layer;
  const AttentionSite site = heads[i].site;
  std::string text;
  while (i < heads.size() && heads[i].layer == layer && heads[i].site == site) {
    const int first = heads[i].head;
    int last = first;
    for (++i; i < heads.size() && heads[i] == HeadId{layer, last + 1, site}; ++i) ++last;
    text += (text.empty() ? "H" : ",") + span(first, last);
  }
  return text;
}

}  // namespace

std::string nameOf(HeadId head) {
  return std::string(siteName(head.site)) + "L" + std::to_string(head.layer) + "H" +
         std::to_string(head.head);
}

std::string nameOf(const std::vector<HeadId>& heads) {
  struct Run {
    AttentionSite site;
    int first, last;
    std::string heads;
  };
  std::vector<Run> runs;  // layers in a row of which the same heads are meant
  for (std::size_t i = 0; i < heads.size();) {
    const auto [layer, head, site] = heads[i];
    std::string text = headsOfLayer(heads, i);
    const bool goesOn = !runs.empty() && runs.back().site == site && runs.back().last + 1 == layer;
    if (goesOn && runs.back().heads == text)
      runs.back().last = layer;
    else
      runs.push_back({site, layer, layer, std::move(text)});
  }
  std::string name;
  for (const Run& run : runs)
    name += (name.empty() ? "" : "+") + std::string(siteName(run.site)) + "L" + span(run.first, run.last) +
            run.heads;
  return name;
}

}  // namespace glassformer
