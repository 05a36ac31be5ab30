#include "app/views/timeline/timeline_scene.h"

#include "app/document/selection_commands.h"
#include "app/document/text_commands.h"
#include "app/drawing/parts.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float chipGap = 4, divide = 20, mostChip = 160, tallest = 52;

class TimelineBuilder {
 public:
  explicit TimelineBuilder(const SceneInput& input)
      : input_(input), theme_(input.theme), snapshot_(input.snapshot), current_(snapshot_.isDecoded()) {
    scene_.sources = input.sources();
    const float height = std::min(input.size.y, tallest);
    line_ = {0, (input.size.y - height) / 2, 0, height};
  }

  Scene build() {
    const int texts = input_.tokenCount(), next = nextCount();
    float ahead = divide;
    for (int i = 0; i < next; ++i) ahead += nextWidth(i) + chipGap;
    if (!snapshot_.model->continues()) ahead += input_.metrics.width(note(), FontFace::Ui, Theme::small) + 8;
    const int first = firstShown(texts, std::max(input_.size.x - ahead, input_.size.x * 0.3f));
    if (first > 0) addEarlier(first);
    for (int i = first; i < texts; ++i) addTextChip(i);
    addDivider();
    if (!snapshot_.model->continues()) addNote();
    for (int i = 0; i < next; ++i) addNextChip(i);
    scene_.size = {std::max(input_.size.x, line_.x), input_.size.y};
    return std::move(scene_);
  }

 private:
  const char* note() const {
    return snapshot_.model->hasHead ? "This model fills gaps; it does not go on writing." : noHeadWords;
  }
  bool isWritten(int i) const { return snapshot_.pass->tokens[static_cast<std::size_t>(i)].isWritten(); }
  float labelWidth(const std::string& label, float size = Theme::small) const {
    return input_.metrics.width(label, FontFace::Mono, size);
  }
  float chipWidth(const std::string& above, const std::string& below) const {
    return std::min(std::max(labelWidth(above), labelWidth(below, Theme::small - 2)) + 16, mostChip);
  }
  float textWidth(int i) const { return chipWidth(input_.label(i), std::to_string(i)); }
  TensorRef ref(int i) const { return {"continuation.probability", {i}}; }
  int nextCount() const {
    return snapshot_.model->continues() ? static_cast<int>(snapshot_.decoded->continuation.size()) : 0;
  }
  int nextToken(int i) const { return snapshot_.decoded->continuation[static_cast<std::size_t>(i)]; }
  std::string percent(int i) const { return formattedPercent(valueOf(scene_.sources, ref(i)).value_or(0)); }
  std::string nextLabel(int i) const {
    const int token = nextToken(i);
    return input_.snapshot.model->bytesOf(std::span(&token, 1)).empty() ? "end" : input_.entryLabel(token);
  }
  float nextWidth(int i) const { return chipWidth(nextLabel(i), percent(i)); }

  std::string earlierWords(int count) const { return "… " + std::to_string(count) + " earlier"; }
  // Of the words for as many as there could be.
  float earlierWidth(int texts) const {
    return input_.metrics.width(earlierWords(texts), FontFace::Ui, Theme::small) + 12;
  }

  int firstShown(int texts, float room) const {
    const float earlier = earlierWidth(texts);
    float used = 0;
    for (int i = texts - 1; i >= 0; --i) {
      used += textWidth(i) + chipGap;
      if (used + (i > 0 ? earlier : 0) > room) return std::min(i + 1, texts - 1);
    }
    return 0;
  }

  Box takeChip(float width) {
    const Box box{line_.x, line_.y, width, line_.height};
    line_.x += width + chipGap;
    return box;
  }

  void addEarlier(int count) {
    addText(scene_, {0, line_.center().y}, earlierWords(count), theme_.note());
    line_.x += earlierWidth(input_.tokenCount());
  }

  Text& addLabels(const Box& box, const std::string& above, const std::string& below, Rgba ink, Rgba quiet) {
    addText(scene_, {box.center().x, box.y + box.height * 0.31f}, above, {FontFace::Mono, Theme::small, ink},
            Align::Middle)
        .maxWidth = box.width - 8;
    return addText(scene_, {box.center().x, box.y + box.height * 0.67f}, below,
                   {FontFace::Mono, Theme::small - 2, quiet}, Align::Middle);
  }

  void addTextChip(int i) {
    const Box box = takeChip(textWidth(i));
    const bool selected = i == input_.query(), pointed = input_.hover.touches(i);
    scene_.add(Rect{box, pointed ? theme_.touched : theme_.raised,
                    selected ? theme_.accent : Rgba{0, 0, 0, 0}, 4, 1.5f});
    addLabels(box, input_.label(i), std::to_string(i), theme_.text, theme_.quiet);
    HitRegion hit;
    hit.box = box;
    hit.target.token = i;
    hit.target.text =
        "position " + std::to_string(i) +
        (isWritten(i) ? ": what comes after it is shown\nright click to change it, drag to move it"
         : i == 0     ? ": the start sign"
                      : ": the sign behind the text");
    hit.isToken = isWritten(i);
    hit.name = "token " + std::to_string(i);
    hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    scene_.hits.push_back(std::move(hit));
  }

  // A model of gaps appends nothing.
  void addNote() {
    addText(scene_, {line_.x, line_.center().y}, note(), theme_.note()).maxWidth =
        std::max(64.0f, input_.size.x - line_.x);
  }

  void addDivider() {
    const float x = line_.x + divide / 2 - chipGap / 2;
    scene_.add(Line{{{x, line_.y}, {x, line_.bottom()}}, theme_.line, 1, false});
    line_.x += divide;
  }

  // From the first to the pointed one: what a click accepts.
  bool wouldAccept(int i) const {
    return current_ && !input_.hover.cell.empty() && input_.hover.cell.tensor == "continuation.probability" &&
           i <= input_.hover.cell.index[0];
  }

  void addNextChip(int i) {
    const Box box = takeChip(nextWidth(i));
    const bool lit = wouldAccept(i);
    const float strength = current_ ? 1.0f : 0.45f;
    scene_.add(Rect{box, lit ? theme_.accent.faded(0.16f) : Rgba{0, 0, 0, 0},
                    lit ? theme_.accent : theme_.line, 4, 1});
    addLabels(box, nextLabel(i), percent(i), (lit ? theme_.text : theme_.quiet).faded(strength),
              theme_.quiet.faded(strength))
        .value = ref(i);
    scene_.add(Bar{{box.x + 4, box.bottom() - 5, box.width - 8, 2},
                   ref(i),
                   {0, 1},
                   colorAt(ColorMap::Sequential, 0.7f, theme_.dark).faded(strength),
                   false,
                   1});
    HitRegion hit;
    hit.box = box;
    hit.target.cell = ref(i);
    hit.target.entry = nextToken(i);
    hit.name = "next token " + std::to_string(i);
    if (current_) {
      const std::string added = snapshot_.model->bytesOf(
          std::span(snapshot_.decoded->continuation).first(static_cast<std::size_t>(i) + 1));
      hit.target.text = "append up to here";
      hit.click = [base = snapshot_.pass->text, added](const Target&) {
        return commands::appendText(base, added);
      };
    }
    scene_.hits.push_back(std::move(hit));
  }

  const SceneInput& input_;
  const Theme& theme_;
  const Snapshot& snapshot_;
  bool current_;
  Scene scene_;
  Box line_;  // x: where the next chip starts
};

}  // namespace

Scene timelineScene(const SceneInput& input) {
  if (input.snapshot.pass->hasTrace()) return TimelineBuilder(input).build();
  Scene scene;
  scene.size = input.size;
  scene.sources = input.sources();
  addText(scene, {0, input.size.y / 2}, "The tokens of the text, and those that follow, appear here.",
          input.theme.note());
  return scene;
}

}  // namespace glassformer
