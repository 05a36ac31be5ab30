#include "app/views/next_token/strategies_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/decoding_commands.h"
#include "app/document/strategies_settings.h"
#include "app/document/view_commands.h"
#include "app/engine/strategies.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"
#include "app/views/next_token/next_token_picture.h"

namespace glassformer {

namespace {

constexpr float leastStrategyRow = 38, mostStrategyRow = 46, sampleRow = 26, strategiesHeading = 24,
                leastStrategyChip = 54, mostStrategyChip = 128, numberColumn = 76;

class StrategiesPicture {
 public:
  explicit StrategiesPicture(const SceneInput& input)
      : picture_(input),
        scene_(picture_.scene),
        input_(input),
        theme_(input.theme),
        tokens_(*scene_.sources.find(strategies::token)),
        depth_(tokens_.extent[1]) {}

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    addNextTokenHeader(picture_, area, "Strategies",
                       "The text continued by each strategy; p is the model's probability of each token");
    area.takeTop(8);
    // There is room for two samples below in any case.
    constexpr auto count = static_cast<float>(comparedStrategies.size());
    const float samples = 24 + Theme::control + 8 + 2 * sampleRow;
    row_ = std::clamp((area.height - samples - strategiesHeading) / count, leastStrategyRow, mostStrategyRow);
    addStrategies(area.takeTop(strategiesHeading + row_ * count));
    area.takeTop(24);
    addSamples(area);
    return std::move(scene_);
  }

 private:
  float value(const char* tensor, int i, int j = 0) const {
    return valueOf(scene_.sources, {tensor, {i, j}}).value_or(NAN);
  }
  const Decoding& decoding() const { return input_.workspace.decoding; }

  // A row: its name, its tokens, and its three numbers.
  struct Columns {
    Box names, tokens, numbers;
  };
  Columns columnsOf(Box row) const {
    Columns columns;
    columns.names = row.takeLeft(std::clamp(row.width * 0.17f, 124.0f, 190.0f));
    columns.numbers = row.takeRight(static_cast<float>(numberCount()) * numberColumn);
    columns.tokens = row;
    columns.tokens.width -= 12;
    return columns;
  }
  int numberCount() const { return scene_.size.x < 800 ? 2 : 3; }

  void addHeading(const Box& box, const char* words, Align align) {
    const float x = align == Align::End ? box.right() : box.x;
    addText(scene_, {x, box.center().y}, words, theme_.note(), align).maxWidth = box.width - 8;
  }

  void addStrategies(Box area) {
    const Columns heading = columnsOf(area.takeTop(strategiesHeading));
    addHeading(heading.tokens, "continuation", Align::Start);
    static constexpr const char* numbers[] = {"Σ ln p", "per token", "tokens"};
    for (int i = 0; i < numberCount(); ++i)
      addHeading(heading.numbers.cell(0, i, 1, numberCount()), numbers[i], Align::End);
    for (std::size_t i = 0; i < comparedStrategies.size(); ++i)
      addStrategy(static_cast<int>(i), area.takeTop(row_));
  }

  std::string nameOfRow(const ComparedStrategy& s) const {
    if (s.isExact) return s.name;
    if (s.strategy == DecodingStrategy::Beam) return "Beam of " + std::to_string(decoding().beamWidth);
    if (s.strategy == DecodingStrategy::Sampling)
      return s.narrowed ? "Sampling, seed " + std::to_string(decoding().seed) : "…without filters";
    return s.name;
  }

  void addStrategy(int row, const Box& box) {
    const ComparedStrategy& strategy = comparedStrategies[static_cast<std::size_t>(row)];
    const Columns columns = columnsOf(box);
    const bool chosen = strategy.strategy == decoding().strategy && !strategy.isExact &&
                        strategy.id != std::string_view("plain");
    addText(scene_, {columns.names.x, box.center().y - (strategy.isExact ? 8.0f : 0.0f)}, nameOfRow(strategy),
            {chosen ? FontFace::Strong : FontFace::Ui, Theme::small, chosen ? theme_.accent : theme_.text})
        .maxWidth = columns.names.width - 8;
    if (strategy.isExact)
      addSearch(columns.names);
    else
      addName(strategy, chosen, columns.names);
    if (std::isnan(value(strategies::total, row)))
      return addHeading(columns.tokens, strategy.isExact ? "still searching" : "not computed yet",
                        Align::Start);
    const int count = lengthOf(strategies::token, row);
    addChips(row, count, columns.tokens);
    addNumbers(row, count, columns.numbers);
  }

  // Whether the beam found it: what search missed, the model is not to blame for.
  void addSearch(const Box& box) {
    const int calls = static_cast<int>(value(strategies::exact, 0));
    const bool proved = value(strategies::exact, 1) > 0;
    const float best = value(strategies::total, rowOf("exact")),
                beam = value(strategies::total, rowOf("beam"));
    const bool isThere = std::isfinite(best) && std::isfinite(beam);
    const std::string words = !isThere                        ? "tried so far: " + std::to_string(calls)
                              : !proved                       ? "not proved"
                              : std::abs(best - beam) < 1e-4f ? "the beam found it"
                                                              : "the beam missed it";
    addText(scene_, {box.x, box.center().y + 9}, words, {FontFace::Ui, Theme::small - 1, theme_.quiet})
        .maxWidth = box.width - 8;
    HitRegion& hit = addHitRegion(scene_, box.inset(0, 3), {strategies::exact, {0}}, "strategy exact");
    const char* const state = !isThere ? "still searched, with "
                              : proved ? "proved with "
                                       : "not proved with ";
    hit.target.text = "The highest score of any " + countWords(decoding().depth, "token") + ", " + state +
                      countWords(calls, "call") + " of the model";
  }
  static int rowOf(std::string_view id) {
    return static_cast<int>(std::ranges::find(comparedStrategies, id, &ComparedStrategy::id) -
                            comparedStrategies.begin());
  }

  void addName(const ComparedStrategy& strategy, bool chosen, const Box& box) {
    HitRegion& hit = addHitRegion(scene_, box.inset(0, 3), {}, std::string("strategy ") + strategy.id);
    hit.target.text =
        std::string(strategy.name) + (chosen ? ": chosen strategy" : ": click to choose this strategy");
    Decoding other = decoding();
    other.strategy = strategy.strategy;
    if (!strategy.narrowed && strategy.strategy == DecodingStrategy::Sampling) other.stages = {};
    hit.click = [other](const Target&) { return commands::setDecoding(other, nameOf(other.strategy)); };
  }

  int lengthOf(const char* tensor, int row) const {
    int count = 0;
    while (count < depth_ && std::isfinite(value(tensor, row, count))) ++count;
    return count;
  }

  void addChips(int row, int count, Box area) {
    const float width =
        std::clamp(area.width / static_cast<float>(depth_), leastStrategyChip, mostStrategyChip);
    const int fitting = std::max(1, static_cast<int>(area.width / width + 0.01f));
    const bool all = count <= fitting;
    const int shown = all ? count : fitting - 1;
    for (int i = 0; i < shown; ++i) addChip(row, i, area.takeLeft(width).inset(1.5f, 5));
    if (!all)
      addText(scene_, {area.x + 4, area.center().y}, "+ " + std::to_string(count - shown), theme_.note());
  }

  void addChip(int row, int i, const Box& box) {
    const int token = static_cast<int>(value(strategies::token, row, i));
    const TensorRef p{strategies::probability, {row, i}};
    scene_.add(Rect{box, theme_.raised, theme_.line, 4});
    addText(scene_, {box.x + 6, box.y + box.height * 0.27f}, input_.entryLabel(token), theme_.mono())
        .maxWidth = box.width - 10;
    addText(scene_, {box.x + 6, box.y + box.height * 0.61f},
            formattedPercent(value(strategies::probability, row, i)),
            {FontFace::Mono, Theme::small - 3, theme_.quiet})
        .value = p;
    addBar(scene_, input_, {{0, 1}, 0, 0, 3}, {{box.x + 4, box.bottom() - 5, box.width - 8, 3}, p});
    HitRegion& hit = addHitRegion(scene_, box, p);
    hit.target.entry = token, hit.tabStop = false;
    hit.target.text = "“" + input_.entryLabel(token) + "” given all before it";
  }

  void addNumbers(int row, int count, const Box& box) {
    const TensorRef total{strategies::total, {row}};
    const float sum = value(strategies::total, row);
    const TextStyle style = theme_.mono();
    const auto number = [&](int column, const std::string& words) -> Text& {
      const Box cell = box.cell(0, column, 1, numberCount());
      return addText(scene_, {cell.right(), cell.center().y}, words, style, Align::End);
    };
    number(0, formattedFixed(sum, 3)).value = total;
    if (count > 0) number(1, formattedFixed(sum / static_cast<float>(count), 3));
    if (numberCount() > 2) number(2, std::to_string(count));
    HitRegion& hit =
        addHitRegion(scene_, box.cell(0, 0, 1, numberCount()), total,
                     std::string("total ") + comparedStrategies[static_cast<std::size_t>(row)].id);
    hit.target.text = "probability of the whole continuation";
  }

  void addSamples(Box area) {
    const int ended = static_cast<int>(value(strategies::found, 0)),
              different = static_cast<int>(value(strategies::found, 1));
    const int drawn = samplesDrawn(input_.workspace.settings);
    const Box heading = area.takeTop(Theme::control + 4);
    const Box choices =
        addChoices(scene_, input_, {heading.right(), heading.y}, {samples(fewSamples), samples(manySamples)});
    const Box said{heading.x, choices.y, choices.x - heading.x - 8, choices.height};
    addText(scene_, {said.x, said.center().y},
            std::to_string(ended) + (ended < drawn ? " of " + std::to_string(drawn) : "") +
                " samples, seeds from " + std::to_string(decoding().seed) + ": " + std::to_string(different) +
                " different",
            theme_.strong())
        .maxWidth = said.width;
    addNumberHit(said, {strategies::found, {1}}, "different samples", "Number of different samples");
    area.takeTop(4);
    const int listed = std::min(scene_.sources.find(strategies::count)->extent[0],
                                std::max(1, static_cast<int>(area.height / sampleRow)));
    float most = 0;
    for (int row = 0; row < listed; ++row)
      most = std::max({most, value(strategies::count, row), value(strategies::expected, row)});
    for (int row = 0; row < listed && value(strategies::count, row) > 0; ++row)
      addSample(row, area.takeTop(sampleRow), most);
  }

  Choice samples(int count) const {
    const bool many = count == manySamples;
    return {many ? "1000" : "100", "Number of samples", samplesDrawn(input_.workspace.settings) == count,
            commands::choose(samplesChoice, many ? manySamplesChosen : "")};
  }

  void addSample(int row, const Box& box, float most) {
    Columns columns = columnsOf(box);
    const float count = value(strategies::count, row), expected = value(strategies::expected, row);
    const Box words{box.x, box.y, columns.tokens.right() - box.x, box.height};
    std::string text;
    for (int i = 0; i < lengthOf(strategies::sampled, row); ++i)
      text += input_.entryLabel(static_cast<int>(value(strategies::sampled, row, i)));
    addText(scene_, {words.x, words.center().y}, text, theme_.mono()).maxWidth = words.width;
    const Box numbers = columns.numbers.takeRight(numberColumn);
    const Box bar = columns.numbers.inset(0, 7);
    addBar(scene_, input_, {{0, most}, 0, 0, bar.height}, {bar, {strategies::count, {row}}});
    const float x = bar.x + bar.width * expected / most;
    scene_.add(Line{{{x, bar.y - 3}, {x, bar.bottom() + 3}}, theme_.text, 2});
    const std::string expectedWords = formattedFixed(expected, 1);
    addText(scene_, {numbers.right(), numbers.center().y},
            std::to_string(static_cast<int>(count)) + " · " + expectedWords, theme_.mono(), Align::End)
        .value = TensorRef{strategies::count, {row}};
    HitRegion& hit =
        addHitRegion(scene_, box.inset(0, 1), {strategies::count, {row}}, "sample " + std::to_string(row));
    const auto seed = decoding().seed + static_cast<std::uint64_t>(value(strategies::first, row));
    hit.target.text = "drawn " + countWords(static_cast<int>(count), "time") + ", " +
                      formattedFixed(expected, 1) + " expected; click to continue with it, by seed " +
                      std::to_string(seed);
    Decoding other = decoding();
    other.strategy = DecodingStrategy::Sampling, other.seed = seed;
    hit.click = [other](const Target&) {
      return commands::setDecoding(other, "seed " + std::to_string(other.seed));
    };
    const float width = input_.metrics.width(expectedWords, theme_.mono().face, theme_.mono().size);
    addNumberHit({numbers.right() - width, box.y + 1, width, box.height - 2}, {strategies::expected, {row}},
                 "expected " + std::to_string(row), "share of all samples expected for this one");
  }

  // A number that says what it is, and opens.
  void addNumberHit(const Box& box, const TensorRef& cell, std::string name, std::string words) {
    HitRegion& hit = addHitRegion(scene_, box, cell, std::move(name));
    hit.target.text = std::move(words);
    hit.tabStop = false;
  }

  NextTokenPicture picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  TensorView tokens_;
  int depth_;
  float row_ = mostStrategyRow;
};

}  // namespace

Scene strategiesScene(const SceneInput& input) {
  if (auto empty = withoutPrediction(input)) return std::move(*empty);
  if (!input.snapshot.model->continues())
    return emptyScene(input, "No continuation", "a masked language model does not continue texts");
  if (input.snapshot.pass->trace->tokenCount() >= input.config().context)
    return emptyScene(input, "No room to continue", "the text fills the model's context");
  if (!input.sources().contains(strategies::token))
    return emptyScene(input, "Strategies", waitingWords(input));
  return StrategiesPicture(input).drawn();
}

}  // namespace glassformer
