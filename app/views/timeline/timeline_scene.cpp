#include "app/views/timeline/timeline_scene.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/decoding_commands.h"
#include "app/document/selection_commands.h"
#include "app/document/text_commands.h"
#include "app/drawing/parts.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float chipGap = 4, divide = 20, mostChip = 184, tallest = 52, stripArrow = 18;
constexpr const char* totalName = "strip.total";

class TimelineBuilder {
 public:
  explicit TimelineBuilder(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        snapshot_(input.snapshot),
        current_(snapshot_.isDecoded() && snapshot_.decoded->decoding == input.workspace.decoding) {
    const auto& way = snapshot_.decoded->way;
    if (way && way->leadsThrough(snapshot_.pass->text, snapshot_.pass->source)) way_ = way;
    scene_.sources = input.sources();
    const float height = std::min(input.size.y, tallest);
    line_ = {0, (input.size.y - height) / 2, 0, height};
  }

  Scene build() {
    const int texts = input_.tokenCount(), behind = decodedCount() - passed(),
              next = behind > 0 ? 0 : nextCount();
    float ahead = divide;
    for (int i = passed(); i < decodedCount(); ++i) ahead += decodedWidth(i) + chipGap;
    for (int i = 0; i < next; ++i) ahead += nextWidth(i) + chipGap;
    if (behind <= 0 && deadEnd()) ahead += deadEndWidth() + chipGap;
    if (hasTotal()) ahead += totalWidth();
    if (!writesOn()) ahead += input_.metrics.width(note(), FontFace::Ui, Theme::small) + 8;
    const int first = firstShown(texts, std::max(input_.size.x - ahead, input_.size.x * 0.3f));
    if (first > 0) addEarlier(first);
    for (int i = first; i < texts; ++i)
      if (decodedIndexOf(i) >= 0)
        addPlaceChip(decodedIndexOf(i), i);
      else
        addTextChip(i);
    addDivider();
    if (hasTotal()) addTotal();
    if (!writesOn()) addNote();
    for (int i = passed(); i < decodedCount(); ++i) addPlaceChip(i, -1);
    for (int i = 0; i < next; ++i) addNextChip(i);
    if (behind <= 0 && deadEnd()) addDeadEnd();
    scene_.size = {std::max(input_.size.x, line_.x), input_.size.y};
    return std::move(scene_);
  }

 private:
  bool writesOn() const { return snapshot_.model->continues() && !snapshot_.model->hasNoWeights(); }
  const char* note() const {
    if (snapshot_.model->hasNoWeights()) return "Recorded activations have no continuation.";
    return snapshot_.model->hasHead ? "A masked language model does not continue texts." : noHeadWords;
  }
  bool isWritten(int i) const { return snapshot_.pass->tokens[static_cast<std::size_t>(i)].isWritten(); }
  float labelWidth(const std::string& label, float size = Theme::small) const {
    return input_.metrics.width(label, FontFace::Mono, size);
  }
  float chipWidth(const std::string& above, float below) const {
    return std::min(std::max(labelWidth(above), below) + 16, mostChip);
  }
  float chipWidth(const std::string& above, const std::string& below) const {
    return chipWidth(above, labelWidth(below, Theme::small - 2));
  }
  float textWidth(int i) const {
    const int index = decodedIndexOf(i);
    return index >= 0 ? decodedWidth(index) : chipWidth(input_.label(i), std::to_string(i));
  }
  TensorRef ref(int i) const { return {"continuation.probability", {i}}; }
  float value(const TensorRef& at) const { return valueOf(scene_.sources, at).value_or(NAN); }
  // What the model says of a token, and, where it was drawn, the probability that it was drawn with.
  struct Numbers {
    TensorRef model, drawn;
  };
  static Numbers numbersOf(const char* set, int i) {
    return {{std::string(set) + ".probability", {i}}, {std::string(set) + ".drawn", {i}}};
  }
  bool hasDrawn(const Numbers& numbers) const { return std::isfinite(value(numbers.drawn)); }
  float percentWidth(const TensorRef& at) const {
    return labelWidth(formattedPercent(value(at)), Theme::small - 2);
  }
  float widthOf(const Numbers& numbers) const {
    return percentWidth(numbers.model) +
           (hasDrawn(numbers) ? stripArrow + percentWidth(numbers.drawn) : 0.0f);
  }
  int nextCount() const { return writesOn() ? static_cast<int>(snapshot_.decoded->continuation.size()) : 0; }
  int nextToken(int i) const { return snapshot_.decoded->continuation[static_cast<std::size_t>(i)]; }
  std::string nextLabel(int i) const { return input_.entryLabel(nextToken(i)); }
  float nextWidth(int i) const { return chipWidth(nextLabel(i), widthOf(numbersOf("continuation", i))); }

  // The tokens that were decoded, those behind the text, too.
  const std::vector<DecodedToken>& decoded() const {
    static const std::vector<DecodedToken> none;
    return way_ ? way_->tokens : none;
  }
  int decodedCount() const { return static_cast<int>(decoded().size()); }
  // How many of them the text has.
  int passed() const {
    return static_cast<int>(std::ranges::count_if(
        decoded(), [&](const DecodedToken& token) { return token.end <= snapshot_.pass->text.size(); }));
  }
  // Of a token of the text; −1: it was there before.
  int decodedIndexOf(int i) const {
    const int index = i - (input_.tokenCount() - passed());
    return index >= 0 ? index : -1;
  }
  const DecodedToken& decoded(int i) const { return decoded()[static_cast<std::size_t>(i)]; }
  std::string textTo(int i) const { return i < 0 ? way_->from.text : way_->to.substr(0, decoded(i).end); }
  float decodedWidth(int i) const {
    const float forced = isForced(i) ? labelWidth(forcedWord, Theme::small - 2) : 0;
    return chipWidth(input_.entryLabel(decoded(i).token), widthOf(numbersOf("way", i)) + forced);
  }
  static constexpr const char* forcedWord = " forced";
  bool isForced(int i) const { return decoded(i).by == ChosenBy::Hand; }
  bool isBanned(int token) const {
    return std::ranges::binary_search(input_.workspace.decoding.constraint.banned, token);
  }
  const DeadEnd* deadEnd() const {
    return current_ && snapshot_.decoded->deadEnd ? &*snapshot_.decoded->deadEnd : nullptr;
  }
  static constexpr const char* deadEndTitle = "dead end";
  std::string deadEndStep() const { return "no token " + std::to_string(deadEnd()->step); }
  float deadEndWidth() const { return chipWidth(deadEndTitle, deadEndStep()); }

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

  void addLabel(const Box& box, const std::string& label, Rgba ink) {
    addText(scene_, {box.center().x, box.y + box.height * 0.31f}, label, {FontFace::Mono, Theme::small, ink},
            Align::Middle)
        .maxWidth = box.width - 8;
  }
  Text& addLabels(const Box& box, const std::string& above, const std::string& below, Rgba ink, Rgba quiet) {
    addLabel(box, above, ink);
    return addText(scene_, {box.center().x, box.y + box.height * 0.67f}, below,
                   {FontFace::Mono, Theme::small - 2, quiet}, Align::Middle);
  }

  // Below the label, as far as the chip has room: "4.7 % → 49.4 %".
  void addNumbers(const Box& box, const Numbers& numbers, const std::string& word, float strength) {
    const TextStyle quiet{FontFace::Mono, Theme::small - 2, theme_.quiet.faded(strength)};
    const float y = box.y + box.height * 0.67f;
    float x = box.center().x - (widthOf(numbers) + labelWidth(word, quiet.size)) / 2;
    const auto add = [&](const TensorRef& at) {
      addText(scene_, {x, y}, formattedPercent(value(at)), quiet).value = at;
      x += percentWidth(at);
    };
    add(numbers.model);
    if (hasDrawn(numbers)) {
      addText(scene_, {x + stripArrow / 2, y}, "→", quiet, Align::Middle);
      x += stripArrow;
      add(numbers.drawn);
    }
    if (!word.empty())
      addText(scene_, {x, y}, word, {FontFace::Mono, quiet.size, theme_.feedForward.faded(strength)});
    addBars(box, numbers, strength);
  }
  // The model's, and below it the one that it was drawn with.
  void addBars(const Box& box, const Numbers& numbers, float strength) {
    const Rgba color = colorAt(ColorMap::Sequential, 0.7f, theme_.dark).faded(strength);
    const auto bar = [&](const TensorRef& at, float y, Rgba ink) {
      scene_.add(Bar{{box.x + 4, y, box.width - 8, 2}, at, {0, 1}, ink, false, 1});
    };
    const bool both = hasDrawn(numbers);
    bar(numbers.model, box.bottom() - (both ? 7 : 5), both ? theme_.quiet.faded(strength) : color);
    if (both) bar(numbers.drawn, box.bottom() - 4, color);
  }
  std::string drawnWords(const Numbers& numbers) const {
    return hasDrawn(numbers) ? "\n" + formattedPercent(value(numbers.model)) + " by the model, drawn with " +
                                   formattedPercent(value(numbers.drawn))
                             : "";
  }
  // What would not be taken today.
  void addBannedMark(const Box& box, const std::string& label) {
    const float width = std::min(labelWidth(label), box.width - 8), y = box.y + box.height * 0.31f;
    scene_.add(
        Line{{{box.center().x - width / 2, y}, {box.center().x + width / 2, y}}, theme_.feedForward, 1.5f});
  }

  bool hasTotal() const { return current_ && scene_.sources.contains(totalName); }
  std::string totalWords() const { return formattedFixed(value({totalName, {0}}), 2); }
  float totalWidth() const { return chipWidth("ln P", totalWords()) + chipGap; }
  // ln P of all that was decoded and of all that would follow.
  void addTotal() {
    const Box box = takeChip(totalWidth() - chipGap);
    addLabels(box, "ln P", totalWords(), theme_.text, theme_.text).value = {totalName, {0}};
    HitRegion& hit = addHitRegion(scene_, box, {totalName, {0}}, "ln P of the continuation");
    hit.target.text = "log probability of the whole continuation, later tokens included";
  }

  void addTextChip(int i) {
    const Box box = takeChip(textWidth(i));
    const bool selected = i == input_.query(), pointed = input_.hover.touches(i);
    scene_.add(Rect{box, pointed ? theme_.touched : theme_.raised,
                    selected ? theme_.accent : Rgba{0, 0, 0, 0}, 4, 1.5f});
    addLabels(box, input_.label(i), std::to_string(i), theme_.text, theme_.quiet);
    const bool banned = isBanned(snapshot_.pass->tokens[static_cast<std::size_t>(i)].id);
    if (banned) addBannedMark(box, input_.label(i));
    HitRegion& hit = addHitRegion(scene_, box, {}, "token " + std::to_string(i));
    hit.target.token = i;
    hit.target.text =
        "position " + std::to_string(i) +
        (isWritten(i) ? ": its next token is selected\nright click to change it, drag to move it"
         : i == 0     ? ": special token that begins the text (BOS)"
                      : ": special token that ends the text (EOS)") +
        (banned ? "\nbanned from the continuation" : "");
    hit.isToken = isWritten(i);
    hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    if (passed() > 0 && i + 1 == input_.tokenCount() - passed()) {
      hit.target.text += "\nclick to go to the prompt end";
      hit.extend = hit.click;
      hit.click = [text = textTo(-1)](const Target&) { return commands::goToPrefix(text); };
    }
  }

  // A token that was decoded, in the text or, once one has gone back, behind it: with the probability that it
  // was decoded with. A click goes there; what lies behind stays.
  void addPlaceChip(int i, int token) {
    const Box box = takeChip(decodedWidth(i));
    const bool isHere = i + 1 == passed(), selected = token >= 0 && token == input_.query(),
               pointed = token >= 0 && input_.hover.touches(token), isBehind = token < 0;
    const Rgba fill = pointed ? theme_.touched : isBehind ? Rgba{0, 0, 0, 0} : theme_.raised;
    scene_.add(Rect{box, fill,
                    selected   ? theme_.accent
                    : isBehind ? theme_.line
                               : Rgba{0, 0, 0, 0},
                    4, selected ? 1.5f : 1.0f});
    const Numbers numbers = numbersOf("way", i);
    const std::string label = input_.entryLabel(decoded(i).token);
    addLabel(box, label, isBehind ? theme_.quiet : theme_.text);
    addNumbers(box, numbers, isForced(i) ? forcedWord : "", 1);
    if (isBanned(decoded(i).token)) addBannedMark(box, label);
    const float entropy = valueOf(scene_.sources, {"way.entropy", {i}}).value_or(0);
    HitRegion& hit = addHitRegion(scene_, box, numbers.model, "place " + std::to_string(i + 1));
    hit.target.token = token;
    hit.target.entry = decoded(i).token;
    hit.target.text = "decoded token " + std::to_string(i) + chooserWords(i) + ", H " +
                      formattedFixed(entropy, 2) + " nats" + drawnWords(numbers) +
                      (isBanned(decoded(i).token) ? "\nbanned from the continuation" : "") +
                      (isHere ? "" : "\nclick to go there; later tokens are kept");
    hit.isToken = token >= 0 && isWritten(token);
    if (isHere)
      hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    else
      hit.click = [text = textTo(i)](const Target&) { return commands::goToPrefix(text); };
    if (token >= 0 && !isHere)
      hit.extend = [](const Target& target) { return commands::selectQuery(target.token); };
  }

  std::string chooserWords(int i) const {
    static constexpr std::array words{", by greedy decoding", ", by sampling", ", by beam search",
                                      ", forced by hand"};
    const std::optional<ChosenBy> by = decoded(i).by;
    return by ? words[static_cast<std::size_t>(*by)] : "";
  }

  // Where the constraint lets nothing follow.
  void addDeadEnd() {
    const Box box = takeChip(deadEndWidth());
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.feedForward, 4, 1.5f});
    addLabels(box, deadEndTitle, deadEndStep(), theme_.feedForward, theme_.quiet);
    HitRegion& hit = addHitRegion(scene_, box, {}, "dead end");
    hit.target.text = describe(*deadEnd());
  }

  // A model of gaps appends nothing.
  void addNote() {
    addText(scene_, {line_.x, line_.center().y}, note(), theme_.note()).maxWidth =
        std::max(64.0f, input_.size.x - line_.x);
  }

  void addDivider() {
    const float x = line_.x + divide / 2 - chipGap / 2;
    scene_.add(Line{{{x, line_.y}, {x, line_.bottom()}}, theme_.line});
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
    scene_.add(
        Rect{box, lit ? theme_.accent.faded(0.16f) : Rgba{0, 0, 0, 0}, lit ? theme_.accent : theme_.line, 4});
    const Numbers numbers = numbersOf("continuation", i);
    addLabel(box, nextLabel(i), (lit ? theme_.text : theme_.quiet).faded(strength));
    addNumbers(box, numbers, "", strength);
    HitRegion& hit = addHitRegion(scene_, box, ref(i), "next token " + std::to_string(i));
    hit.target.entry = nextToken(i);
    if (current_) {
      const std::string added = snapshot_.model->bytesOf(
          std::span(snapshot_.decoded->continuation).first(static_cast<std::size_t>(i) + 1));
      hit.target.text = "append up to here" + drawnWords(numbers);
      hit.click = [base = snapshot_.pass->text, added, by = chosenBy(input_.workspace.decoding.strategy)](
                      const Target&) { return commands::appendText(base, added, by); };
    }
  }

  const SceneInput& input_;
  const Theme& theme_;
  const Snapshot& snapshot_;
  bool current_;
  std::shared_ptr<const DecodedPath> way_;  // null: the text is on none
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
