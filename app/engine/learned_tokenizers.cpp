#include "app/engine/learned_tokenizers.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "app/document/cuts_settings.h"
#include "app/document/tabs.h"
#include "app/engine/needs.h"
#include "core/text/words.h"

namespace glassformer {

namespace {

// Texts are kept apart: no pair reaches from one into the next.
std::string writtenIn(const Workspace& workspace) {
  std::string corpus;
  for (const TabText& writing : allTabs(workspace))
    for (const std::string& text : {writing.source, writing.text})
      if (!text.empty()) corpus += text + std::string(BytePairEncoding::endOfTextName);
  return corpus;
}

}  // namespace

std::shared_ptr<const Tokenizer> wordsByFrequency(std::string_view text) {
  const std::string unknown(Tokenizer::unknownName);
  const Result<Words> cutter = Words::create({unknown});
  std::map<std::string, int> counts;
  for (const Token& token : cutter->encode(text)) {
    std::string_view word = text.substr(token.begin, token.end - token.begin);
    while (!word.empty() && word.front() <= ' ' && word.front() >= 0) word.remove_prefix(1);
    while (!word.empty() && word.back() <= ' ' && word.back() >= 0) word.remove_suffix(1);
    if (!word.empty() && word != unknown) ++counts[std::string(word)];
  }
  std::vector<std::pair<std::string, int>> order(counts.begin(), counts.end());
  std::ranges::stable_sort(order, std::greater(), &std::pair<std::string, int>::second);
  std::vector<std::string> tokens;
  for (auto& [word, count] : order) tokens.push_back(std::move(word));
  tokens.push_back(unknown);
  Result<Words> words = Words::create(std::move(tokens));
  return words ? std::make_shared<const Words>(*std::move(words)) : nullptr;
}

std::optional<std::string> LearnedTokenizers::key(const JobSide& side) const {
  return cutsByLearning(side.workspace().settings) ? std::optional(writtenIn(side.workspace()))
                                                   : std::nullopt;
}

TokenizersOfCorpus::TokenizersOfCorpus(const std::string& corpus, const JobSide&, int /*threads*/)
    : learning_(corpus), tokenizers_(2) {
  std::string plain = corpus;
  for (std::size_t at; (at = plain.find(BytePairEncoding::endOfTextName)) != std::string::npos;)
    plain.replace(at, BytePairEncoding::endOfTextName.size(), "\n");
  tokenizers_.back() = {{"words"}, wordsByFrequency(plain)};
  publish();
}

void TokenizersOfCorpus::publish() {
  tokenizers_.front() = {{"learned here"}, std::make_shared<const BytePairEncoding>(learning_.encoding())};
}

bool TokenizersOfCorpus::goOn(const StartJob& begin, const std::function<void()>& more) {
  if (isDone_) return true;
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds between(100);
  constexpr int most = LearnedTokenizers::mostMerges;
  const ProgressCallback watch = begin(LearnedTokenizers::doing);
  Clock::time_point shown = Clock::now();
  while (learning_.merges() < most) {
    if (!watch(learning_.merges(), most)) return false;
    if (!learning_.advance()) break;
    if (Clock::now() - shown < between) continue;
    publish(), more(), shown = Clock::now();
  }
  isDone_ = true;
  publish(), more();
  return true;
}

namespace needs {
const Need learnedTokenizers{
    .name = "merges learned here", .kept = keptAs<LearnedTokenizers>, .reads = readChoices<cutsChoice>};
}  // namespace needs

}  // namespace glassformer
