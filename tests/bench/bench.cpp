// Tokens per second of the forward pass and the training step, and milliseconds per edit; medians.
// Shapes: T d 128, 4 layers, 4 heads, vocabulary 512. S d 384, 6 layers, 6 heads, vocabulary 4096. G is
// GPT-2 small's, d 768, 12 layers, 12 heads, vocabulary 50257; only for forward and leave_out, and only where
// it is named. Also how fast training tasks make their batches, and the best accuracy that fill can reach.
// Usage: bench [forward|decode|train|mixing|edit|leave_out|landscape|tasks] [T|S|G] [tokens]
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/lens/ablation.h"
#include "core/model/initialization.h"
#include "core/model/live_pass.h"
#include "core/tensor/kernels.h"
#include "core/train/landscape.h"
#include "core/train/tasks/fill/fill_batches.h"
#include "core/train/tasks/fill/fill_evaluation.h"
#include "core/train/tasks/translation/translation_batches.h"
#include "core/train/tasks/translation/translations.h"
#include "core/train/trainer.h"

using namespace glassformer;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <typename Body>
double medianSeconds(int runs, Body body) {
  body();
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const double start = now();
    body();
    times.push_back(now() - start);
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

ModelConfig shape(const std::string& name, int context) {
  if (name == "S") return {6, 6, 384, 1536, 4096, context};
  if (name == "G") return {12, 12, 768, 3072, 50257, context};
  return {4, 4, 128, 512, 512, context};
}

Parameters randomParameters(const ModelConfig& config) {
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {.embedding = 0.02f, .position = 0.02f, .weight = 0.02f}, 1);
  return parameters;
}

std::vector<int> someTokens(int count, int vocabulary, int salt = 0) {
  std::vector<int> tokens;
  for (int i = 0; i < count; ++i) tokens.push_back(((i + salt) * 7919 + 13) % vocabulary);
  return tokens;
}

void forward(const std::string& name, int count) {
  const ModelConfig config = shape(name, count);
  LivePass live(std::make_shared<const Transformer>(config, randomParameters(config)), 2);
  int salt = 0;
  const double seconds =
      medianSeconds(name == "G" ? 3 : 31, [&] { live.run(someTokens(count, config.vocabulary, ++salt)); });
  std::printf("forward %s %d tokens: %.3f ms, %.0f tokens/s\n", name.c_str(), count, seconds * 1e3,
              count / seconds);
}

// What keeping the trace costs: the same pass without names, interventions and a Trace to hand out.
void traceCost(const std::string& name) {
  const ModelConfig config = shape(name, 128);
  const auto model = std::make_shared<const Transformer>(config, randomParameters(config));
  LivePass live(model, 2);
  Tape tape(1, config.context);
  Pass bare(tape, config, model->parameters(), Pass::Training{});
  model->forward(bare);
  ThreadPool team(2);
  int salt = 0;
  std::vector<double> ratios;
  for (int i = 0; i < 41; ++i) {
    const auto tokens = someTokens(128, config.vocabulary, ++salt);
    const double start = now();
    live.run(tokens);
    const double middle = now();
    tape.tokens() = tokens;
    tape.forward(team);
    ratios.push_back((middle - start) / (now() - middle));
  }
  std::ranges::sort(ratios);
  std::printf("forward %s 128 tokens, with the trace over without: %.3f\n", name.c_str(),
              ratios[ratios.size() / 2]);
}

void decode(const std::string& name) {
  const ModelConfig config = shape(name, 128);
  const auto model = std::make_shared<const Transformer>(config, randomParameters(config));
  LivePass live(model, 2);
  const auto tokens = someTokens(64, config.vocabulary);
  const double seconds = medianSeconds(name == "G" ? 3 : 9, [&] {
    for (int n = 1; n <= 64; ++n) live.run(std::span(tokens).first(static_cast<std::size_t>(n)));
    live.run(std::vector{0});
  });
  // Every weight is read once for each token: what the memory gives is the limit.
  const double bytes = static_cast<double>(model->parameters().valueCount()) * sizeof(float);
  std::printf("decode %s 64 tokens: %.0f tokens/s, %.1f GB/s of weights\n", name.c_str(), 64 / seconds,
              64 * bytes / seconds * 1e-9);
}

// What is changed at one point of the first or the last block, by turns with a full pass.
void intervene(const std::string& name) {
  const ModelConfig config = shape(name, 128);
  const auto model = std::make_shared<const Transformer>(config, randomParameters(config));
  const auto tokens = someTokens(64, config.vocabulary);
  LivePass live(model, 2), whole(model, 2);
  int salt = 0;
  const auto measure = [&](int block, InterventionKind kind) {
    const std::string point = "blocks." + std::to_string(block) + ".attn.hook_pattern";
    const auto changed = [&] {
      return Interventions{{point, kind, {0, 40, 7}, 1e-3f * static_cast<float>(++salt)}};
    };
    std::vector<double> ratios, seconds;
    for (int i = 0; i < 201; ++i) {
      const double start = now();
      live.run(tokens, changed());
      const double middle = now();
      whole.run(someTokens(64, config.vocabulary, ++salt), changed());
      seconds.push_back(middle - start), ratios.push_back((now() - middle) / (middle - start));
    }
    std::ranges::sort(ratios), std::ranges::sort(seconds);
    std::printf(
        "intervene %s 64 tokens, pattern of block %d %s: %.3f ms, a full pass takes %.2f times that\n",
        name.c_str(), block, described(kind).id, seconds[100] * 1e3, ratios[100]);
  };
  for (const int block : {0, config.layers - 1})
    for (const InterventionKind kind : {InterventionKind::Scale, InterventionKind::Replace})
      measure(block, kind);
}

void train(const std::string& name) {
  TrainingOptions options;
  options.shards = 2;  // as the recipe of stories has it
  options.sequences = name == "S" ? 8 : 16, options.positions = name == "S" ? 128 : 64;
  const ModelConfig config = shape(name, options.positions);
  Trainer trainer(config, randomParameters(config), options, 2);
  const int count = options.sequences * options.positions;
  int salt = 0;
  const double seconds = medianSeconds(name == "S" ? 7 : 31, [&] {
    Batch batch{someTokens(count, config.vocabulary, ++salt), someTokens(count, config.vocabulary, salt + 1)};
    trainer.step(batch);
  });
  std::printf("train %s: %.2f ms, %.0f tokens/s\n", name.c_str(), seconds * 1e3, count / seconds);
}

// What every head, every attention and every MLP does, each left out by itself.
void leaveOutAll(const std::string& name) {
  const ModelConfig config = shape(name, 128);
  const bool isLarge = name == "G";
  const auto model = std::make_shared<const Transformer>(config, randomParameters(config));
  LivePass live(model, 2);
  Interventions parts;
  for (int layer = 0; layer < config.layers; ++layer) {
    const std::string block = "blocks." + std::to_string(layer) + ".";
    for (int head = 0; head < config.heads; ++head) {
      parts.push_back({.point = block + "attn.hook_z"});
      parts.back().index[1] = head;
    }
    parts.push_back({.point = block + "hook_attn_out"});
    parts.push_back({.point = block + "hook_mlp_out"});
  }
  int salt = 0;
  const auto named = "leave out " + name + " 64 tokens";
  const double seconds = medianSeconds(isLarge ? 1 : 9, [&] {
    const auto whole = live.run(someTokens(64, config.vocabulary, ++salt));
    for (const Intervention& part : parts) leaveOut(live, *whole, {}, part, {{63, 0}});
  });
  std::printf("%s, %zu parts: %.1f ms\n", named.c_str(), parts.size(), seconds * 1e3);
  // As long as it takes that the best guess among all of them at all tokens is there.
  const std::vector<std::optional<Intervention>> guessed(parts.begin(), parts.end());
  const double first = medianSeconds(isLarge ? 1 : 9, [&] {
    const auto whole = live.run(someTokens(64, config.vocabulary, ++salt));
    TensorSet gradients;
    estimateLeftOut(*model, *whole, {}, guessed, {.kind = Metric::Kind::Answer, .of = {{63, 0}}}, gradients);
    leaveOut(live, *whole, {}, parts.front(), {{63, 0}});
  });
  std::printf("%s, the first answer: %.1f ms\n", named.c_str(), first * 1e3);
  const double gain = medianSeconds(isLarge ? 3 : 31, [&] {
    Intervention turned = parts.front();
    turned.kind = InterventionKind::Scale, turned.value = 1e-3f * static_cast<float>(++salt);
    live.run(someTokens(64, config.vocabulary), {turned});
  });
  std::printf("%s, a gain of the first head turned: %.2f ms\n", named.c_str(), gain * 1e3);
  if (isLarge) return;
  // Every head and MLP at every token by itself.
  std::erase_if(parts, [](const Intervention& part) { return part.point.ends_with("attn_out"); });
  const double byToken = medianSeconds(3, [&] {
    const auto whole = live.run(someTokens(64, config.vocabulary, ++salt));
    for (const Intervention& part : parts)
      for (int token = 0; token < 64; ++token) {
        Intervention at = part;
        at.index[0] = token;
        leaveOut(live, *whole, {}, at, {{63, 0}});
      }
  });
  std::printf("%s, %zu parts by token: %.2f s\n", named.c_str(), parts.size(), byToken);
}

// What transformers are compared with, by turns, so that all have the same share of a busy machine.
void mixing() {
  constexpr std::array names{"attention", "recurrence", "convolution"};
  constexpr int rounds = 41, context = 128, sequences = 16;
  struct Compared {
    std::unique_ptr<Trainer> trainer;
    std::unique_ptr<LivePass> live;
    std::vector<double> training, passes;
  };
  std::array<Compared, names.size()> all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ModelConfig config = shape("T", context);
    config.mixing = static_cast<Mixing>(i);
    const TrainingOptions options{.sequences = sequences, .positions = context, .shards = 2};
    all[i].trainer = std::make_unique<Trainer>(config, randomParameters(config), options, 2);
    all[i].live =
        std::make_unique<LivePass>(std::make_shared<const Transformer>(config, randomParameters(config)), 2);
  }
  const auto timed = [](std::vector<double>& times, auto body) {
    const double start = now();
    body();
    times.push_back(now() - start);
  };
  for (int round = 0; round < rounds; ++round)
    for (Compared& each : all) {
      const auto tokens = someTokens(sequences * context, 512, round);
      timed(each.training, [&] { each.trainer->step({tokens, tokens, {}, {}}); });
      timed(each.passes, [&] { each.live->run(someTokens(context, 512, round)); });
    }
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::ranges::sort(all[i].training), std::ranges::sort(all[i].passes);
    std::printf("mixing by %s: trains %.0f tokens/s, forward of %d tokens %.3f ms\n", names[i],
                sequences * context / all[i].training[rounds / 2], context, all[i].passes[rounds / 2] * 1e3);
  }
}

void edit() {
  ModelConfig config = shape("T", 128);
  config.vocabulary = 1024;
  LivePass live(std::make_shared<const Transformer>(config, randomParameters(config)), 2);
  auto tokens = someTokens(64, config.vocabulary);
  std::shared_ptr<const Trace> shown = live.run(tokens), before;
  for (const int place : {0, 32, 63}) {
    const double seconds = medianSeconds(51, [&] {
      auto& token = tokens[static_cast<std::size_t>(place)];
      token = (token + 1) % config.vocabulary;
      before = shown;  // the window may still draw the last two
      shown = live.run(tokens);
    });
    std::printf("edit at %d of 64: %.3f ms\n", place, seconds * 1e3);
  }
}

// The loss landscape as the window measures it: 25 × 25 points, 8 sequences of 128 tokens at each.
void landscape() {
  ModelConfig config = shape("T", 128);
  config.vocabulary = 1024;
  LossData data{8, 128, 0, {{someTokens(1024, 1024), someTokens(1024, 1024, 1), {}, {}}}};
  for (const int threads : {1, 2}) {
    LandscapeSurvey survey(config, randomParameters(config), data, {}, threads);
    const double start = now();
    survey.run(noProgress);
    std::printf("landscape T, 25 x 25 points of 1024 tokens, %d threads: %.1f s\n", threads, now() - start);
  }
}

void tasks() {
  constexpr int sentences = 50000, sequences = 32, positions = 40, words = 2000;
  TranslationGenerator generator(1, Split::Training);
  double start = now();
  for (int i = 0; i < sentences; ++i) generator.next();
  std::printf("translate: %.0f sentences/s\n", sentences / (now() - start));
  const BytePairEncoding joint = trainTranslationTokenizer(1, 1280);
  const TranslationBatches pairs(joint, 1, positions, positions);
  int step = 0;
  std::printf("translate: %.0f sentences/s in batches\n",
              sequences / medianSeconds(101, [&] { pairs.batch(++step, sequences); }));
  const BytePairEncoding tokenizer = trainFillTokenizer(1, 1024);
  const FillBatches masked(tokenizer, 1, 128);
  std::printf("fill: %.2f ms per batch of 16 x 128 tokens\n",
              1e3 * medianSeconds(101, [&] { masked.batch(++step, 16); }));
  start = now();
  const BestFilling best = measureBestFilling(tokenizer, heldOutMaskedWords(tokenizer, 1000, words, 128));
  std::printf("fill: best possible %.4f of %d held-out words, expected %.4f (%.1f s)\n",
              best.accuracy.share(), words, best.expected, now() - start);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "all", name = argc > 2 ? argv[2] : "";
  const bool all = what == "all";
  std::printf("kernels: %s\n", kernels().level);
  for (const std::string s : {"T", "S", "G"}) {
    if (name.empty() ? s == "G" : name != s) continue;
    if (what == "decode") decode(s);
    if (all || what == "forward") {
      for (const int count : {128, 1024})
        if (argc < 4 || std::atoi(argv[3]) == count) forward(s, count);
      decode(s);
      if (s == "G") continue;
      intervene(s);
      traceCost(s);
    }
    if (s != "G" && (all || what == "train")) train(s);
  }
  if (all || what == "mixing") mixing();
  if (all || what == "edit") edit();
  if (all || what == "leave_out") leaveOutAll(name.empty() ? "T" : name);
  if (all || what == "landscape") landscape();
  if (all || what == "tasks") tasks();
}
