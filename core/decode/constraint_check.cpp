#include "core/decode/constraint_check.h"

#include <algorithm>
#include <utility>

namespace glassformer {

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

Expression::Fit ConstraintCheck::fitOf(std::string_view written) const {
  if (written.starts_with(' ')) written.remove_prefix(1);
  return expression_->fitOf(written);
}

std::string ConstraintCheck::writtenWith(std::span<const int> added) const {
  std::string text = written_;
  for (const int token : added)
    if (token != tokenizer_->endOfText()) text += tokenizer_->writtenBehind(token);
  return text;
}

bool ConstraintCheck::isWhole(std::span<const int> added) const {
  return !expression_ || fitOf(writtenWith(added)) == Expression::Fit::Whole;
}

std::vector<bool> ConstraintCheck::allowed(std::span<const int> added, int vocabulary) const {
  std::vector<bool> may(static_cast<std::size_t>(vocabulary), true);
  if (expression_) {
    std::string text = writtenWith(added);
    const std::size_t before = text.size();
    for (int token = 0; token < vocabulary; ++token) {
      const bool isEnd = token == tokenizer_->endOfText();
      if (!isEnd && token < tokenizer_->vocabularySize()) text += tokenizer_->writtenBehind(token);
      const Expression::Fit fit = fitOf(text);
      may[static_cast<std::size_t>(token)] =
          isEnd ? fit == Expression::Fit::Whole : text.size() > before && fit != Expression::Fit::No;
      text.resize(before);
    }
  }
  for (const int token : banned_)
    if (token < vocabulary) may[static_cast<std::size_t>(token)] = false;
  return may;
}

Candidates ConstraintCheck::fitting(Candidates candidates, std::span<const int> added) const {
  if (isOff()) return candidates;
  const std::vector<bool> may = allowed(added, static_cast<int>(candidates.size()));
  std::erase_if(candidates, [&](const Candidate& c) { return !may[static_cast<std::size_t>(c.token)]; });
  renormalize(candidates);
  return candidates;
}

}  // namespace glassformer
