#include "app/views/attention/first_scene.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/drawing/parts.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float largestType = 34, arcThickness = 22, arcShare = 0.72f, sideMargin = 32, arrowRoom = 2.2f;

// "animal" for "·animal": the mark of a space is spelled as one.
std::string wordOf(const std::string& label) { return label.starts_with("·") ? label.substr(2) : label; }

class FirstPicture {
 public:
  explicit FirstPicture(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        head_(selectedHead(input.workspace, input.config())),
        query_(input.tokenCount() - 1) {
    scene_.size = input.size;
    scene_.sources = input.sources();
  }

  Scene build() {
    if (findKey()) {
      layOut();
      addWords();
      addArc();
      addNext();
      addSaying();
    }
    return std::move(scene_);
  }

 private:
  TensorRef weight(int key) const {
    return {attentionPoint(head_.layer, head_.site, "hook_pattern"), {head_.head, query_, key}};
  }
  static TensorRef nextProbability() { return {"continuation.probability", {0}}; }
  float value(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(0); }

  // The largest weight of the last token's row; a word of its own cannot be looked back at.
  bool findKey() {
    if (query_ < 1 || !scene_.sources.contains(weight(0).tensor)) return false;
    for (int key = 1; key < query_; ++key)
      if (value(weight(key)) > value(weight(key_))) key_ = key;
    return true;
  }

  bool hasNext() const {
    return input_.snapshot.isDecoded() && !input_.snapshot.decoded->continuation.empty();
  }
  std::string nextWord() const {
    return wordOf(input_.entryLabel(input_.snapshot.decoded->continuation.front()));
  }
  std::string nextShare() const { return " " + formattedFixed(100 * value(nextProbability()), 0) + " %"; }

  float widthOf(const std::string& words, float type, FontFace face = FontFace::Ui) const {
    return input_.metrics.width(words, face, type);
  }
  bool beginsWord(int i) const { return i > 0 && input_.label(i).starts_with("·"); }
  float widthIn(float type) const {
    float width = 0;
    for (int i = 0; i < input_.tokenCount(); ++i)
      width += widthOf(wordOf(input_.label(i)), type) + (beginsWord(i) ? type * 0.28f : 0);
    if (hasNext()) width += type * arrowRoom + widthOf(nextWord() + nextShare(), type, FontFace::Strong);
    return width;
  }

  // As large as the line allows.
  void layOut() {
    const float room = input_.size.x - 2 * sideMargin;
    type_ = std::clamp(std::floor(largestType * room / widthIn(largestType)), Theme::small, largestType);
    left_ = sideMargin + std::max(0.0f, (room - widthIn(type_)) / 2);
    line_ = input_.size.y * 0.68f;
  }

  void addWords() {
    float x = left_;
    for (int i = 0; i < input_.tokenCount(); ++i) {
      x += beginsWord(i) ? type_ * 0.28f : 0;
      const std::string word = wordOf(input_.label(i));
      const float width = widthOf(word, type_);
      const bool isEnd = i == query_ || i == key_;
      if (isEnd) {
        const Box around{x - 5, line_ - type_ * 0.72f, width + 10, type_ * 1.44f};
        scene_.add(Rect{around, theme_.attention.faded(0.2f), theme_.attention, 5, 1.5f});
        (i == query_ ? from_ : to_) = {around.center().x, around.y};
      }
      addText(scene_, {x, line_}, word, {FontFace::Ui, type_, theme_.text});
      x += width;
    }
    end_ = x;
  }

  void addArc() {
    Ribbon arc;
    arc.from = from_, arc.to = to_;
    arc.value = weight(key_);
    arc.range = {0, 1};
    arc.thickness = arcThickness;
    arc.color = theme_.attention;
    arc.lift = (from_.y - 72) * arcShare / 0.75f;
    scene_.add(arc);
    const Point top{(from_.x + to_.x) / 2, from_.y - 0.75f * arc.lift - arcThickness / 2 - Theme::large};
    addText(scene_, top, formattedFixed(value(weight(key_)), 2),
            {FontFace::Strong, Theme::large, theme_.attention}, Align::Middle)
        .value = weight(key_);
    HitRegion& hit =
        addHitRegion(scene_, {top.x - 48, top.y - 20, 96, 56 + arcThickness}, weight(key_), "arc");
    hit.target.layer = head_.layer, hit.target.head = head_.head;
    hit.target.query = query_, hit.target.key = key_;
    hit.target.text = "Attention weight, " + quoted(query_) + " to " + quoted(key_);
  }

  void addNext() {
    if (!hasNext()) return;
    scene_.add(Line{
        {{end_ + type_ * 0.5f, line_}, {end_ + type_ * (arrowRoom - 0.4f), line_}}, theme_.quiet, 2, true});
    const float x = end_ + type_ * arrowRoom;
    addText(scene_, {x, line_}, nextWord(), {FontFace::Strong, type_, theme_.feedForward});
    addText(scene_, {x + widthOf(nextWord(), type_, FontFace::Strong), line_}, nextShare(),
            {FontFace::Strong, type_, theme_.feedForward})
        .value = nextProbability();
    HitRegion& hit = addHitRegion(
        scene_,
        {x, line_ - type_ * 0.7f, widthOf(nextWord() + nextShare(), type_, FontFace::Strong), type_ * 1.4f},
        nextProbability(), "next token");
    hit.target.text = "Next token";
  }

  std::string quoted(int i) const { return "“" + wordOf(input_.label(i)) + "”"; }

  void addSaying() {
    const std::string words =
        "To guess the next word, the last " + quoted(query_) + " attends to " + quoted(key_) + ".";
    addText(scene_, {input_.size.x / 2, std::min(line_ + type_ + 44, input_.size.y - 16)}, words,
            {FontFace::Ui, Theme::title, theme_.quiet}, Align::Middle)
        .maxWidth = input_.size.x - 2 * sideMargin;
  }

  const SceneInput& input_;
  const Theme& theme_;
  HeadId head_;
  int query_, key_ = 0;
  Scene scene_;
  float type_ = 0, left_ = 0, line_ = 0, end_ = 0;
  Point from_, to_;
};

}  // namespace

Scene firstScene(const SceneInput& input) {
  if (input.snapshot.pass->hasTrace() && input.snapshot.model->config && input.config().hasAttention())
    return FirstPicture(input).build();
  Scene scene;
  scene.size = input.size;
  return scene;
}

}  // namespace glassformer
