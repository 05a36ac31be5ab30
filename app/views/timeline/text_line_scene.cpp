#include "app/views/timeline/text_line_scene.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/drawing/parts.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float padding = 1.5f, arrowWidth = 28, earlierGap = 12;

class TextLine {
 public:
  TextLine(const SceneInput& input, Stream stream, bool saysNext)
      : input_(input), theme_(input.theme), stream_(stream), saysNext_(saysNext && hasNext()) {
    scene_.size = input.size;
    scene_.sources = input.sources();
  }

  Scene build() {
    type_ = widthFrom(0) + nextWidth(Theme::body) <= input_.size.x ? Theme::body : Theme::small;
    const int first = firstShown();
    if (first > 0) addEarlier(first);
    for (int i = first; i < count(); ++i) addToken(i);
    if (saysNext_) addNext();
    return std::move(scene_);
  }

 private:
  int count() const { return input_.countOf(stream_); }
  const Decoded& decoded() const { return *input_.snapshot.decoded; }
  bool hasNext() const {
    return stream_ == Stream::Text && input_.snapshot.model->continues() && input_.snapshot.isDecoded() &&
           !decoded().continuation.empty();
  }
  int next() const { return decoded().continuation.front(); }
  std::string nextWords() const {
    return input_.entryLabel(next()) + " " +
           formattedPercent(valueOf(scene_.sources, nextProbability()).value_or(0));
  }
  static TensorRef nextProbability() { return {"continuation.probability", {0}}; }

  float widthOf(const std::string& words, float type) const {
    return std::ceil(input_.metrics.width(words, FontFace::Mono, type)) + 2 * padding;
  }
  float widthFrom(int first) const {
    float width = 0;
    for (int i = first; i < count(); ++i) width += widthOf(input_.label(i, stream_), type_);
    return width;
  }
  float nextWidth(float type) const { return saysNext_ ? arrowWidth + widthOf(nextWords(), type) : 0; }

  static std::string earlierWords(int count) { return "… " + std::to_string(count) + " earlier"; }
  int firstShown() const {
    const float room = input_.size.x - nextWidth(type_);
    if (widthFrom(0) <= room) return 0;
    const float left =
        room - input_.metrics.width(earlierWords(count()), FontFace::Ui, Theme::small) - earlierGap;
    int first = 0;
    while (first + 1 < count() && widthFrom(first) > left) ++first;
    return first;
  }

  void addEarlier(int count) {
    addText(scene_, {0, middle()}, earlierWords(count), theme_.note());
    x_ = input_.metrics.width(earlierWords(count), FontFace::Ui, Theme::small) + earlierGap;
  }

  float middle() const { return input_.size.y / 2; }
  Box takeChip(float width) {
    const float height = type_ + 12;
    const Box chip{x_, middle() - height / 2, width, height};
    x_ += width;
    return chip;
  }

  // Neighbours are told apart by a line below each: words of several tokens are seen to be several.
  void addToken(int i) {
    const Box chip = takeChip(widthOf(input_.label(i, stream_), type_));
    const bool chosen = i == input_.query(stream_), pointed = input_.hover.touches(i, stream_);
    if (pointed) scene_.add(Rect{chip, theme_.touched, {0, 0, 0, 0}, 4});
    if (chosen)
      addOutline(scene_, chip.inset(1), theme_.accent, 2);
    else
      scene_.add(Rect{{chip.x + 1, chip.bottom() - 2, chip.width - 2, 1}, theme_.line});
    addText(scene_, chip.center(), input_.label(i, stream_), {FontFace::Mono, type_, theme_.text},
            Align::Middle);
    HitRegion& hit = addHitRegion(scene_, chip, {},
                                  (stream_ == Stream::Text ? "token " : "source token ") + std::to_string(i));
    hit.target.token = i, hit.target.tokens = stream_;
    hit.target.text = "position " + std::to_string(i);
    hit.isToken = stream_ == Stream::Text &&
                  input_.snapshot.pass->tokensOf(stream_)[static_cast<std::size_t>(i)].isWritten();
    hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
  }

  void addNext() {
    scene_.add(Line{{{x_ + 6, middle()}, {x_ + arrowWidth - 6, middle()}}, theme_.quiet, 1.5f, true});
    x_ += arrowWidth;
    const Box chip = takeChip(widthOf(nextWords(), type_));
    addText(scene_, {chip.x + padding, middle()}, nextWords(), {FontFace::Mono, type_, theme_.accent}).value =
        nextProbability();
    HitRegion& hit = addHitRegion(scene_, chip, nextProbability(), "next token");
    hit.target.entry = next();
    hit.target.text = "next token";
  }

  const SceneInput& input_;
  const Theme& theme_;
  Stream stream_;
  Scene scene_;
  bool saysNext_;
  float type_ = Theme::body, x_ = 0;
};

}  // namespace

Scene textLineScene(const SceneInput& input, Stream stream, bool saysNext) {
  return TextLine(input, stream, saysNext).build();
}

}  // namespace glassformer
