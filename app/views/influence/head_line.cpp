#include "app/views/influence/head_line.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/engine/ablation_map.h"
#include "app/scene/format.h"
#include "core/lens/contributions.h"

namespace glassformer {

namespace {

class HeadLine {
 public:
  HeadLine(InfluencePicture& picture, const Box& line)
      : picture_(picture), line_(line), head_(selectedHead(picture.input.workspace, picture.config)) {}

  void draw(const MetricChoice& metric) {
    add(nameOf(head_) + ":", picture_.theme.strong());
    if (const auto part = partOfHead()) {
      const int entry = picture_.input.snapshot.pass->predicted.entry;
      addNumber({logitAttributionOf(entry, LogitBase::Raw), {picture_.position, *part}}, "", "direct");
      addNumber({logitAttributionOf(entry, LogitBase::Centred), {picture_.position, *part}}, "·", "centered");
    }
    const std::string ablated = causal::numberOf(picture_.input.workspace.settings),
                      of = metric.isLogit() ? "" : std::string(metric.words) + " ";
    if (const auto row = rowOfHead()) addNumber({ablated, {*row, head_.head}}, "·", of + "when ablated");
    addStrongestKey();
  }

 private:
  void add(const std::string& words, const TextStyle& style, const TensorRef* number = nullptr) {
    const float width = picture_.input.metrics.width(words, style.face, style.size);
    if (x_ + width > line_.width) return;
    addText(picture_.scene, {line_.x + x_, line_.center().y}, words, style);
    if (number) {
      HitRegion& hit = addHitRegion(picture_.scene, {line_.x + x_, line_.y, width, line_.height}, *number,
                                    "line of " + number->tensor);
      hit.target.layer = head_.layer, hit.target.head = head_.head;
    }
    x_ += width + 6;
  }
  void addNumber(const TensorRef& number, const std::string& before, const std::string& after) {
    const auto value = valueOf(picture_.scene.sources, number);
    if (!value || !std::isfinite(*value)) return;
    if (!before.empty()) add(before, picture_.theme.note());
    add(formattedFixed(*value, 2), picture_.theme.mono(), &number);
    add(after, picture_.theme.note());
  }

  // Which of the parts of a logit it is; none where logits are no sum of parts.
  std::optional<int> partOfHead() const {
    const int entry = picture_.input.snapshot.pass->predicted.entry;
    if (!picture_.scene.sources.contains(logitAttributionOf(entry, LogitBase::Raw))) return std::nullopt;
    const auto parts = contributionParts(picture_.input.model());
    const auto found = std::ranges::find(parts, ContributionPart{ContributionPart::Kind::Head, head_});
    return found == parts.end() ? std::nullopt : std::optional(static_cast<int>(found - parts.begin()));
  }
  std::optional<int> rowOfHead() const {
    const auto rows = causalRows(picture_.config);
    const auto found = std::ranges::find_if(
        rows, [&](const CausalRow& row) { return row.site == head_.site && row.layer == head_.layer; });
    return found == rows.end() ? std::nullopt : std::optional(static_cast<int>(found - rows.begin()));
  }

  // The key that the head attends to most from where the prediction is made.
  void addStrongestKey() {
    const std::string pattern = attentionPoint(head_.layer, head_.site, "hook_pattern");
    const auto weights = picture_.scene.sources.find(pattern);
    if (!weights || queriesOf(head_.site) != Stream::Text) return;
    int most = 0;
    for (int key = 1; key < weights->extent[2]; ++key)
      if ((*weights)(head_.head, picture_.position, key) > (*weights)(head_.head, picture_.position, most))
        most = key;
    addNumber({pattern, {head_.head, picture_.position, most}}, "·",
              "on " + picture_.input.label(most, keysOf(head_.site)));
  }

  InfluencePicture& picture_;
  Box line_;
  HeadId head_;
  float x_ = 0;
};

}  // namespace

void addHeadLine(InfluencePicture& picture, const Box& line, const MetricChoice& metric) {
  if (picture.config.hasAttention()) HeadLine(picture, line).draw(metric);
}

}  // namespace glassformer
