#include "app/views/cost/sizes_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/document/cost_settings.h"
#include "app/drawing/view_header.h"
#include "app/drawing/wording.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"
#include "core/model/block.h"
#include "core/model/positional/none.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

// What a block consists of, and how it grows.
struct CountedPart {
  const char *name, *grows, *about;
};
constexpr std::array countedParts{
    CountedPart{"projections", "4 T D²", "queries, keys, values and outputs of the heads, per token"},
    CountedPart{"pairs, N = T", "T (T + 1) D",
                "scores and weighted sums of attention, a token with those before"},
    CountedPart{"MLP", "2 T D F", "per token"},
    CountedPart{"cross projections", "2 T D² + 2 M D²", "queries of the text, keys and values of the source"},
    CountedPart{"cross pairs, M × N", "2 T M D",
                "scores and weighted sums, every token with all of the source"},
};
constexpr int countedPartCount = static_cast<int>(countedParts.size());
// Nothing crosses in a model that reads no source.
int partCount(const ModelConfig& model) { return model.isEncoderDecoder() ? countedPartCount : 3; }

// Ways through a text.
constexpr std::array textWays{"all at once, as in training", "one by one, cached", "one by one, uncached"};
constexpr int textWayCount = static_cast<int>(textWays.size());

// A block of a model's kind at another width: with an MLP as much wider than it, and heads as many as divide
// it.
ModelConfig countedBlock(const ModelConfig& model, int width) {
  ModelConfig config;
  config.stack = Stack::EncoderDecoder, config.layers = 1, config.width = width, config.vocabulary = 1;
  config.heads = std::clamp(model.heads, 1, width);
  while (width % config.heads != 0) --config.heads;
  const double ratio = static_cast<double>(model.feedForward) / model.width;
  config.feedForward = std::max(1, static_cast<int>(std::lround(ratio * width)));
  config.positions = &noPositions(), config.context = 1;
  return config;
}

// Products of a block by its parts, from the operations that it writes down.
class CountedWork {
 public:
  explicit CountedWork(const ModelConfig& config) : config_(config), weights_(shapesOf(config)) {
    ModelConfig bare = config;
    bare.activation = Activation::None;
    bare_ = written(bare, false), fed_ = written(config, false), crossing_ = written(bare, true);
  }

  using Parts = std::array<double, countedPartCount>;
  Parts at(int tokens, int source) const {
    using Domain = Operation::Domain;
    const auto count = [&](const std::unique_ptr<Tape>& tape, Domain domain) {
      tape->setPositions(tokens), tape->setPositions(source, Stream::Source);
      return tape->multiplyAdds(domain);
    };
    const double rows = count(bare_, Domain::Rows), pairs = count(bare_, Domain::Heads);
    return {rows, pairs, count(fed_, Domain::Rows) - rows, count(crossing_, Domain::Rows) - rows,
            count(crossing_, Domain::Heads) - pairs};
  }

 private:
  std::unique_ptr<Tape> written(const ModelConfig& config, bool crosses) const {
    auto tape = std::make_unique<Tape>(1, 1, 1);
    Pass pass(*tape, config, weights_);
    const Value memory = tape->rows(config.width, Stream::Source);
    block(pass, config, "h.0.", {config.mask, crosses ? &memory : nullptr}, tape->rows(config.width));
    return tape;
  }

  ModelConfig config_;
  Parameters weights_;
  std::unique_ptr<Tape> bare_, fed_, crossing_;
};

double sumOf(const CountedWork::Parts& parts, int count) {
  return std::accumulate(parts.begin(), parts.begin() + count, 0.0);
}

// The sizes that are counted, each a number with a name, and how many pairs and steps they come to.
struct SizeNumbers {
  Cell T, M, D, F, L;
  Cell pairs;       // T (T + 1) / 2: a token with those before and itself; and all lengths up to T, added up
  Cell pairsAnew;   // Σ t (t + 1) / 2
  Cell both, anew;  // T + M, and Σ (t + M)

  // As `countedParts` says how they grow; all anew, added up over all lengths of the text.
  Derivation part(int i, bool isAnew) const {
    const Cell tokens = isAnew ? pairs : T;
    switch (i) {
      case 0:
        return derivedProduct({L, tokens, D, D}, 4);
      case 1:
        return derivedProduct({L, isAnew ? pairsAnew : pairs, D}, 2);
      case 2:
        return derivedProduct({L, tokens, D, F}, 2);
      case 3:
        return derivedProduct({L, isAnew ? anew : both, D, D}, 2);
      default:
        return derivedProduct({L, tokens, M, D}, 2);
    }
  }
};

struct ChosenNumbers {
  int T, M, D, F, L;
};
SizeNumbers addSizes(const ChosenNumbers& chosen, TensorSet& set) {
  SizeNumbers sizes{};
  const auto size = [&](const char* name, const char* meaning, int number) {
    return addNumber(set, std::string("cost.size_") + name, meaning, number);
  };
  const auto sum = [&](const char* name, const char* meaning, const char* equation, Derivation made) {
    return addNumber(set, {std::string("cost.size_") + name, "1", meaning, equation}, made);
  };
  sizes.T = size("T", "number of tokens of the text", chosen.T);
  sizes.M = size("M", "number of tokens of the source", chosen.M);
  sizes.D = size("D", "model dim, n_embd in its config", chosen.D);
  sizes.F = size("F", "number of neurons of an MLP, n_inner in its config", chosen.F);
  sizes.L = size("L", "number of blocks, n_layer in its config", chosen.L);
  sizes.pairs = sum("pairs", "pairs of a token with itself or one before", "T (T + 1) / 2",
                    {.terms = {{sizes.T, sizes.T, 0.5f}, {sizes.T, nullptr, 0.5f}}});
  sizes.pairsAnew = sum("pairs_anew", "the same of every text that ends at one of the tokens, added up",
                        "T (T + 1) (T + 2) / 6",
                        {.terms = {{sizes.pairs, sizes.T, 1 / 3.0f}, {sizes.pairs, nullptr, 2 / 3.0f}}});
  sizes.both =
      sum("both", "tokens of the text and of the source", "T + M", {.terms = {{sizes.T}, {sizes.M}}});
  sizes.anew = sum("both_anew", "the same of every text that ends at one of the tokens, added up",
                   "T (T + 1) / 2 + T M", {.terms = {{sizes.pairs}, {sizes.T, sizes.M}}});
  return sizes;
}

void countSizes(const Workspace& workspace, const ModelConfig& model, TensorSet& set) {
  const auto [T, M, D] = chosenSizes(workspace.settings, model.context, model.width);
  const ModelConfig block = countedBlock(model, D);
  const CountedWork work(block);
  const int L = model.layers, count = partCount(model);
  const CountedWork::Parts all = work.at(T, M);
  // Without what is kept each token costs a pass over all before it.
  double uncached = 0;
  for (int t = 1; t <= T; ++t) uncached += sumOf(work.at(t, M), count);
  Tensor parts({count}), ways({textWayCount}), steps({textWayCount});
  for (int i = 0; i < count; ++i) parts(i) = static_cast<float>(L * all[static_cast<std::size_t>(i)]);
  // With keys and values kept a token costs what the pass over it costs more than that over those before.
  ways(0) = ways(1) = static_cast<float>(L * sumOf(all, count));
  ways(2) = static_cast<float>(L * uncached);
  steps(0) = static_cast<float>(L);
  steps(1) = steps(2) = static_cast<float>(static_cast<double>(T) * L);
  const SizeNumbers sizes = addSizes({T, M, D, block.feedForward, L}, set);
  const auto add = [&](const char* name, const char* meaning, const char* equation, Tensor tensor,
                       TensorSet::DerivationOf derivation) {
    set.add({name, "Z", meaning, equation}, std::move(tensor), std::move(derivation));
    return set[name];
  };
  const TensorView byParts = add("cost.parts", "multiply-adds of all blocks for one text, by component",
                                 "counted from a block's operations", std::move(parts),
                                 [sizes](const auto& at) { return sizes.part(at[0], false); });
  Tensor anewByParts({count});
  for (int i = 0; i < count; ++i) anewByParts(i) = static_cast<float>(sizes.part(i, true).value());
  const TensorView byPartsAnew =
      add("cost.parts_anew", "the same of a pass over all before each token, for one token after the other",
          "Σ over t = 1 … T", std::move(anewByParts),
          [sizes](const auto& at) { return sizes.part(at[0], true); });
  add("cost.ways", "multiply-adds of all blocks for one text: all tokens at once, and one by one",
      "counted from a block's operations", std::move(ways), [=](const auto& at) {
        Derivation sum;
        for (int i = 0; i < count; ++i) sum.terms.push_back({at[0] == 2 ? &byPartsAnew(i) : &byParts(i)});
        return sum;
      });
  add("cost.serial",
      "steps in series: blocks that wait for each other, for every token that waits for the last",
      "L, or T · L", std::move(steps), [sizes](const auto& at) {
        return at[0] == 0 ? Derivation{.terms = {{sizes.L}}} : derivedProduct({sizes.T, sizes.L});
      });
}

class SizesPicture {
 public:
  explicit SizesPicture(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        sizes_(chosenSizes(input.workspace.settings, input.config().context, input.config().width)),
        crosses_(input.config().isEncoderDecoder()) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
  }

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    const int F = whole("cost.size_F"), L = whole("cost.size_L");
    addViewHeader(
        scene_, input_, area,
        {"Cost calculator",
         "T = " + std::to_string(sizes_.tokens) + (crosses_ ? ", M = " + std::to_string(sizes_.source) : "") +
             ", D = " + std::to_string(sizes_.width) + ", F = " + std::to_string(F) + ", " +
             std::to_string(L) + (L == 1 ? " block" : " blocks") + "; set them at the foot",

         {}});
    if (!scene_.sources.contains("cost.parts")) {
      addText(scene_, area.center(), waitingWords(input_), theme_.note(), Align::Middle);
      return std::move(scene_);
    }
    const bool isNarrow = area.width < 500;
    const Box grids =
        isNarrow ? area.takeTop(120) : area.takeLeft(area.width * (area.width < 760 ? 0.27f : 0.34f));
    isNarrow ? area.takeTop(8) : area.takeLeft(area.width < 560 ? 20 : 32);
    addGrids(grids);
    const int parts = partCount(input_.config());
    const float rows = static_cast<float>(parts + 2 * textWayCount), titles = 3 * titleHeight,
                least = titles + rows * leastRow;
    if (area.height < least) {  // then it scrolls
      area.height = least;
      scene_.size.y = std::max(scene_.size.y, area.bottom() + 16);
    }
    row_ = std::min((area.height - titles) / rows, 40.0f);
    addBars(area, "Multiply-adds by component, all tokens at once", "cost.parts", parts, 0);
    addBars(area, "Training in parallel, sampling one by one: multiply-adds", "cost.ways", textWayCount, 1);
    addBars(area, "The same: steps in series", "cost.serial", textWayCount, 2);
    return std::move(scene_);
  }

 private:
  static constexpr float titleHeight = 30, leastRow = 17;

  int whole(const char* tensor, int i = 0) const {
    return static_cast<int>(valueOf(scene_.sources, {tensor, {i}}).value_or(0));
  }
  Rgba colorOf(int part) const { return headColor(part, theme_.dark); }
  std::string nameOf(int group, int i) const {
    return group == 0 ? countedParts[static_cast<std::size_t>(i)].name
                      : textWays[static_cast<std::size_t>(i)];
  }

  // Both grids of pairs on one scale: T × T, of which the mask leaves half, and T × M, of a model that reads.
  void addGrids(Box area) {
    const float T = static_cast<float>(sizes_.tokens), M = crosses_ ? static_cast<float>(sizes_.source) : 0;
    const Box words = area.takeBottom(44);
    constexpr float gap = 24, head = 20;
    const float scale = std::min((area.width - gap - 48) / (T + M), std::max(8.0f, area.height - head) / T);
    const float top = area.y + head;
    const auto extent = [&](float tokens) { return std::max(1.0f, tokens * scale); };
    const Box own{area.x, top, extent(T), extent(T)},
        across{std::max(own.right() + gap, own.x + 48), top, extent(M), extent(T)};
    scene_.add(Rect{own, theme_.panel, theme_.line});
    addTriangle(own);
    if (crosses_) scene_.add(Rect{across, colorOf(4), theme_.line});
    const float below = std::min(words.y, own.bottom() + 8);
    addText(scene_, {own.x, area.y + 8}, "T × N", theme_.note()).maxWidth = std::max(40.0f, own.width);
    addPairs({words.x, below + 10}, 1,
             "½ T (T + 1) = ", static_cast<std::int64_t>(sizes_.tokens) * (sizes_.tokens + 1) / 2,
             words.width);
    addGridHit(own, 1, "pairs of the text");
    if (!crosses_) return;
    addText(scene_, {across.x, area.y + 8}, "T × M", theme_.note()).maxWidth = area.right() - across.x;
    addPairs({words.x, below + 32}, 4, "T · M = ", static_cast<std::int64_t>(sizes_.tokens) * sizes_.source,
             words.width);
    addGridHit(across, 4, "cross pairs");
  }
  // What the causal mask leaves, in as many stairs as can be seen.
  void addTriangle(const Box& box) {
    const int stairs = std::clamp(std::min(sizes_.tokens, static_cast<int>(box.height / 3)), 1, 64);
    for (int i = 0; i < stairs; ++i) {
      const Box stair = box.cell(i, 0, stairs, 1);
      const float share = static_cast<float>(i + 1) / static_cast<float>(stairs);
      scene_.add(Rect{{stair.x, stair.y, box.width * share, stair.height}, colorOf(1)});
    }
  }
  void addPairs(Point at, int part, const char* words, std::int64_t pairs, float width) {
    scene_.add(Rect{{at.x, at.y - 5, 10, 10}, colorOf(part), {0, 0, 0, 0}, 2});
    addText(scene_, {at.x + 16, at.y}, words + formattedCount(pairs), theme_.note()).maxWidth = width - 16;
  }
  void addGridHit(const Box& box, int part, const char* name) {
    HitRegion& hit = addHitRegion(scene_, box, {"cost.parts", {part}}, name);
    hit.target.text = said(0, part);
  }

  std::string said(int group, int i) const {
    if (group == 0) {
      const CountedPart& part = countedParts[static_cast<std::size_t>(i)];
      return std::string(part.name) + ": " + part.about + "\ngrows as " + part.grows + ", times L";
    }
    const std::string way = textWays[static_cast<std::size_t>(i)];
    if (group == 2)
      return way + (i == 0 ? ": every block waits for the one before, and no token for another"
                           : ": every token waits for the one before, in every block");
    return way + (i == 0   ? ": one pass over the text"
                  : i == 1 ? ": as many as in one pass, because keys and values are cached; O(T²) in total"
                           : ": for every token a pass over all before it; O(T³) in all");
  }

  void addBars(Box& area, const char* title, const char* tensor, int count, int group) {
    const Box head = area.takeTop(titleHeight);
    addText(scene_, {head.x, head.y + 16}, title, theme_.strong()).maxWidth = head.width;
    const float most = rangeOf(scene_.sources, {tensor, {}, -1, 0}).high;
    const BarTable table{{0, std::max(1.0f, most)},
                         std::clamp(area.width * 0.36f, 120.0f, 230.0f),
                         area.width < 560 ? 84.0f : 132.0f,
                         row_ * 0.7f,
                         formattedShort};
    for (int i = 0; i < count; ++i) {
      const std::string name = nameOf(group, i);
      const Rgba color = group == 0 ? colorOf(i) : i == 0 ? theme_.accent : theme_.feedForward;
      addBarRow(scene_, input_, table,
                {area.takeTop(row_),
                 {tensor, {i}},
                 wordingFor(table.names - 8, input_, theme_.note(),
                            {name, group > 0 && i == 0 ? "all at once" : name}),
                 color,
                 theme_.note()},
                (group == 2 ? "steps in series, " : "") + name)
          .target.text = said(group, i);
    }
  }

  const SceneInput& input_;
  const Theme& theme_;
  CountedSizes sizes_;
  bool crosses_;
  Scene scene_;
  float row_ = 24;
};

}  // namespace

namespace needs {
const Need costOfSizes{.name = "cost at a size",
                       .onModel = countSizes,
                       .reads = readChoices<costTextChoice, costSourceChoice, costWidthChoice>};
}  // namespace needs

Scene sizesScene(const SceneInput& input) {
  if (!input.snapshot.model->config)
    return emptyScene(input, "No model loaded", input.snapshot.standing.error);
  return SizesPicture(input).drawn();
}

}  // namespace glassformer
