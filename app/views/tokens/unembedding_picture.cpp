#include "app/views/tokens/unembedding_picture.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "app/document/model_commands.h"
#include "app/document/selection_commands.h"
#include "app/drawing/view_header.h"
#include "app/drawing/wording.h"
#include "app/engine/job.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"
#include "core/lens/unembedding.h"

namespace glassformer {

namespace {

// Of a model as it stands: of a vocabulary of tens of thousands that takes too long for every pass.
class UnembeddingMeasurement final : public WholeJob<std::shared_ptr<const Transformer>> {
 public:
  explicit UnembeddingMeasurement(int /*threads*/) {}

 private:
  using Model = std::shared_ptr<const Transformer>;

  std::optional<Model> key(const JobSide& side) const override {
    return side.isMoving() ? std::nullopt : std::optional(side.model);
  }
  Result measureAll(const Model& model, const JobSide&, const StartJob& begin) override {
    auto set = std::make_shared<TensorSet>();
    measureUnembedding(*model, *set, begin("comparing E and W_U"));
    return set->count() > 0 ? Result({std::move(set)}) : std::nullopt;
  }
};

class UnembeddingPicture {
 public:
  explicit UnembeddingPicture(const SceneInput& input)
      : input_(input), theme_(input.theme), config_(input.config()) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
    position_ = std::max(input.query(), 0);
    const std::vector<int>& read = input.snapshot.pass->trace->tokens();
    text_.assign(read.begin(), read.end());
    likeliest_ = likeliest();
  }

  Scene drawn() {
    const auto rows = static_cast<float>(text_.size() + likeliest_.size());
    Box area = contentOf(input_, scene_.size);
    addTitle(area);
    addWords(area.takeTop(28));
    Box column = area.takeRight(std::clamp(area.width * 0.32f, 176.0f, 420.0f));
    area.takeRight(24);
    place(area);
    const float height = std::clamp((area.height - 2 * heading) / rows, leastRow, 28.0f);
    area.height = std::max(area.height, 2 * heading + height * rows);
    scene_.size.y = std::max(scene_.size.y, area.bottom() + marginOf(input_, scene_.size.x));
    in_ = rangeOfRows(unembedding::embeddingWeights), out_ = rangeOfRows(outWeights());
    addGroup(area, "in the text", text_, height, true);
    addGroup(
        area,
        std::string(input_.snapshot.model->continues() ? "most probable after “" : "most probable at “") +
            input_.label(position_) + "”",
        likeliest_, height, false);
    addColumn(column);
    return std::move(scene_);
  }

 private:
  static constexpr float leastRow = 15, heading = 26;
  static constexpr int mostLikely = 6;

  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }
  TensorRef rowOf(const char* weights, int token) const {
    TensorRef ref{weights, {token, 0}, 0, 1};
    ref.rowCount = 1;
    return ref;
  }
  const char* outWeights() const { return unembedding::unembeddingWeights(config_); }

  // At the selected position, the likeliest first.
  std::vector<int> likeliest() const {
    const TensorView logits = (*scene_.sources.find("logits"))[position_];
    std::vector<int> entries(static_cast<std::size_t>(logits.extent[0]));
    std::iota(entries.begin(), entries.end(), 0);
    const auto count = std::min<std::size_t>(entries.size(), mostLikely);
    std::partial_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(count), entries.end(),
                      [&](int a, int b) { return logits(a) > logits(b); });
    entries.resize(count);
    return entries;
  }

  void addTitle(Box& area) {
    const auto& loaded = input_.snapshot.model->loadedConfig;
    std::vector<Choice> choices;
    for (const bool tied : {true, false}) {
      if (!loaded) break;
      const ModelChanges changes =
          withChange(input_.workspace.changes, *loaded, "tie_word_embeddings", tied ? "yes" : "no");
      choices.push_back(
          {tied ? "Tied" : "Untied",
           tied ? "Tied weights: logits = x · W_Eᵀ, one tensor for both"
                : "Untied weights: logits = x · W_U, a second tensor (random if the model has none)",
           config_.tiedUnembedding == tied, commands::setModelChanges(changes)});
    }
    addViewHeader(scene_, input_, area,
                  {"Embedding and unembedding",
                   "x = E[token],  logits = x · W_U",

                   {choices},
                   FontFace::Mono});
  }

  void addWords(const Box& box) {
    const TensorRef mean{unembedding::mean, {0}};
    const std::string tied = std::string("Tied: W_U is Eᵀ, the same tensor ") +
                             unembedding::embeddingWeights + ", so every angle is 0.",
                      own = std::string("Two tensors, ") + unembedding::embeddingWeights + " and " +
                            outWeights() + ": mean cosine " + formatted(number(mean)) + ".";
    Text& text = addText(scene_, {box.x, box.y + 12}, config_.tiedUnembedding ? tied : own, theme_.strong());
    text.maxWidth = box.width;
    if (!config_.tiedUnembedding) text.value = mean;
  }

  struct UnembeddingColumns {
    float label = 0, in = 0, out = 0, strip = 0, cosine = 0;
  };
  void place(const Box& area) {
    float widest = input_.widestLabel(Stream::Text, Theme::small);
    for (const int token : likeliest_)
      widest = std::max(widest, input_.metrics.width(input_.entryLabel(token), FontFace::Mono, Theme::small));
    const float label = std::clamp(widest + 12, 56.0f, 132.0f);
    columns_.label = area.x + label;
    columns_.in = columns_.label + 8;
    columns_.strip = (area.right() - columns_.in - 60) / 2 - 8;
    columns_.out = columns_.in + columns_.strip + 8;
    columns_.cosine = area.right();
  }

  // Of all rows that are shown, around zero.
  Range rangeOfRows(const char* weights) const {
    Range all{0, 0};
    for (const auto* tokens : {&text_, &likeliest_})
      for (const int token : *tokens) all = unionOf(all, rangeOf(scene_.sources, rowOf(weights, token)));
    return symmetric({0, roundedUp(symmetric(all).high)});
  }

  void addGroup(Box& area, const std::string& words, const std::vector<int>& tokens, float height,
                bool isText) {
    const TextStyle quiet = theme_.note();
    const Box head = area.takeTop(heading);
    const float y = head.y + 13;
    if (isText) {
      addText(scene_, {columns_.label, y}, words, quiet, Align::End).maxWidth = columns_.label - head.x;
      const auto over = [&](float x, std::vector<std::string> wordings) {
        addText(scene_, {x, y}, wordingFor(columns_.strip, input_, quiet, std::move(wordings)), quiet)
            .maxWidth = columns_.strip;
      };
      over(columns_.in, {"its row of E", "row of E"});
      over(columns_.out, {"its column of W_U", "column of W_U", "W_U"});
      addText(scene_, {columns_.cosine, y}, "cosine", quiet, Align::End);
    } else {
      addText(scene_, {head.x, y}, words, quiet).maxWidth = head.width;
    }
    for (std::size_t i = 0; i < tokens.size(); ++i)
      addRow(area.takeTop(height), tokens[i], isText ? static_cast<int>(i) : Target::none);
  }

  void addRow(const Box& row, int token, int position) {
    const bool isStrong =
        position != Target::none && (position == position_ || input_.hover.touches(position));
    const Rgba ink = isStrong ? theme_.text : theme_.quiet;
    const float y = row.center().y;
    addText(scene_, {columns_.label, y}, input_.entryLabel(token), {FontFace::Mono, Theme::small, ink},
            Align::End)
        .maxWidth = columns_.label - row.x;
    const float inset = std::min(2.0f, row.height * 0.1f);
    Box strip{columns_.in, row.y + inset, columns_.strip, row.height - 2 * inset};
    addStrip(strip, rowOf(unembedding::embeddingWeights, token), in_, {token, position, " in"});
    strip.x = columns_.out;
    addStrip(strip, rowOf(outWeights(), token), out_, {token, position, " out"});
    const TensorRef cosine{unembedding::cosine, {token}};
    const float value = number(cosine);
    addText(scene_, {columns_.cosine, y}, formattedFixed(value, 3), theme_.mono(), Align::End).value = cosine;
    HitRegion& hit = addHitRegion(scene_, {columns_.cosine - 52, row.y, 52, row.height}, cosine);
    hit.target.entry = token, hit.target.token = position;
    hit.target.text = angleWords(token, value);
    hit.tabStop = false;
  }

  std::string angleWords(int token, float cosine) const {
    const float degrees = std::acos(cosine) * 180 / std::numbers::pi_v<float>;
    return "“" + input_.entryLabel(token) + "”: " + formattedFixed(degrees, 1) +
           "° between its row of E and its column of W_U";
  }

  struct StripOf {
    int token, position;  // in the text; none: likely to come
    const char* side;
  };
  void addStrip(const Box& box, const TensorRef& values, Range range, const StripOf& of) {
    scene_.add(Matrix{box, values, ColorMap::Diverging, range});
    HitRegion& hit = addHitRegion(scene_, box, values);
    hit.target.entry = of.token, hit.target.token = of.position;
    hit.columns = config_.width, hit.columnAxis = Axis::Dimension;
    const bool isText = of.position != Target::none;
    if (isText) hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    hit.name =
        (isText ? "token " + std::to_string(of.position) : "likely " + std::to_string(of.token)) + of.side;
    hit.tabStop = false;
  }

  // The colours of the strips, and below them all cosines.
  void addColumn(Box column) {
    const Box scales = column.takeTop(std::clamp(column.height * 0.3f, 84.0f, 160.0f));
    const auto addScale = [&](float x, const char* name, Range range) {
      addText(scene_, {x, scales.y + 13}, name, theme_.note());
      addColorScale(scene_, input_, {x, scales.y + heading, 0, scales.height - heading}, ColorMap::Diverging,
                    range);
    };
    addScale(scales.x, config_.tiedUnembedding ? "E and W_U" : "E", in_);
    if (!config_.tiedUnembedding) addScale(scales.x + 88, "W_U", out_);
    column.takeTop(16);
    addHistogram({column.x, column.y, column.width, std::min(column.height, 320.0f)});
  }

  void addHistogram(Box box) {
    const TextStyle quiet = theme_.note(), mono = theme_.quietMono();
    const Box title = box.takeTop(24);
    addText(scene_, {title.x, title.y + 10},
            "cosines of all " + formattedCount(config_.vocabulary) + " tokens", quiet)
        .maxWidth = title.width;
    box.takeLeft(44), box.takeBottom(24), box.takeTop(4);
    const Range range{0, roundedUp(rangeOf(scene_.sources, {unembedding::count, {}, -1, 0}).high)};
    scene_.add(Rect{box, theme_.panel, theme_.line});
    addValueAxis(scene_, input_, box, range);
    addText(scene_, {box.x, box.bottom() + 13}, "−1", mono);
    addText(scene_, {box.center().x, box.bottom() + 13}, "0", mono, Align::Middle);
    addText(scene_, {box.right(), box.bottom() + 13}, "1", mono, Align::End);
    for (int i = 0; i < unembedding::intervals; ++i) addInterval(box, i, range);
  }

  void addInterval(const Box& box, int i, Range range) {
    const TensorRef count{unembedding::count, {i}};
    const Box column = box.cell(0, i, 1, unembedding::intervals);
    scene_.add(Bar{column.inset(0.5f, 0), count, range, theme_.attention, true, 0});
    HitRegion& hit = addHitRegion(scene_, column, count);
    const float from = number({unembedding::from, {i}});
    hit.target.text = "cosine " + formattedFixed(from, 2) + " to " +
                      formattedFixed(from + 2.0f / unembedding::intervals, 2) + ": " +
                      formattedFixed(number(count), 0) + " tokens";
    hit.tabStop = false;
  }

  const SceneInput& input_;
  const Theme& theme_;
  const ModelConfig& config_;
  Scene scene_;
  int position_ = 0;
  std::vector<int> text_, likeliest_;
  UnembeddingColumns columns_;
  Range in_, out_;
};

}  // namespace

namespace needs {
const Need unembeddingAngles{.name = "angles of the unembedding", .kept = keptAs<UnembeddingMeasurement>};
}  // namespace needs

Scene unembeddingScene(const SceneInput& input) {
  const Snapshot& snapshot = input.snapshot;
  if (!snapshot.model->config) return emptyScene(input, "No model loaded", snapshot.standing.error);
  if (!snapshot.pass->hasTrace())
    return emptyScene(input, "No tokens yet", snapshot.standing.errorOr("Type in the Text box."));
  if (!input.sources().contains(unembedding::cosine))
    return emptyScene(input, "Embedding and unembedding", waitingWords(input));
  return UnembeddingPicture(input).drawn();
}

}  // namespace glassformer
