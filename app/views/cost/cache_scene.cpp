#include "app/views/cost/cache_scene.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/document/cache_settings.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/engine/continued_text.h"
#include "app/scene/format.h"
#include "app/scene/legend.h"
#include "core/lens/across_changes.h"
#include "core/model/model_size.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

namespace cached {
constexpr const char *keys = "cache.keys",   ///< [Y, Z]: √Σ k², a row for each head of keys in each block
    *values = "cache.values",                ///< [Y, Z]: √Σ v²
        *token = "cache.token",              ///< [Z]
            *rows = "cache.rows",            ///< [Z]: rows that are there behind the pass
                *numbers = "cache.numbers",  ///< [1]: kept of each token
                    *reused = "cache.reused",    ///< [Z]: rows that were there when this one was computed
                        *bytes = "cache.bytes",  ///< [Z]: of keys and values, with this one
                            *prompt =
                                "cache.prompt",  ///< [1]: tokens that one pass reads, before any is decoded
                                *counted = "cache.multiply_adds",  ///< [2, Z]: with the cache, without
                                    *seconds = "cache.seconds";    ///< [2, Z]
}  // namespace cached

// What ViewSettings::choices calls whether values are shown.
constexpr const char *cachedChoice = "cost.cached", *valuesChosen = "values";

// The quickest counts: what else runs here only ever adds. Passes of so many seconds are measured once.
constexpr int repeats = 3;
constexpr double longPass = 0.05;

class CacheMeasurement : public ContinuedText {
 public:
  /// Of a text that fills the context there is the cache of what was read.
  static bool isPossible(const ModelConfig& config, const Trace&) { return config.hasAttention(); }
  using ContinuedText::read;
  static Decoding read(Decoding decoding) { return decoding; }

  CacheMeasurement(const ContinuationKey& key, const JobSide& side, int threads)
      : ContinuedText(key, side, threads), threads_(threads) {}

  JobResult result() const { return {measured_}; }

  bool goOn(const StartJob& begin, const std::function<void()>& more) {
    if (measured_) return true;
    const ProgressCallback watch = begin("filling the cache");
    tokens_ = trace_->tokens();
    prompt_ = static_cast<int>(tokens_.size()) - drawnBefore_;  // then a step for every token decoded
    for (const int token : continuedBy(decoding_.strategy, logits())) tokens_.push_back(token);
    // The last one is only written, not read.
    if (static_cast<int>(tokens_.size()) > prompt_) tokens_.pop_back();
    steps_.clear();
    const int all = static_cast<int>(tokens_.size()) - prompt_ + 1;
    LivePass pass(model_, threads_), fresh(model_, threads_);
    for (int step = 0; step < all; ++step) {
      if (!watch(step, all)) return false;
      takeStep(pass, fresh, prompt_ + step);
    }
    measured_ = asTensors(*run(pass, static_cast<int>(tokens_.size())));
    more();
    return true;
  }

 private:
  struct Step {
    int reused = 0;
    double seconds = 0, freshSeconds = 0;
  };

  std::shared_ptr<const Trace> run(LivePass& pass, int count) const {
    return pass.run(std::span(tokens_).first(static_cast<std::size_t>(count)), interventions_,
                    trace_->source());
  }

  // The pass over the first so many tokens, after that over one fewer, and from nothing.
  void takeStep(LivePass& pass, LivePass& fresh, int count) {
    Step step{.seconds = INFINITY, .freshSeconds = INFINITY};
    const bool isFirst = count == prompt_;
    for (int i = 0; i < repeats && (i == 0 || step.freshSeconds < longPass); ++i) {
      if (isFirst || i > 0) forget(pass, isFirst ? 0 : count - 1);
      step.seconds = std::min(step.seconds, secondsOf(pass, count));
      step.reused = pass.rowsReused();
      forget(fresh, 0);
      step.freshSeconds = std::min(step.freshSeconds, secondsOf(fresh, count));
    }
    steps_.push_back(step);
  }

  double secondsOf(LivePass& pass, int count) const {
    const auto before = std::chrono::steady_clock::now();
    run(pass, count);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  }

  // Leaves it with the rows of the first so many tokens; of none, with that of another token.
  void forget(LivePass& pass, int count) const {
    if (count > 0) {
      run(pass, count);
      return;
    }
    const std::vector<int> other{(tokens_.front() + 1) % config().vocabulary};
    pass.run(other, interventions_, trace_->source());
  }

  std::shared_ptr<const TensorSet> asTensors(const Trace& trace) const {
    const ModelConfig& config = this->config();
    const int count = static_cast<int>(tokens_.size()), heads = config.valueHeads(),
              rows = config.layers * heads;
    int kept = 0;  // numbers that are kept of each token
    Tensor keys({rows, count}), values({rows, count}), token({count}), reused({count}), bytes({count}),
        counted({2, count}), seconds({2, count});
    for (int layer = 0; layer < config.layers; ++layer) {
      const TensorView k = trace[comparedPoint(trace, layer, ownSite(config), "k")],
                       v = trace[attentionPoint(layer, ownSite(config), "hook_v")];
      kept += k.extent[1] * k.extent[2] + v.extent[1] * v.extent[2];
      for (int t = 0; t < count; ++t)
        for (int head = 0; head < heads; ++head) {
          keys(layer * heads + head, t) = lengthOf(k, t, head);
          values(layer * heads + head, t) = lengthOf(v, t, head * v.extent[1] / heads);
        }
    }
    for (int t = 0; t < count; ++t) {
      const Step& step = steps_[static_cast<std::size_t>(std::max(0, t + 1 - prompt_))];
      const int read = std::max(t + 1, prompt_), source = static_cast<int>(trace_->source().size());
      const auto products = [&](int tokens) {
        return static_cast<double>(multiplyAdds(config, tokens, source));
      };
      const double known = step.reused > 0 ? products(step.reused) : 0;
      token(t) = static_cast<float>(tokens_[static_cast<std::size_t>(t)]);
      reused(t) = static_cast<float>(step.reused);
      bytes(t) = static_cast<float>(1.0 * kept * read * sizeof(float));
      counted(0, t) = static_cast<float>(products(read) - known),
                 counted(1, t) = static_cast<float>(products(read));
      seconds(0, t) = static_cast<float>(step.seconds), seconds(1, t) = static_cast<float>(step.freshSeconds);
    }
    auto set = std::make_shared<TensorSet>();
    const auto lengths = [&](const char* name, const char* meaning, const char* equation, bool ofKeys,
                             Tensor numbers) {
      set->addAcross({name, "YZ", meaning, equation}, std::move(numbers),
                     [passes = passes(), tokens = tokens_, config, ofKeys](const auto& at) -> OpenPasses {
                       return [=] { return lengthAcross(passes, tokens, config, ofKeys, at[0], at[1]); };
                     });
    };
    lengths(cached::keys, "norm of each kept key, by block and head", "√Σ k²", true, std::move(keys));
    lengths(cached::values, "norm of each kept value, by block and head", "√Σ v²", false, std::move(values));
    set->add({cached::token, "Z", "the token of a column", ""}, std::move(token));
    set->add({cached::prompt, "1", "tokens read in one pass, before decoding", ""},
             Tensor({1}, {static_cast<float>(prompt_)}));
    set->add({cached::reused, "Z", "rows that the pass which computed it took over", ""}, std::move(reused));
    addCounts(kept, std::move(bytes), std::move(counted), *set);
    set->add({cached::seconds, "2Z",
              "seconds of that pass, with the cache and without; the quickest of several", "measured"},
             std::move(seconds));
    return set;
  }

  // Bytes and multiply-adds, of the rows that are there and those that are read again.
  void addCounts(int kept, Tensor bytes, Tensor counted, TensorSet& set) const {
    const int count = static_cast<int>(tokens_.size());
    const TensorView reused = set[cached::reused];
    Tensor rows({count});
    for (int t = 0; t < count; ++t) rows(t) = static_cast<float>(std::max(t + 1, prompt_));
    set.add({cached::rows, "Z", "rows after the pass", "number of tokens read"}, std::move(rows));
    const TensorView read = set[cached::rows];
    const ModelConfig& config = this->config();
    const Cell numbers =
        addNumber(set, cached::numbers, "values cached for each token: keys and values of every block", kept);
    set.add({cached::bytes, "Z", "share of all keys and values that are kept by then",
             "2 · L · H · K · T · 4 bytes"},
            std::move(bytes), [=](const auto& at) {
              return derivedProduct({&read(at[0]), numbers}, static_cast<float>(sizeof(float)));
            });
    const MultiplyAdds adds = multiplyAddsOf(config);
    const int source = static_cast<int>(trace_->source().size());
    const auto number = [&](const char* name, const char* meaning, std::int64_t value) {
      return value == 0
                 ? nullptr
                 : addNumber(set, std::string(cached::counted) + name, meaning, static_cast<double>(value));
    };
    const Cell perToken = number("_per_token", "weights that each token is multiplied with", adds.perToken),
               perState =
                   number("_per_state", "weights that each state before is multiplied with", adds.perState),
               perPair =
                   number("_per_pair", "multiply-adds of two tokens in all heads: their score, and the value",
                          adds.perPair),
               perCrossing =
                   number("_per_source_pair", "the same of a token and the source: of all its tokens",
                          adds.perCrossPair * source),
               ofSource = number("_of_source", "memory of the source, once",
                                 adds.perSourceToken * source + adds.perSourcePair * source * source);
    // Of so many rows, each with all of them, `sign` times.
    const auto of = [=](Cell tokens, float sign, Derivation& sum) {
      const float T = *tokens;
      if (perToken) sum.terms.push_back({tokens, perToken, sign});
      if (perState) sum.terms.push_back({perState, nullptr, sign * (T - 1)});
      if (perPair) sum.terms.push_back({tokens, perPair, sign * T});
      if (perCrossing) sum.terms.push_back({tokens, perCrossing, sign});
      if (ofSource) sum.terms.push_back({ofSource, nullptr, sign});
    };
    set.add({cached::counted, "2Z", "multiply-adds of that pass, with the cache and without", "counted"},
            std::move(counted), [=](const auto& at) {
              Derivation sum;
              of(&read(at[1]), 1, sum);
              if (at[0] == 0 && reused(at[1]) > 0) of(&reused(at[1]), -1, sum);
              return sum;
            });
  }

  // A row of keys or values, in the pass over all tokens.
  static MultiPassDerivation lengthAcross(const TextPasses& passes, const std::vector<int>& tokens,
                                          const ModelConfig& config, bool ofKeys, int row, int t) {
    const int heads = config.valueHeads(), layer = row / heads, head = row % heads;
    ReplayedPass pass = passes.over("the whole text", tokens);
    const TensorView vectors = (*pass.trace)[ofKeys ? comparedPoint(*pass.trace, layer, ownSite(config), "k")
                                                    : attentionPoint(layer, ownSite(config), "hook_v")];
    const int own = ofKeys ? head : head * vectors.extent[1] / heads;
    return {derivedLength(vectors[t][own]), {std::move(pass)}};
  }

  static float lengthOf(const TensorView& vectors, int position, int head) {
    double sum = 0;
    for (int i = 0; i < vectors.extent[2]; ++i) {
      const double x = vectors(position, head, i);
      sum += x * x;
    }
    return static_cast<float>(std::sqrt(sum));
  }

  std::vector<int> tokens_;
  int prompt_ = 0;
  std::vector<Step> steps_;  // the first reads the prompt
  int threads_;
  std::shared_ptr<const TensorSet> measured_;
};

class CachePicture {
 public:
  explicit CachePicture(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        isValues_(input.workspace.settings.chosen(cachedChoice) == valuesChosen) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
    count_ = scene_.sources.find(cached::token)->extent[0];
    rows_ = scene_.sources.find(cached::keys)->extent[0];
    prompt_ = static_cast<int>(value(cached::prompt, 0));
    const int place = isOnWay(input.workspace) ? input.tokenCount() : count_;
    const std::string chosen(input.workspace.settings.chosen(cacheStepChoice));
    step_ = std::clamp(chosen.empty() ? place - 1 : std::atoi(chosen.c_str()), prompt_ - 1, count_ - 1);
  }

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    addHeader(area);
    addWords(area.takeTop(44));
    Box costs = area.takeBottom(std::clamp(area.height * 0.3f, 84.0f, 220.0f));
    area.takeBottom(30);
    area.takeTop(labelHeight());
    for (Box* box : {&costs, &area}) box->takeLeft(64), box->width -= 80;
    addMatrix(area);
    addCosts(costs);
    addSteps({area.x, area.y - labelHeight(), area.width, labelHeight()}, "cache step ");
    addSteps(costs, "cost of step ");
    return std::move(scene_);
  }

 private:
  float value(const char* tensor, int i, int j = 0) const {
    return valueOf(scene_.sources, {tensor, {i, j}}).value_or(NAN);
  }
  const char* shown() const { return isValues_ ? cached::values : cached::keys; }
  std::string labelOf(int t) const {
    return t == 0 && !input_.label(0).empty() ? input_.label(0)
                                              : input_.entryLabel(static_cast<int>(value(cached::token, t)));
  }
  float labelHeight() const {
    float widest = 0;
    for (int t = 0; t < count_; ++t)
      widest = std::max(widest, input_.metrics.width(labelOf(t), FontFace::Mono, Theme::small));
    return std::clamp(widest + 10, 32.0f, 84.0f);
  }

  void addHeader(Box& area) {
    const auto choice = [&](const char* label, const char* tip, bool values) {
      return Choice{label, tip, isValues_ == values,
                    commands::choose(cachedChoice, values ? valuesChosen : "")};
    };
    addViewHeader(
        scene_, input_, area,
        {"KV cache",
         "Keys and values that each step reads instead of computing them; click a token",

         {{choice("Keys", "Norm of each key", false), choice("Values", "Norm of each value", true)}}});
  }

  // What the step of the chosen token did.
  void addWords(const Box& box) {
    const int reused = static_cast<int>(value(cached::reused, step_)), computed = step_ + 1 - reused;
    const std::string first = "“" + labelOf(step_) + "”: " + countWords(reused, "row") + " read again, " +
                              std::to_string(computed) + " computed; " +
                              bytesIn(value(cached::bytes, step_)) + " kept";
    addText(scene_, {box.x, box.y + 10}, first, theme_.strong()).maxWidth = box.width;
    const std::string second = counted(value(cached::counted, 0, step_)) + " multiply-adds instead of " +
                               counted(value(cached::counted, 1, step_)) + ", " +
                               milliseconds(value(cached::seconds, 0, step_)) + " instead of " +
                               milliseconds(value(cached::seconds, 1, step_));
    addText(scene_, {box.x, box.y + 30}, second, theme_.note()).maxWidth = box.width;
    addHitRegion(scene_, {box.x, box.y, box.width, 20}, {cached::bytes, {step_}}, "bytes kept");
  }
  static std::string bytesIn(float bytes) {
    return bytes >= 1 << 20 ? formattedFixed(bytes / (1 << 20), 1) + " MiB"
                            : formattedFixed(bytes / 1024, 0) + " KiB";
  }
  static std::string counted(float number) {
    return number >= 1e9f   ? formattedFixed(number / 1e9f, 2) + " G"
           : number >= 1e6f ? formattedFixed(number / 1e6f, number >= 1e8f ? 0 : 1) + " M"
                            : formattedFixed(number / 1e3f, 0) + " k";
  }
  static std::string milliseconds(float seconds) { return formattedFixed(seconds * 1000, 2) + " ms"; }

  float columnX(const Box& box, int t) const {
    return box.x + box.width * static_cast<float>(t) / static_cast<float>(count_);
  }

  // As far as it is filled; the rows that the step computed are outlined.
  void addMatrix(const Box& box) {
    const Range range{0, rangeOf(scene_.sources, {shown(), {}, 0, 1, -1, -1}).high};
    Box filled = box;
    filled.width = columnX(box, step_ + 1) - box.x;
    scene_.add(Rect{box, theme_.panel, theme_.line});
    scene_.add(Matrix{filled, {shown(), {}, 0, 1, -1, step_ + 1}, ColorMap::Sequential, range});
    const int reused = static_cast<int>(value(cached::reused, step_));
    addOutline(scene_, {columnX(box, reused), box.y, filled.right() - columnX(box, reused), box.height},
               theme_.accent, 2);
    const int heads = input_.config().valueHeads();
    addLabels(
        scene_, input_,
        {box, Side::Left, rows_, 60,
         [heads](int row) { return "L" + std::to_string(row / heads) + "H" + std::to_string(row % heads); },
         [](int) { return false; }});
    addLabels(scene_, input_,
              {box, Side::Top, count_, labelHeight(), [this](int t) { return labelOf(t); },
               [this](int t) { return t == step_; }});
    addColorScale(scene_, input_, {box.right() + 12, box.y, 12, box.height}, ColorMap::Sequential, range);
    HitRegion& hit = addHitRegion(scene_, filled, {shown(), {}, 0, 1, -1, step_ + 1}, "cache");
    hit.rows = rows_, hit.columns = step_ + 1;
    hit.tabStop = false;
  }

  // The multiply-adds of every step, below its column: with what is kept, and without.
  void addCosts(Box box) {
    const Box legend = box.takeTop(22);
    const float most = rangeOf(scene_.sources, {cached::counted, {}, 0, 1, -1, -1}).high;
    double with = 0, without = 0;
    for (int t = prompt_ - 1; t < count_; ++t)
      with += value(cached::counted, 0, t), without += value(cached::counted, 1, t);
    addLegend(scene_, input_, legend,
              {{"multiply-adds with it, " + counted(static_cast<float>(with)) + " in all", theme_.accent, 0},
               {"without, " + counted(static_cast<float>(without)), withoutInk(), 0}});
    scene_.add(Line{{{box.x, box.bottom()}, {box.right(), box.bottom()}}, theme_.line});
    // The prompt is read in one pass.
    addPair(prompt_ - 1, {box.x, box.y, columnX(box, prompt_) - box.x, box.height}, most);
    for (int t = prompt_; t < count_; ++t)
      addPair(t, {columnX(box, t), box.y, box.width / static_cast<float>(count_), box.height}, most);
  }
  Rgba withoutInk() const { return mix(theme_.ground, theme_.quiet, 0.6f); }

  void addPair(int t, const Box& box, float most) {
    const float width = std::min(box.width * 0.42f, 18.0f), middle = box.center().x;
    scene_.add(Bar{{middle - width, box.y, width, box.height},
                   {cached::counted, {1, t}},
                   {0, most},
                   withoutInk(),
                   true,
                   1});
    scene_.add(Bar{
        {middle, box.y, width, box.height}, {cached::counted, {0, t}}, {0, most}, theme_.accent, true, 1});
  }

  // A click, or the arrow keys, choose the step: on the tokens above the cells, and on the bars below.
  void addSteps(const Box& box, const std::string& name) {
    const auto choose = [last = count_ - 1, first = prompt_ - 1](int t) {
      return commands::choose(cacheStepChoice, std::to_string(std::clamp(t, first, last)));
    };
    for (int t = prompt_ - 1; t < count_; ++t) {
      const float left = t < prompt_ ? box.x : columnX(box, t);
      HitRegion& hit = addHitRegion(scene_, {left, box.y, columnX(box, t + 1) - left, box.height},
                                    {cached::counted, {0, t}}, name + std::to_string(t));
      hit.target.text = "“" + labelOf(t) + "”: " + counted(value(cached::counted, 0, t)) +
                        " multiply-adds with the cache, " + counted(value(cached::counted, 1, t)) +
                        " without; " + milliseconds(value(cached::seconds, 0, t)) + " and " +
                        milliseconds(value(cached::seconds, 1, t)) + " here";
      hit.click = [choose, t](const Target&) { return choose(t); };
      hit.arrows = [choose, t = step_](int right, int) { return choose(t + right); };
    }
  }

  const SceneInput& input_;
  const Theme& theme_;
  bool isValues_;
  Scene scene_;
  int count_ = 0, rows_ = 0, prompt_ = 1, step_ = 0;
};

}  // namespace

namespace needs {
const Need cache{.name = "key-value cache", .kept = keptAs<ContinuationJob<CacheMeasurement>>};
}  // namespace needs

Scene cacheScene(const SceneInput& input) {
  const Snapshot& snapshot = input.snapshot;
  if (!snapshot.model->config) return emptyScene(input, "No model loaded", snapshot.standing.error);
  if (!snapshot.model->config->hasAttention())
    return emptyScene(input, "No KV cache", "this model mixes tokens without attention");
  if (!snapshot.model->continues())
    return emptyScene(input, "No KV cache", "a masked language model reads every text once");
  if (!snapshot.pass->hasTrace())
    return emptyScene(input, "No KV cache yet", snapshot.standing.errorOr("Type in the Text box."));
  if (!input.sources().contains(cached::keys)) return emptyScene(input, "KV cache", waitingWords(input));
  return CachePicture(input).drawn();
}

}  // namespace glassformer
