#include "app/views/cost/cost_scene.h"

#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "app/document/cost_settings.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/engine/job.h"
#include "app/engine/open_model.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"
#include "core/lens/linear_state.h"
#include "core/model/initialization.h"
#include "core/model/pass.h"
#include "core/model/positional/none.h"
#include "core/tensor/operations/linear.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
constexpr std::array tokenChoices{256, 512, 1024};

// A way to mix tokens, and how its products grow.
struct MixingKind {
  const char *name, *order;
  Mixing mixing;
  AttentionKernel kernel = AttentionKernel::Softmax;
  bool keepsState = false;  ///< in place of the pattern
};
constexpr std::array kinds{
    MixingKind{"attention", "O(T²K) per head", Mixing::Attention},
    MixingKind{"linear attention", "O(T²K) per head here, where every pattern is written down",
               Mixing::Attention, AttentionKernel::Linear},
    MixingKind{"recurrence", "O(TD²), token after token", Mixing::Recurrence},
    MixingKind{"convolution", "O(JTD²)", Mixing::Convolution},
    MixingKind{"running state", "linear attention as a running state, O(TK²) per head", Mixing::Attention,
               AttentionKernel::Linear, true},
};
constexpr int kindCount = static_cast<int>(kinds.size());

// One block without an MLP, as wide as the model.
ModelConfig blockOf(const ModelConfig& model, const MixingKind& kind, int tokens) {
  ModelConfig config;
  config.layers = 1, config.heads = model.heads, config.width = model.width, config.vocabulary = 1;
  config.context = tokens, config.positions = &noPositions(), config.activation = Activation::None;
  config.mixing = kind.mixing, config.kernel = kind.kernel, config.kernelWidth = model.kernelWidth;
  return config;
}

struct AskedCost {
  ModelConfig config;  // of a block
  int tokens = 0;
  bool operator==(const AskedCost&) const = default;
};

// On one thread: threads that wait for each other would measure what else runs here.
class CostTable {
 public:
  CostTable(const AskedCost& asked, const JobSide&, int /*threads*/) : asked_(asked) {
    for (int tokens = fewestTokens; tokens < asked_.tokens; tokens *= 2) lengths_.push_back(tokens);
    lengths_.push_back(asked_.tokens);
    for (Tensor* table : {&products_, &mixing_, &seconds_})
      *table = Tensor({kindCount, length()}, std::vector<float>(lengths_.size() * kinds.size(), unknown));
  }

  bool goOn(const StartJob& begin, const std::function<void()>& more) {
    const int all = length() * kindCount;
    if (done_ == all) return true;
    for (const ProgressCallback watch = begin("measuring the cost of mixing"); done_ < all; ++done_, more()) {
      if (!watch(done_, all)) return false;
      measureBlock(done_ % kindCount, done_ / kindCount);
    }
    return true;
  }
  JobResult result() const { return {tensors()}; }

 private:
  int length() const { return static_cast<int>(lengths_.size()); }

  // Products of a block as the number of tokens grows, as its operations count them.
  struct Counted {
    float alone = 0,  // of each token alone
        paired = 0,   // of each with itself or one before
        inTurn = 0;   // of each that waits for the one before
  };

  void measureBlock(int kind, int i) {
    const int tokens = lengths_[static_cast<std::size_t>(i)];
    const ModelConfig config = blockOf(asked_.config, kinds[static_cast<std::size_t>(kind)], tokens);
    Parameters parameters(parameterSpecs(config));
    initialize(config, parameters, {}, 1);
    const Transformer block(config, std::move(parameters));
    Tape tape(1, tokens);
    Pass pass(tape, config, block.parameters());
    if (kinds[static_cast<std::size_t>(kind)].keepsState)
      attendByState(pass, config);
    else
      block.forward(pass);
    tape.setPositions(tokens);
    const auto counted = [&](Operation::Domain domain) {
      return static_cast<float>(tape.multiplyAdds(domain));
    };
    const float alone = counted(Operation::Domain::Rows), paired = counted(Operation::Domain::Heads),
                inTurn = counted(Operation::Domain::Time), across = paired + inTurn;
    const auto T = static_cast<float>(tokens);
    each_[static_cast<std::size_t>(kind)] = {alone / T, paired / (T * (T + 1) / 2),
                                             inTurn / (T - stepsLess(kind))};
    products_(kind, i) = alone + across;
    mixing_(kind, i) = mixesAlone(kind) ? alone : across;
    seconds_(kind, i) = secondsOf(tape);
  }

  // A convolution's projections are its taps.
  static bool mixesAlone(int kind) {
    return kinds[static_cast<std::size_t>(kind)].mixing == Mixing::Convolution;
  }
  // A recurrence has no state before the first token.
  static float stepsLess(int kind) {
    return kinds[static_cast<std::size_t>(kind)].mixing == Mixing::Recurrence ? 1.0f : 0.0f;
  }

  // φ(q)ᵀ S / φ(q)ᵀ z · W_O, of rows that are all 0: the block without its norm and its one logit, which are
  // little.
  static void attendByState(Pass& pass, const ModelConfig& config) {
    Tape& tape = pass.tape();
    const std::string attention = "h.0.attn.";
    const auto projected = [&](const Value& x, const char* matrix) {
      return linear(tape, x, pass.weight(attention + matrix + ".weight"),
                    pass.bias(attention + matrix + ".bias"));
    };
    const int HK = config.heads * config.headWidth();  // the model's width, where heads divide it
    const Value qkv = projected(tape.rows(config.width), "c_attn");
    const auto features = [&](int which) {
      return activate(tape, tape.columns(qkv, which * HK, HK), Nonlinearity::EluPlusOne);
    };
    projected(readOutOfState(tape, features(0), features(1), tape.columns(qkv, 2 * HK, HK), config.heads),
              "c_proj");
  }

  // The quickest of many runs: what else the machine does only takes time from it.
  static float secondsOf(Tape& tape) {
    using Clock = std::chrono::steady_clock;
    constexpr int fewest = 5;
    constexpr double longest = 0.01;
    double quickest = std::numeric_limits<double>::infinity(), all = 0;
    for (int run = 0; run < fewest || all < longest; ++run) {
      const auto before = Clock::now();
      tape.forward();
      const double taken = std::chrono::duration<double>(Clock::now() - before).count();
      quickest = std::min(quickest, taken), all += taken;
    }
    return static_cast<float>(quickest);
  }

  // From how many tokens on attention takes more than each of the others, between two that were measured on a
  // straight line through both logarithms.
  Tensor crossings(const Tensor& table) const {
    Tensor at({kindCount}, std::vector<float>(kinds.size(), unknown));
    for (int kind = 1; kind < kindCount; ++kind) {
      const auto lead = [&](int i) { return std::log(table(0, i) / table(kind, i)); };
      int i = length() - 1;
      if (!(lead(i) > 0)) continue;
      while (i > 0 && lead(i - 1) > 0) --i;
      if (i == 0) continue;  // from the start
      const float part = lead(i - 1) / (lead(i - 1) - lead(i));
      const auto after = static_cast<float>(lengths_[static_cast<std::size_t>(i)]),
                 before = static_cast<float>(lengths_[static_cast<std::size_t>(i) - 1]);
      at(kind) = before * std::pow(after / before, part);
    }
    return at;
  }

  // a D² + b D K + c D: what a number that counts products of a block is, with few products by K and at most
  // two of D numbers alone.
  static Derivation productsOfSizes(double number, Cell D, Cell K, int byK) {
    const double wide = static_cast<double>(*D), rest = number - byK * wide * static_cast<double>(*K);
    const double squares = std::floor(rest / (wide * wide)), alone = (rest - squares * wide * wide) / wide;
    Derivation sum;
    if (squares > 0) sum.terms.push_back({D, D, static_cast<float>(squares)});
    if (byK > 0) sum.terms.push_back({D, K, static_cast<float>(byK)});
    if (alone > 0) sum.terms.push_back({D, nullptr, static_cast<float>(alone)});
    return sum;
  }

  // What every token, pair and step of each kind costs, from the sizes of the block.
  struct Each {
    TensorView alone, paired, inTurn;  // [Z]
  };
  Each addEach(TensorSet& set) const {
    const Cell D = addNumber(set, "cost.width", "model dim, n_embd in its config", asked_.config.width),
               K = addNumber(set, "cost.head_width", "head dim, n_embd / n_head", asked_.config.headWidth());
    const auto add = [&](const char* name, const char* meaning, float Counted::*number, int byKOfState) {
      Tensor values({kindCount});
      for (int kind = 0; kind < kindCount; ++kind)
        values(kind) = each_[static_cast<std::size_t>(kind)].*number;
      const TensorView each = values.view();
      set.add({name, "Z", meaning, "counted from the block's operations"}, std::move(values),
              [=](const auto& at) {
                const bool keepsState = kinds[static_cast<std::size_t>(at[0])].keepsState;
                return productsOfSizes(static_cast<double>(each(at[0])), D, K, keepsState ? byKOfState : 0);
              });
      return set[name];
    };
    return {add("cost.of_token", "multiply-adds of each token alone", &Counted::alone, 0),
            add("cost.of_pair", "multiply-adds of each token with itself or one before", &Counted::paired, 0),
            add("cost.of_step", "multiply-adds of each token that waits for the one before", &Counted::inTurn,
                2)};
  }

  std::shared_ptr<const TensorSet> tensors() const {
    auto set = std::make_shared<TensorSet>();
    set->add({"cost.tokens", "Z", "number of tokens that are mixed", "T"},
             Tensor({length()}, std::vector<float>(lengths_.begin(), lengths_.end())));
    const TensorView T = (*set)["cost.tokens"];
    addDerived(*set, {"cost.pairs", "Z", "pairs of a token with itself or one before", "T (T + 1) / 2"},
               {length()}, [T](const auto& at) {
                 return Derivation{.terms = {{&T(at[0]), &T(at[0]), 0.5f}, {&T(at[0]), nullptr, 0.5f}}};
               });
    const Each each = addEach(*set);
    const auto across = [=, pairs = (*set)["cost.pairs"]](int kind, int i) {
      Derivation sum;
      if (each.paired(kind) > 0) sum.terms.push_back({&pairs(i), &each.paired(kind)});
      if (each.inTurn(kind) > 0) sum.terms.push_back({&T(i), &each.inTurn(kind)});
      if (each.inTurn(kind) > 0 && stepsLess(kind) > 0)
        sum.terms.push_back({&each.inTurn(kind), nullptr, -stepsLess(kind)});
      return sum;
    };
    const auto add = [&](const char* name, const char* meaning, const char* equation, const Tensor& table,
                         TensorSet::DerivationOf derivation = nullptr) {
      set->add({name, "ZZ", meaning, equation}, table, std::move(derivation));
    };
    add("cost.multiply_adds", "multiply-adds of a block, by mixing and tokens",
        "counted from the block's operations", products_, [=](const auto& at) {
          Derivation all = across(at[0], at[1]);
          all.terms.push_back({&T(at[1]), &each.alone(at[0])});
          return all;
        });
    add("cost.mixing", "share that mixes tokens: without the projections of single tokens",
        "O(T²K) or O(TD²)", mixing_, [=](const auto& at) {
          return mixesAlone(at[0]) ? Derivation{.terms = {{&T(at[1]), &each.alone(at[0])}}}
                                   : across(at[0], at[1]);
        });
    add("cost.seconds", "seconds that one thread of this machine takes for it, the quickest of many runs",
        "measured", seconds_);
    const char* meaning = "number of tokens from which attention costs more";
    set->add({"cost.multiply_adds_crossing", "Z", meaning, "counted"}, crossings(products_));
    set->add({"cost.mixing_crossing", "Z", meaning, "counted"}, crossings(mixing_));
    set->add({"cost.seconds_crossing", "Z", meaning, "measured"}, crossings(seconds_));
    return set;
  }

  AskedCost asked_;
  std::vector<int> lengths_;
  Tensor products_, mixing_, seconds_;  // of each kind at each length
  std::array<Counted, kinds.size()> each_{};
  int done_ = 0;
};

class CostMeasurement final : public JobOfState<AskedCost, CostTable> {
 public:
  using JobOfState::JobOfState;

 private:
  std::optional<AskedCost> key(const JobSide& side) const override {
    const int tokens = chosenTokens(side.workspace().settings);
    return AskedCost{blockOf(side.of.model.config(), kinds[0], tokens), tokens};
  }
  // It does not depend on the text.
  JobResult difference(const JobResult& here, const JobResult&, const Alignments&) const override {
    return here;
  }
};

class CostBuilder {
 public:
  CostBuilder(const SceneInput& input, const char* counted)
      : input_(input), theme_(input.theme), counted_(counted) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
  }

  Scene build() {
    Box area = contentOf(input_, scene_.size);
    addViewHeader(scene_, input_, area,
                  {"Compute cost of token mixing",
                   "attention O(T²K), state O(TK²), recurrence O(TD²)",

                   {lengths()}});
    if (!scene_.sources.contains("cost.tokens")) {
      addText(scene_, area.center(), waitingWords(input_), theme_.note(), Align::Middle);
      return std::move(scene_);
    }
    area.takeTop(addLegend(scene_, input_, area, lines(counted_)).height + 12);
    const float width = (area.width - gap) / 2;
    addCosts(area.takeLeft(width),
             isMixing() ? "Multiply-adds of token mixing" : "Multiply-adds of the block", counted_);
    area.takeLeft(gap);
    addCosts(area, "Seconds of the block on one thread", "cost.seconds");
    return std::move(scene_);
  }

 private:
  static constexpr float gap = 32, axis = 72, titleHeight = 28, footHeight = 28, wordHeight = 20;

  bool isMixing() const { return counted_ == "cost.mixing"; }
  int count() const { return scene_.sources.find("cost.tokens")->extent[0]; }
  std::string tokensAt(int i) const {
    return formattedFixed(valueOf(scene_.sources, {"cost.tokens", {i}}).value_or(0), 0);
  }

  std::vector<Choice> lengths() const {
    static constexpr std::array labels{"T ≤ 256", "T ≤ 512", "T ≤ 1024"};
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < labels.size(); ++i)
      choices.push_back({labels[i], "Longest text measured, in tokens",
                         chosenTokens(input_.workspace.settings) == tokenChoices[i],
                         commands::changeSettings([most = tokenChoices[i]](ViewSettings& s) {
                           s.choices[tokensChoice] = std::to_string(most);
                         })});
    return choices;
  }

  // Attention last, and thinner: where linear attention costs the same, both can be seen.
  std::vector<PlotLine> lines(const std::string& tensor) const {
    std::vector<PlotLine> all;
    for (int kind = 0; kind < kindCount; ++kind)
      all.push_back({{tensor, {kind, 0}, -1, 1, -1, count()},
                     headColor(kind, theme_.dark),
                     kind == 1 ? 5.0f : 2.0f,
                     kinds[static_cast<std::size_t>(kind)].name});
    return all;
  }

  void addCosts(Box area, const char* title, const std::string& tensor) {
    const Box line = area.takeTop(titleHeight);
    addText(scene_, {line.x, line.y + 10}, title, theme_.strong()).maxWidth = line.width;
    addCrossings(area.takeBottom(wordHeight * (kindCount - 1)), tensor);
    area.takeBottom(footHeight), area.takeLeft(axis);
    HitRegion& hit = addPlot(scene_, input_, {area, rangeOfPlot(tensor), lines(tensor)},
                             tensor == "cost.seconds" ? "seconds" : "multiply-adds", nullptr);
    hit.say = [sources = scene_.sources, counted = counted_](const Target& target) {
      const int i = target.cell.index[1];
      const auto at = [&](const char* name, int kind) {
        return formattedShort(valueOf(sources, {name, {kind, i}}).value_or(unknown));
      };
      std::string words = "T = " + formattedFixed(valueOf(sources, {"cost.tokens", {i}}).value_or(0), 0);
      for (int kind = 0; kind < kindCount; ++kind)
        words += std::string("\n") + kinds[static_cast<std::size_t>(kind)].name + ", " +
                 kinds[static_cast<std::size_t>(kind)].order + ": " + at(counted.c_str(), kind) +
                 " multiply-adds, " + at("cost.seconds", kind) + " s";
      return words;
    };
    addLabels(scene_, input_,
              {area, Side::Bottom, count(), 48, [&](int i) { return tokensAt(i); }, [](int) { return false; },
               FontFace::Mono, Theme::small, true});
  }

  Range rangeOfPlot(const std::string& tensor) const {
    const Range found = rangeOf(scene_.sources, {tensor, {}, 0, 1, -1, -1});
    if (!(found.low > 0 && found.high > found.low)) return {1, 10, true};
    return {roundedDown(found.low), roundedUp(found.high), true};
  }

  void addCrossings(Box area, const std::string& tensor) {
    for (int kind = 1; kind < kindCount; ++kind) {
      const TensorRef at{tensor + "_crossing", {kind}};
      const std::string name = kinds[static_cast<std::size_t>(kind)].name;
      const Box line = area.takeTop(wordHeight);
      const float from = valueOf(scene_.sources, at).value_or(unknown);
      Text& text =
          addText(scene_, {line.x, line.center().y},
                  std::isfinite(from) ? "Attention > " + name + " from T = " + formattedFixed(from, 0)
                                      : "Attention, " + name + ": no crossing",
                  theme_.note());
      text.maxWidth = line.width;
      if (std::isfinite(from)) text.value = at;
    }
  }

  const SceneInput& input_;
  const Theme& theme_;
  std::string counted_;
  Scene scene_;
};

Scene costScene(const SceneInput& input, const char* counted) {
  if (!input.snapshot.model->config)
    return emptyScene(input, "No model loaded", input.snapshot.standing.error);
  return CostBuilder(input, counted).build();
}

}  // namespace

namespace needs {
const Need cost{.name = "cost of mixing", .kept = keptAs<CostMeasurement>};
}  // namespace needs

Scene mixingCostScene(const SceneInput& input) { return costScene(input, "cost.mixing"); }
Scene blockCostScene(const SceneInput& input) { return costScene(input, "cost.multiply_adds"); }

}  // namespace glassformer
