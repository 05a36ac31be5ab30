#include "app/views/positions/shuffle_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/document/model_commands.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/engine/open_model.h"
#include "app/scene/format.h"
#include "app/views/positions/positions_picture.h"
#include "core/lens/shuffle.h"
#include "core/model/positional/none.h"

namespace glassformer {

namespace {

// What ViewSettings::choices calls the seed of the order.
constexpr const char* seedChoice = "positions.shuffle_seed";
int shuffleSeed(const ViewSettings& settings) {
  const std::string chosen(settings.chosen(seedChoice));
  return chosen.empty() ? 1 : std::atoi(chosen.c_str());
}

// The signs around a text, which nobody wrote, stay where they are.
void measureShuffledText(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  if (!begin("shuffling the text")(0, 1)) return;
  const auto [first, behind] = signsAround(*pass.tokenizer, pass.config());
  const auto seed = static_cast<std::uint64_t>(shuffleSeed(pass.workspace.settings));
  measureShuffle(pass.model, pass.trace, pass.workspace.interventions,
                 shuffledOrder(pass.trace.tokenCount(), first, behind, seed), set);
}

// "a", "a and b", "a, b and c".
std::string listedWords(const std::vector<std::string>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return list;
}

class ShufflePicture {
 public:
  explicit ShufflePicture(const SceneInput& input)
      : input_(input), theme_(input.theme), config_(input.config()), count_(input.tokenCount()) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
  }

  Scene drawn() {
    const auto rows = static_cast<float>(count_);
    Box area = contentOf(input_, scene_.size);
    addTitle(area);
    addResult(area.takeTop(56));
    area.takeTop(8);
    const Box words = area.takeTop(24);
    const float height = std::clamp(area.height / rows, leastRow, 34.0f);
    type_ = height >= 26 && area.width >= 1000 ? Theme::body : Theme::small;
    place(words);
    scene_.size.y = std::max(scene_.size.y, area.y + height * rows + marginOf(input_, scene_.size.x));
    addRows({area.x, area.y, area.width, height * rows});
    return std::move(scene_);
  }

 private:
  static constexpr float leastRow = 15;

  float number(const char* tensor, int i) const {
    return valueOf(scene_.sources, {tensor, {i}}).value_or(NAN);
  }
  int tokenAt(int place) const { return static_cast<int>(number(shuffle::order, place)); }
  int placeOf(int token) const { return static_cast<int>(number(shuffle::place, token)); }
  std::string quoted(int token) const { return "“" + input_.label(token) + "”"; }

  void addTitle(Box& area) {
    const auto next = [](ViewSettings& s) { s.choose(seedChoice, std::to_string(shuffleSeed(s) + 1)); };
    std::vector<std::vector<Choice>> choices = partChoices();
    choices.push_back(
        {{"Shuffle again", "Another random order of the tokens", false, commands::changeSettings(next)}});
    addViewHeader(scene_, input_, area, {"Shuffled tokens", "The same tokens in another order", choices});
  }

  // What tells places apart, to be taken out of the model and put back.
  std::vector<std::vector<Choice>> partChoices() const {
    const auto& loaded = input_.snapshot.model->loadedConfig;
    if (!loaded || !config_.hasAttention() || config_.kernel == AttentionKernel::Distance) return {};
    const auto choice = [&](const char* label, const char* tip, const char* field, bool isOut) {
      const auto asLoaded = std::ranges::find(configChoices(), std::string(field), &ConfigChoice::id);
      const std::string value = isOut ? valueOf(*asLoaded, *loaded) : "none";
      const ModelChanges changes = withChange(input_.workspace.changes, *loaded, field, value);
      return Choice{label, tip, isOut, commands::setModelChanges(changes)};
    };
    std::vector<Choice> choices;
    const auto isThere = [](const ModelConfig& c) { return c.positions != &noPositions(); };
    if (isThere(*loaded))
      choices.push_back(choice("No positions", "The model without position information",
                               "position_embedding_type", !isThere(config_)));
    if (loaded->mask.kind != MaskKind::None)
      choices.push_back(choice("No mask", "Every token attends to every other", "mask",
                               config_.mask.kind == MaskKind::None));
    return {choices};
  }

  // Not more than rounding leaves of equal numbers that are added up in another order.
  bool isNothing() const { return number(shuffle::total, 0) <= 1e-5f * number(shuffle::total, 1); }

  void addResult(const Box& box) {
    const TensorRef moved{shuffle::total, {0}}, whole{shuffle::total, {1}};
    const float share = number(shuffle::total, 0) / number(shuffle::total, 1);
    const std::string words =
        "‖Δ‖ = " + formatted(number(shuffle::total, 0)) +
        (isNothing() ? ": 0 to rounding, of ‖x‖ = " + formatted(number(shuffle::total, 1))
                     : ", " + formattedPercent(share) + " of ‖x‖ = " + formatted(number(shuffle::total, 1)));
    Text& text = addText(scene_, {box.x, box.y + 16}, words, {FontFace::Strong, Theme::title, theme_.text});
    text.value = moved, text.maxWidth = box.width;
    addHitRegion(scene_, {box.x, box.y + 4, box.width, 24}, moved, "difference in all");
    addText(scene_, {box.x, box.y + 42}, reasonWords(), theme_.note()).maxWidth = box.width;
  }

  std::string reasonWords() const {
    const std::vector<std::string> tells = whatTellsPlaces(config_);
    if (count_ < 2) return "One token has no other order.";
    if (tells.empty())
      return isNothing() ? "Neither positions nor a mask: attention takes the text for a set."
             : input_.workspace.interventions.empty()
                 ? "Neither positions nor a mask distinguishes positions, and yet outputs changed."
                 : "The model has neither positions nor a mask; interventions at single positions "
                   "distinguish them.";
    const std::string source = "Source of order information: " + listedWords(tells) + ".";
    return isNothing() ? source + " It has no effect on this text." : source;
  }

  struct ShuffleColumns {
    float number = 0, bar = 0, barWidth = 0, token = 0, lines = 0, linesEnd = 0, width = 0;
  };

  void place(const Box& words) {
    const float label = std::clamp(input_.widestLabel(Stream::Text, type_) + 20, 64.0f, 200.0f);
    columns_.token = words.x + label;  // where the text's own tokens end
    columns_.number = columns_.token + type_ * 5.6f;
    columns_.bar = columns_.number + 10;
    columns_.barWidth = std::max(60.0f, words.width * 0.28f);
    columns_.lines = columns_.bar + columns_.barWidth + 16;
    columns_.linesEnd = words.right() - label;
    columns_.width = label;
    const TextStyle quiet = theme_.note();
    addText(scene_, {columns_.token, words.y + 10}, "text order", quiet, Align::End);
    addText(scene_, {columns_.bar, words.y + 10}, "‖Δ_t‖", quiet);
    addText(scene_, {columns_.linesEnd, words.y + 10}, "shuffled", quiet);
  }

  bool isStrong(int token) const { return token == input_.query() || input_.hover.touches(token); }

  void addRows(const Box& rows) {
    float most = rangeOf(scene_.sources, {shuffle::norms, {}, -1, 0}).high;
    // Bars of what is nothing but rounding would look like something.
    most = isNothing() ? number(shuffle::total, 1) : roundedUp(most);
    for (int i = 0; i < count_; ++i) {
      const Box from = rows.cell(i, 0, count_, 1), to = rows.cell(placeOf(i), 0, count_, 1);
      const Rgba color = isStrong(i) ? theme_.text : theme_.quiet;
      scene_.add(Line{{{columns_.lines, from.center().y}, {columns_.linesEnd - 10, to.center().y}},
                      isStrong(i) ? color : theme_.quiet.faded(0.55f),
                      isStrong(i) ? 2.0f : 1.25f});
      addToken({columns_.token, from.center().y}, i, color, Align::End);
      addToken({columns_.linesEnd, to.center().y}, i, color, Align::Start);
      addNorm(from, i, most > 0 ? most : 1, color);
    }
    for (int i = 0; i < count_; ++i) {
      const Box row = rows.cell(i, 0, count_, 1);
      addRowHit({row.x, row.y, columns_.lines - row.x, row.height}, i, "token " + std::to_string(i));
      addRowHit({columns_.linesEnd - 10, row.y, columns_.width + 10, row.height}, tokenAt(i),
                "place " + std::to_string(i));
    }
  }

  void addToken(Point at, int token, Rgba color, Align side) {
    addText(scene_, at, input_.label(token), {FontFace::Mono, type_, color}, side).maxWidth =
        columns_.width - 8;
  }

  void addNorm(const Box& row, int token, float most, Rgba color) {
    const TensorRef norm{shuffle::norms, {token}};
    const float value = number(shuffle::norms, token);
    const int decimals = most >= 100 ? 1 : most >= 10 ? 2 : 3;
    addText(scene_, {columns_.number, row.center().y},
            isNothing() ? formatted(value) : formattedFixed(value, decimals), {FontFace::Mono, type_, color},
            Align::End)
        .value = norm;
    const float height = std::min(row.height * 0.6f, 14.0f);
    scene_.add(Bar{{columns_.bar, row.center().y - height / 2, columns_.barWidth, height},
                   norm,
                   {0, most},
                   theme_.attention});
  }

  void addRowHit(const Box& box, int token, std::string name) {
    HitRegion& hit = addHitRegion(scene_, box, {shuffle::norms, {token}}, std::move(name));
    hit.target.token = token;
    hit.target.text = quoted(token) + " at " + std::to_string(token) + ", now at " +
                      std::to_string(placeOf(token)) + "; its final vector is " +
                      formatted(number(shuffle::lengths, token)) + " long";
    hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    hit.tabStop = count_ <= 64;
  }

  const SceneInput& input_;
  const Theme& theme_;
  const ModelConfig& config_;
  int count_;
  Scene scene_;
  ShuffleColumns columns_;
  float type_ = Theme::small;  // of tokens and their numbers
};

}  // namespace

namespace needs {
const Need shuffledText{
    .name = "shuffled text", .onPass = measureShuffledText, .reads = readChoices<seedChoice>};
}  // namespace needs

Scene shuffleScene(const SceneInput& input) {
  const Snapshot& snapshot = input.snapshot;
  if (!snapshot.model->config) return emptyScene(input, "No model loaded", snapshot.standing.error);
  if (!snapshot.pass->hasTrace())
    return emptyScene(input, "No text to shuffle", snapshot.standing.errorOr("Type in the Text box."));
  if (!input.sources().contains(shuffle::norms)) return emptyScene(input, "Shuffling", waitingWords(input));
  return ShufflePicture(input).drawn();
}

}  // namespace glassformer
