#include "app/views/tokens/merge_slider.h"

#include <algorithm>
#include <cmath>

#include "app/document/cuts_settings.h"
#include "app/document/view_commands.h"
#include "app/drawing/parts.h"
#include "app/engine/word_merges.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

Command chooseMerges(int merges, int all) {
  merges = std::clamp(merges, 0, all);
  return commands::choose(mergesChoice, merges == all ? "" : std::to_string(merges));
}

}  // namespace

ChosenMerges::ChosenMerges(const Tokenizer* learned, const ViewSettings& settings) : tokenizer(learned) {
  if (!tokenizer) return;
  all = tokenizer->mergeCount();
  const std::string words(settings.chosen(mergesChoice));
  chosen = words.empty() ? all : std::clamp(std::atoi(words.c_str()), 0, all);
}

WordMerges ChosenMerges::of(WordMerges word) const {
  std::erase_if(word.steps, [this](const MergeStep& step) { return step.rank >= chosen; });
  return word;
}

void addMergeSlider(Scene& scene, const SceneInput& input, const ChosenMerges& merges, Box box) {
  if (merges.all == 0) return;
  const Theme& theme = input.theme;
  const auto all = static_cast<float>(merges.all);
  const std::string words = formattedCount(merges.chosen) + " of " + formattedCount(merges.all) + " merges";
  const std::string widest = formattedCount(merges.all) + " of " + formattedCount(merges.all) + " merges";
  const Box label = box.takeLeft(input.metrics.width(widest, FontFace::Mono, Theme::small) + 16);
  addText(scene, {label.x, label.center().y}, words, merges.areFewer() ? theme.mono() : theme.quietMono());
  if (input.isStill()) return;
  constexpr float knob = 14;
  const Box track = box.inset(knob / 2, 0);
  const float x = track.x + track.width * static_cast<float>(merges.chosen) / all, y = track.center().y;
  scene.add(Rect{{track.x, y - 2, track.width, 4}, theme.raised, {0, 0, 0, 0}, 2});
  scene.add(Rect{{track.x, y - 2, x - track.x, 4}, theme.accent, {0, 0, 0, 0}, 2});
  scene.add(Rect{{x - knob / 2, y - knob / 2, knob, knob}, theme.accent, theme.ground, knob / 2});
  HitRegion& hit = addHitRegion(scene, box, {}, "merges");
  const int made = merges.chosen > 0 ? merges.tokenizer->merged(merges.chosen - 1) : -1;
  hit.target.text = words +
                    (made < 0 ? "" : "; the last one produces “" + merges.tokenizer->tokenLabel(made) + "”") +
                    "\ndrag it, or the wheel, or the arrow keys; a double click does all";
  const auto by = [now = merges.chosen, most = merges.all](float more) {
    return chooseMerges(now + static_cast<int>(std::lround(more)), most);
  };
  hit.pan = [by, share = all * box.width / track.width](Point moved) { return by(moved.x * share); };
  hit.zoom = [by, all](float notches, Point) { return by(notches * std::max(1.0f, all / 50)); };
  hit.arrows = [by, all](int right, int down) {
    return by(static_cast<float>(right) - static_cast<float>(down) * std::max(1.0f, all / 20));
  };
  hit.reset = [all = merges.all] { return chooseMerges(all, all); };
}

}  // namespace glassformer
