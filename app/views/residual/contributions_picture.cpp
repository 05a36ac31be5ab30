#include "app/views/residual/contributions_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/entry_list.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"
#include "core/lens/contributions.h"
#include "core/lens/residual_stream.h"

namespace glassformer {

namespace {

using Kind = ContributionPart::Kind;
constexpr float barRow = 22, contributionsGap = 24, axis = 56;

// "head L0H1", "the MLP of block 0"
std::string wordsFor(const ContributionPart& part) {
  const bool across = part.head.site == AttentionSite::Cross;
  const std::string block =
      (across ? " to the right of block " : " of block ") + std::to_string(part.head.layer);
  switch (part.kind) {
    case Kind::Embedding:
      return "the token's embedding";
    case Kind::Position:
      return "the position's encoding";
    case Kind::TokenType:
      return "the type of the token's text";
    case Kind::Head:
      return "head " + nameOf(part.head);
    case Kind::OutputBias:
      return "the bias b_O of attention" + block;
    case Kind::Recurrence:
      return "the recurrence" + block;
    case Kind::Convolution:
      return "the convolution" + block;
    case Kind::Mlp:
      return "the MLP" + block;
    case Kind::UnembeddingBias:
      return "the unembedding's bias b_U";
    case Kind::NormBias:
      break;
  }
  return "the final norm's bias β";
}

class ContributionsBuilder {
 public:
  explicit ContributionsBuilder(ResidualPicture& picture)
      : picture_(picture),
        theme_(picture.theme),
        to_(picture.settings.to),
        entry_(picture.input.snapshot.pass->attributedEntry) {
    tensor_ = isOfLogit()                     ? logitAttributionOf(entry_, base())
              : to_ == ContributionTo::Length ? "lens.contribution_norm"
                                              : "lens.contribution";
  }

  void draw(Box area) {
    addResidualHeader(picture_, area, about(), {choices()});
    if (const auto config = noSum()) return addWhyNot(area, *config);
    Box column = area.takeRight(std::clamp(area.width * 0.3f, 190.0f, 360.0f));
    area.takeRight(contributionsGap);
    if (isOfLogit()) addEntries(column);
    if (!picture_.isThere(tensor_)) return addWaiting(picture_, area);
    const TensorRef all{tensor_, {}, 0, 1, -1, -1};
    const Range found = rangeOf(picture_.scene.sources, all);
    scale_ = coloring(picture_.input, {all},
                      to_ == ContributionTo::Length
                          ? Coloring{ColorMap::Sequential, {0, roundedUp(found.high)}}
                          : Coloring{ColorMap::Diverging, symmetric({0, roundedUp(symmetric(found).high)})});
    parts_ = plane(picture_.scene.sources, all)->extent[1];
    added_ = contributionParts(picture_.input.model());
    addHeatmap(area, all);
    addStrongest(column);
  }

 private:
  bool isOfLogit() const { return to_ == ContributionTo::Logit || to_ == ContributionTo::CentredLogit; }
  LogitBase base() const { return to_ == ContributionTo::Logit ? LogitBase::Raw : LogitBase::Centred; }

  std::string about() const {
    if (to_ == ContributionTo::Length) return "Norm of the vector that each component adds";
    if (to_ == ContributionTo::FinalState)
      return "Share of each component in the final residual stream, x_m · x / ‖x‖²; the shares sum to 1";
    return "Direct logit attribution to “" + picture_.input.entryLabel(entry_) + "”" +
           (base() == LogitBase::Centred ? " minus the mean logit" : "") +
           ", with the scale of the final norm fixed";
  }

  std::vector<Choice> choices() const {
    const auto choice = [&](const char* label, const char* tip, ContributionTo to) {
      return Choice{label, tip, to_ == to,
                    commands::changeSettings([=](ViewSettings& s) { s.residual.to = to; })};
    };
    return {choice("Final state", "Share of each component in the final residual stream",
                   ContributionTo::FinalState),
            choice("Norm", "Norm of each component's output", ContributionTo::Length),
            choice("Logit (DLA)",
                   "Direct logit attribution: each component's contribution to the logit of one token",
                   ContributionTo::Logit),
            choice("Centered logit", "Direct logit attribution minus its mean over the vocabulary",
                   ContributionTo::CentredLogit)};
  }

  // The config, of both that are subtracted where it is a difference, for which there is no sum of parts.
  std::optional<ModelConfig> noSum() const {
    const auto isSum = isOfLogit() ? isLogitSumOfParts : isSumOfParts;
    if (!isSum(picture_.config)) return picture_.config;
    const auto& sides = picture_.input.snapshot.sides;
    const bool other = picture_.input.snapshot.isDifference() && sides && !isSum(*sides->b->model->config);
    return other ? sides->b->model->config : std::nullopt;
  }

  void addEntries(Box& column) {
    addEntryList(picture_.scene, picture_.input, column,
                 {picture_.shown, entry_, [](int entry) {
                    return commands::changeSettings([=](ViewSettings& s) { s.residual.entry = entry; });
                  }});
  }

  void addWhyNot(const Box& area, const ModelConfig& config) {
    const bool post = config.normPlacement == NormPlacement::Post;
    addText(
        picture_.scene, area.center(),
        isSumOfParts(config)
            ? "A nonlinear layer stands before the unembedding, so a logit is not a sum of components."
        : !config.residual
            ? "Every sublayer replaces the residual stream, so the stream is not a sum of components."
        : post
            ? "This model normalizes sums, so the stream is not a sum of components."
            : "The residual is taken from the normalized stream, so the stream is not a sum of components.",
        theme_.note(), Align::Middle)
        .maxWidth = area.width;
  }

  // Those of the final norm and the unembedding come behind them.
  ContributionPart part(int i) const {
    return i < static_cast<int>(added_.size()) ? added_[static_cast<std::size_t>(i)]
                                               : contributionPart(picture_.input.model(), i);
  }

  void addHeatmap(Box area, const TensorRef& all) {
    const float depth = tokenDepth(picture_, area);
    area.takeLeft(depth), area.takeRight(scaleWidth), area.takeBottom(axis);
    area.height = std::min(area.height, 48.0f * static_cast<float>(picture_.count));
    std::vector<std::string> labels;
    for (int i = 0; i < picture_.count; ++i) labels.push_back(picture_.input.label(i));
    addTokenHeatmap(picture_,
                    {area, all, scale_, depth, "contributions",
                     [labels, model = picture_.input.snapshot.model->transformer](const Target& target) {
                       return wordsFor(contributionPart(*model, target.cell.index[1])) + ", for “" +
                              labels[static_cast<std::size_t>(target.token)] + "”";
                     }});
    addPartAxis({area.x, area.bottom(), area.width, axis});
  }

  // Embedding and position by name; the blocks, and inside each its heads by number and b for the bias, or R
  // for recurrence or C for convolution, and M for the MLP where they find room.
  void addPartAxis(const Box& box) {
    const float column = box.width / static_cast<float>(parts_);
    const TextStyle quiet{FontFace::Ui, Theme::small - 1, theme_.quiet};
    const auto [outside, perBlock] = partCounts();
    addInputNames(box, column, outside);
    if (column >= 11)
      for (int i = outside; i < parts_; ++i)
        addText(picture_.scene, {box.cell(0, i, 1, parts_).center().x, box.y + 9}, letterOf(part(i)), quiet,
                Align::Middle);
    const float width = column * static_cast<float>(perBlock);
    const std::string longest = "Block " + std::to_string(picture_.config.layers - 1);
    const bool roomy = picture_.input.metrics.width(longest, quiet.face, quiet.size) + 6 < width;
    const int every = std::max(1, static_cast<int>(std::ceil(18 / width)));
    for (int layer = 0; layer < picture_.config.layers; ++layer) {
      const float from = box.x + column * static_cast<float>(outside + layer * perBlock);
      picture_.scene.add(Line{{{from, box.y}, {from, box.bottom() - 24}}, theme_.line});
      if (layer % every == 0)
        addText(picture_.scene, {from + width / 2, box.y + 28},
                (roomy ? "Block " : "") + std::to_string(layer), quiet, Align::Middle);
    }
    const float end = box.x + column * static_cast<float>(outside + picture_.config.layers * perBlock);
    picture_.scene.add(Line{{{end, box.y}, {end, box.bottom() - 24}}, theme_.line});
  }

  // Upright below their columns; below narrow ones level, reaching to the left.
  void addInputNames(const Box& box, float column, int outside) {
    const TextStyle quiet{FontFace::Ui, Theme::small - 1, theme_.quiet};
    if (column < 14) {
      addText(picture_.scene, {box.x + column * static_cast<float>(outside) - 4, box.y + 28},
              outside > 2   ? "embeddings"
              : outside > 1 ? "embed. + pos."
                            : "embed.",
              quiet, Align::End);
      return;
    }
    for (int i = 0; i < outside; ++i) {
      const ContributionPart& part = added_[static_cast<std::size_t>(i)];
      Text& name = addText(picture_.scene, {box.cell(0, i, 1, parts_).center().x, box.y + 4},
                           part.kind == Kind::Embedding ? "embed." : nameOf(part), quiet, Align::Middle);
      name.upright = true, name.vertical = Align::End;
    }
  }
  // How many parts come before the blocks, and from each block.
  std::pair<int, int> partCounts() const {
    const auto isOutside = [](const ContributionPart& p) {
      return p.kind == Kind::Embedding || p.kind == Kind::Position || p.kind == Kind::TokenType;
    };
    const auto outside = static_cast<int>(std::ranges::count_if(added_, isOutside));
    return {outside, (static_cast<int>(added_.size()) - outside) / picture_.config.layers};
  }

  static std::string letterOf(const ContributionPart& part) {
    switch (part.kind) {
      case Kind::Head:
        return std::to_string(part.head.head);
      case Kind::OutputBias:
        return "b";
      case Kind::Recurrence:
        return "R";
      case Kind::Convolution:
        return "C";
      case Kind::Mlp:
        return "M";
      default:
        break;
    }
    return "";
  }

  // For the selected token the parts with the largest numbers, as bars.
  void addStrongest(Box box) {
    const Box title = box.takeTop(28);
    addText(picture_.scene, {title.x, title.y + 10}, "Largest for " + picture_.quoted(picture_.shown),
            theme_.strong())
        .maxWidth = title.width;
    const bool sums = isOfLogit();
    const int room = static_cast<int>((box.height - (sums ? 32 : 0)) / barRow);
    const auto order = strongest(std::clamp(room, 0, 26));
    if (order.empty()) return;
    float most = 0;
    for (const int i : order)
      most = std::max(most, std::abs(valueOf(picture_.scene.sources, cell(i)).value_or(0)));
    const Range range =
        scale_.map == ColorMap::Sequential ? Range{0, roundedUp(most)} : symmetric({0, roundedUp(most)});
    for (const int i : order) addBar(box.takeTop(barRow), i, range);
    if (sums) addSum(box.takeTop(32));
  }

  TensorRef cell(int i) const { return {tensor_, {picture_.shown, i}}; }

  std::vector<int> strongest(int count) const {
    const TensorView all = *plane(picture_.scene.sources, {tensor_, {}, 0, 1, -1, -1});
    const auto size = [&](int i) { return std::abs(all(picture_.shown, i)); };
    std::vector<int> order;
    for (int i = 0; i < parts_; ++i)
      if (std::isfinite(size(i))) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });
    order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
    return order;
  }

  Rgba colorOf(Kind kind) const {
    if (kind == Kind::Mlp) return theme_.feedForward;
    const bool outside = kind == Kind::Embedding || kind == Kind::Position || kind == Kind::TokenType ||
                         kind == Kind::NormBias || kind == Kind::UnembeddingBias;
    return outside ? theme_.quiet : theme_.attention;
  }

  void addBar(const Box& row, int i, Range range) {
    const int decimals = to_ == ContributionTo::FinalState ? 3 : 2;
    HitRegion& hit =
        addBarRow(picture_.scene, picture_.input,
                  {range, 80, 56, row.height - 10, [=](float x) { return formattedFixed(x, decimals); }},
                  {row, cell(i), nameOf(part(i)), colorOf(part(i).kind), theme_.quietMono()}, "");
    hit.target.token = picture_.shown;
    hit.target.text = wordsFor(part(i)) + ", for " + picture_.quoted(picture_.shown);
    if (part(i).kind == Kind::Head) {
      hit.target.layer = part(i).head.layer, hit.target.head = part(i).head.head;
      hit.click = [head = part(i).head](const Target&) { return commands::selectHead(head); };
    }
  }

  // What all of them make: the logit itself, or how far it is above the mean.
  void addSum(const Box& row) {
    const bool isRaw = base() == LogitBase::Raw;
    const TensorRef logit = isRaw ? TensorRef{"logits", {picture_.shown, entry_}}
                                  : TensorRef{centredLogitOf(entry_), {picture_.shown}};
    const auto value = valueOf(picture_.scene.sources, logit);
    if (!value || !std::isfinite(*value)) return;
    picture_.scene.add(Line{{{row.x, row.y + 4}, {row.right(), row.y + 4}}, theme_.line});
    addText(picture_.scene, {row.x, row.y + 18},
            "all " + std::to_string(parts_) + (isRaw ? ": the logit" : ": logit − mean"), theme_.note());
    addText(picture_.scene, {row.right(), row.y + 18}, formattedFixed(*value, 2), theme_.mono(), Align::End)
        .value = logit;
  }

  ResidualPicture& picture_;
  const Theme& theme_;
  ContributionTo to_;
  int entry_;
  std::string tensor_;
  std::vector<ContributionPart> added_;  // to the stream, in order
  Coloring scale_;
  int parts_ = 0;
};

}  // namespace

void drawContributionsPicture(ContributionsPicture& picture, Box area) {
  ContributionsBuilder(picture).draw(area);
}

}  // namespace glassformer
