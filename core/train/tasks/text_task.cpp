#include "core/train/tasks/text_task.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <vector>

#include "core/decode/next_token.h"
#include "core/model/live_pass.h"
#include "core/random.h"
#include "core/text/byte_pair_training.h"
#include "core/text/utf8.h"
#include "core/train/tasks/held_out.h"

namespace glassformer {
namespace {

constexpr int positions = 128, vocabulary = 1024;
constexpr std::size_t measuredWindows = 100;

std::string placeOf(std::string_view text, std::size_t byte) {
  const auto line = 1 + std::ranges::count(text.substr(0, byte), '\n');
  return "byte " + std::to_string(byte) + ", line " + std::to_string(line);
}

Status checkText(const std::string& name, std::string_view text) {
  if (text.empty()) return Error{"is empty: there is nothing to learn", name, ""};
  if (text.size() > mostTextBytes)
    return Error{"has " + std::to_string(text.size()) + " bytes, at most " + std::to_string(mostTextBytes) +
                     " can be learned from",
                 name, "cut a part of it out"};
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    return Error{"is not text: it contains a NUL byte", name + ", " + placeOf(text, nul), ""};
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = codePointAt(text, at);
    if (!point.valid)
      return Error{inQuotes(text.substr(at, 1)) + " is not UTF-8", name + ", " + placeOf(text, at),
                   "save it as UTF-8"};
    at += static_cast<std::size_t>(point.bytes);
  }
  return success();
}

// FNV-1a, so that a run is continued only with the text it began with.
std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  char digits[20];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

Recipe recipeOf(const std::string& name, std::string_view text, TextTokens tokens, std::uint64_t seed,
                int steps) {
  Recipe recipe = textRecipe(seed, steps);
  const std::string kind = tokens == TextTokens::Character ? "character" : "bpe";
  recipe.arguments = "--file " + name + " --tokenizer " + kind;
  recipe.data = kind + " " + fingerprint(text);  // wherever the file lies by now
  return recipe;
}

class TextTask final : public TrainingTask {
 public:
  TextTask(Recipe recipe, BytePairEncoding tokenizer, std::string_view training, std::string_view heldOut)
      : TrainingTask(std::move(recipe), std::move(tokenizer)),
        training_(this->tokenizer().encodeIds(training)),
        heldOut_(this->tokenizer().encodeIds(heldOut)) {}

  std::size_t fewestTokens() const { return std::min(training_.size(), heldOut_.size()); }

  Batch batch(int step, int sequences) const override {
    return batchOf(training_, step, sequences, recipe().seed);
  }
  Batch heldOut(int number, int sequences) const override {
    return batchOf(heldOut_, number, sequences, heldOutSeed(recipe().seed));
  }
  std::vector<Example> examples(int) const override { return {}; }  // a text goes on in many ways
  std::string purpose() const override {
    return "Continues a text.\n\n## Data\n\n" + std::to_string(training_.size()) + " tokens of a text (`" +
           recipe().arguments + "`); its last tenth, " + std::to_string(heldOut_.size()) +
           " tokens, is held out from training; the numbers below are measured on these.\n";
  }

 private:
  std::string measured(std::shared_ptr<const Transformer> model, int threads,
                       const ProgressCallback& watch) const override;
  Batch batchOf(const std::vector<int>& tokens, int number, int sequences, std::uint64_t seed) const {
    Batch batch;
    Random random(mix(seed + mix(static_cast<std::uint64_t>(number))));
    const int last = static_cast<int>(tokens.size()) - positions;
    for (int row = 0; row < sequences; ++row) {
      const auto from = tokens.begin() + random.below(last);
      batch.tokens.insert(batch.tokens.end(), from, from + positions);
      batch.targets.insert(batch.targets.end(), from + 1, from + positions + 1);
    }
    return batch;
  }

  std::vector<int> training_, heldOut_;
};

// On windows one behind the other, evenly from the whole held-out part where it has more than enough.
std::string TextTask::measured(std::shared_ptr<const Transformer> model, int threads,
                               const ProgressCallback& watch) const {
  LivePass pass(std::move(model), threads);
  const std::size_t all = (heldOut_.size() - 1) / positions, windows = std::min(all, measuredWindows);
  double loss = 0;
  std::size_t right = 0, bytes = 0;
  for (std::size_t i = 0; i < windows && watch(static_cast<int>(i), static_cast<int>(windows)); ++i) {
    const std::span window(&heldOut_[i * all / windows * positions], positions + 1);
    const auto trace = pass.run(window.first(positions));
    for (int t = 0; t < positions; ++t) {
      const int next = window[static_cast<std::size_t>(t) + 1];
      const std::vector<double> logs = logSoftmax((*trace)["logits"][t].copy());
      loss -= logs[static_cast<std::size_t>(next)];
      right += std::ranges::max_element(logs) - logs.begin() == next;
      bytes += tokenizer().tokenBytes(next).size();
    }
  }
  const auto tokens = static_cast<double>(windows * positions);
  char text[400];
  std::snprintf(text, sizeof text,
                "## Measured on %.0f held-out tokens\n\n| | |\n|---|---|\n| next-token loss | %.4f nats |\n"
                "| the same per byte of the text | %.4f bits |\n| most probable token right | %.1f %% |\n",
                tokens, loss / tokens, loss / std::log(2.0) / static_cast<double>(bytes),
                100 * static_cast<double>(right) / tokens);
  return text;
}

}  // namespace

Recipe textRecipe(std::uint64_t seed, int steps) {
  Recipe recipe{
      .task = "text", .seed = seed, .steps = steps > 0 ? steps : 2000};  // 4 layers, 4 heads, D 128, F 512
  recipe.config.tiedUnembedding = false;
  recipe.scale = {.embedding = 0.3f, .position = 0.3f, .sinusoidalStart = true};
  recipe.options = {.sequences = 16, .positions = positions, .shards = 2};
  recipe.options.schedule = {ScheduleKind::Cosine, 3e-3f, 100, recipe.steps, 0.02f};
  recipe.options.seed = seed;
  return recipe;
}

BytePairEncoding charactersOf(std::string_view text) {
  const BytePairEncoding bytes = trainBytePairEncoding("", 257);
  std::vector<std::string> tokens;
  std::map<std::string, int, std::less<>> ids;
  const auto idOf = [&](std::string_view token) {
    const auto [place, isNew] = ids.try_emplace(std::string(token), static_cast<int>(tokens.size()));
    if (isNew) tokens.emplace_back(token);
    return place->second;
  };
  for (int id = 0; id < 256; ++id) idOf(bytes.tokenBytes(id));
  std::set<std::string_view> characters;
  for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
    next = nextCharacter(text, at);
    if (next - at > 1) characters.insert(text.substr(at, next - at));
  }
  // A character of several bytes is put together from its first byte on.
  std::vector<Merge> merges;
  for (const std::string_view character : characters)
    for (std::size_t length = 2; length <= character.size(); ++length) {
      const std::string_view whole = character.substr(0, length);
      if (ids.contains(whole)) continue;
      const int left = idOf(whole.substr(0, length - 1)), right = idOf(whole.substr(length - 1));
      idOf(whole);
      merges.push_back({left, right});
    }
  tokens.emplace_back(Tokenizer::endOfTextName);
  auto tokenizer = BytePairEncoding::create(std::move(tokens), std::move(merges));
  assert(tokenizer);
  return *std::move(tokenizer);
}

Result<std::shared_ptr<const TrainingTask>> textTask(const std::string& name, std::string text,
                                                     TextTokens tokens, std::uint64_t seed, int steps) {
  if (Status status = checkText(name, text); !status) return status.error();
  std::erase(text, '\r');
  const std::size_t cut = nextCharacter(text, text.size() / 10 * 9);
  const std::string_view training = std::string_view(text).substr(0, cut),
                         heldOut = std::string_view(text).substr(cut);
  auto task = std::make_shared<const TextTask>(
      recipeOf(name, text, tokens, seed, steps),
      tokens == TextTokens::Character ? charactersOf(training) : trainBytePairEncoding(training, vocabulary),
      training, heldOut);
  if (task->fewestTokens() <= positions)
    return Error{"is too short: its last tenth, which is held out, has fewer than the " +
                     std::to_string(positions + 1) + " tokens of a sequence",
                 name, ""};
  return std::shared_ptr<const TrainingTask>(std::move(task));
}

}  // namespace glassformer
