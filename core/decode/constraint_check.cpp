#include "core/decode/constraint_check.h"

#include <algorithm>
#include <utility>

#include "core/text/text_ends.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

// Printable ASCII, and whatever else the pattern names: what a continuation is tried with.
std::vector<std::string> charactersOf(std::string_view pattern) {
  std::vector<std::string> characters;
  for (char c = ' '; c <= '~'; ++c) characters.emplace_back(1, c);
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t next = nextCharacter(pattern, at);
    std::string character(pattern.substr(at, next - at));
    if (character.size() > 1 && std::ranges::find(characters, character) == characters.end())
      characters.push_back(std::move(character));
    at = next;
  }
  return characters;
}

// Characters in the order of their codes, runs of them as "a–z".
std::string inRuns(const std::vector<std::string>& characters) {
  const auto follows = [](const std::string& a, const std::string& b) {
    return a.size() == 1 && b.size() == 1 && b[0] == a[0] + 1;
  };
  const auto shown = [](const std::string& c) { return c == " " ? std::string("a space") : c; };
  std::vector<std::string> runs;
  for (std::size_t from = 0; from < characters.size();) {
    std::size_t to = from;
    while (to + 1 < characters.size() && follows(characters[to], characters[to + 1])) ++to;
    if (characters[from] == " " || to - from < 2) to = from;
    runs.push_back(to > from ? characters[from] + "–" + characters[to] : shown(characters[from]));
    from = to + 1;
  }
  std::string list;
  for (std::size_t i = 0; i < runs.size(); ++i)
    list += (i == 0 ? "" : i + 1 == runs.size() ? " or " : ", ") + runs[i];
  return list;
}

}  // namespace

std::string describe(const DeadEnd& end) {
  const std::string behind = end.written.empty() ? "here" : "after “" + visibleText(end.written) + "”";
  std::string words = behind + (end.wanted.empty() ? " no token matches the constraint"
                                                   : " the constraint wants " + end.wanted);
  if (end.banned > 0)
    return words + ", and " +
           (end.banned == 1 ? "the token that leads on is" : "all tokens that could continue are") +
           " banned";
  return words + (end.wanted.empty() ? "" : ", and no token leads on");
}

std::string describe(const ConstraintStanding& standing) {
  const std::string next = standing.wanted.empty() ? "" : ", next " + standing.wanted;
  if (standing.written.empty()) return "no token is generated yet" + next;
  const char* const fit = standing.fit == Expression::Fit::No      ? " does not match"
                          : standing.fit == Expression::Fit::SoFar ? " matches so far"
                                                                   : " is a whole match";
  return "“" + visibleText(standing.written) + "”" + fit + next;
}

Result<ConstraintCheck> ConstraintCheck::create(const Constraint& constraint,
                                                std::shared_ptr<const Tokenizer> tokenizer,
                                                std::string_view text) {
  ConstraintCheck check;
  check.tokenizer_ = std::move(tokenizer);
  check.banned_ = constraint.banned;
  if (constraint.pattern.empty()) return check;
  auto expression = Expression::compile(constraint.pattern);
  if (!expression) return expression.error();
  check.expression_ = *std::move(expression);
  if (text.starts_with(constraint.behind)) check.written_ = text.substr(constraint.behind.size());
  return check;
}

void ConstraintCheck::holdTo(const ModelConfig& config, int read) {
  if (!config.isEncoderDecoder()) return;
  if (config.bannedToken >= 0) banned_.push_back(config.bannedToken);
  last_ = config.forcedEosToken;
  lastBehind_ = static_cast<std::size_t>(std::max(0, config.context - 1 - read));
}

// As it is written, or without the space in front of its first word.
Expression::Fit ConstraintCheck::fitOf(std::string_view written) const {
  const Expression::Fit fit = expression_->fitOf(written);
  return written.starts_with(' ') ? std::max(fit, expression_->fitOf(written.substr(1))) : fit;
}

// An end of the text that writes nothing; a model may end its texts with a full stop, too.
bool ConstraintCheck::isSilent(int token) const {
  return token == tokenizer_->endOfText() || (endsText(*tokenizer_, token) && tokenizer_->isSpecial(token));
}

std::string ConstraintCheck::writtenWith(std::span<const int> added) const {
  std::string text = written_;
  for (const int token : added)
    if (!isSilent(token)) text += tokenizer_->writtenBehind(token);
  return text;
}

bool ConstraintCheck::isWhole(std::span<const int> added) const {
  return !expression_ || fitOf(writtenWith(added)) == Expression::Fit::Whole;
}

// By the pattern alone.
std::vector<bool> ConstraintCheck::matching(std::span<const int> added, int vocabulary) const {
  std::vector<bool> may(static_cast<std::size_t>(vocabulary), true);
  if (expression_) {
    std::string text = writtenWith(added);
    const std::size_t before = text.size();
    for (int token = 0; token < vocabulary; ++token) {
      const bool isEnd = endsText(*tokenizer_, token);
      if (!isSilent(token) && token < tokenizer_->vocabularySize()) text += tokenizer_->writtenBehind(token);
      const Expression::Fit fit = fitOf(text);
      may[static_cast<std::size_t>(token)] =
          isEnd ? fit == Expression::Fit::Whole : text.size() > before && fit != Expression::Fit::No;
      text.resize(before);
    }
  }
  return may;
}

std::vector<bool> ConstraintCheck::allowed(std::span<const int> added, int vocabulary) const {
  std::vector<bool> may = matching(added, vocabulary);
  for (const int token : banned_)
    if (token < vocabulary) may[static_cast<std::size_t>(token)] = false;
  for (int token = 0; last_ >= 0 && added.size() >= lastBehind_ && token < vocabulary; ++token)
    if (token != last_) may[static_cast<std::size_t>(token)] = false;
  return may;
}

std::string ConstraintCheck::wantedBehind(const std::string& written) const {
  if (!isValidUtf8(written)) return "the rest of a character";
  std::vector<std::string> wanted = charactersOf(expression_->pattern());
  std::erase_if(wanted, [&](const std::string& c) { return fitOf(written + c) == Expression::Fit::No; });
  // A space that may be left out is none that is asked for.
  if (written.empty() && expression_->fitOf(" ") == Expression::Fit::No) std::erase(wanted, " ");
  return inRuns(wanted);
}

std::optional<DeadEnd> ConstraintCheck::deadEnd(std::span<const int> added, int vocabulary) const {
  if (isOff() || (expression_ && isWhole(added))) return std::nullopt;
  const std::vector<bool> may = allowed(added, vocabulary);
  if (std::ranges::count(may, true) > 0) return std::nullopt;
  DeadEnd end{.step = static_cast<int>(added.size()) + 1};
  end.banned = static_cast<int>(std::ranges::count(matching(added, vocabulary), true));
  if (const auto at = standing(added)) end.written = at->written, end.wanted = at->wanted;
  return end;
}

std::optional<ConstraintStanding> ConstraintCheck::standing(std::span<const int> added) const {
  if (!expression_) return std::nullopt;
  const std::string written = writtenWith(added);
  return ConstraintStanding{fitOf(written), written.starts_with(' ') ? written.substr(1) : written,
                            wantedBehind(written)};
}

Candidates ConstraintCheck::fitting(Candidates candidates, std::span<const int> added) const {
  if (isOff()) return candidates;
  const std::vector<bool> may = allowed(added, static_cast<int>(candidates.size()));
  std::erase_if(candidates, [&](const Candidate& c) { return !may[static_cast<std::size_t>(c.token)]; });
  renormalize(candidates);
  return candidates;
}

}  // namespace glassformer
