#include "core/text/normalizer.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/base64.h"
#include "core/text/byte_symbols.h"
#include "core/text/character_map.h"
#include "core/text/normalizer_steps.h"
#include "core/text/step_table.h"
#include "core/text/text_pattern.h"

namespace glassformer {
namespace {

using NormalizerStep = Normalizer::Step;

Result<NormalizerStep> readStrip(JsonFields& fields) {
  const bool left = fields.flag("strip_left", true), right = fields.flag("strip_right", true);
  return stripSpace(left, right);
}

Result<NormalizerStep> readPrepend(JsonFields& fields) {
  return NormalizerStep([prefix = fields.text("prepend", "▁")](AlignedText& text) {
    if (text.size() == 0) return;
    Rewriting rewriting(text);
    rewriting.insert(prefix);
    rewriting.keep(text.size());
    text = std::move(rewriting).done();
  });
}

Result<NormalizerStep> readReplace(JsonFields& fields) {
  const std::string content = fields.text("content", "");
  auto matches = textPatternOf(fields.object("pattern"), fields.at("pattern"));
  if (!matches) return matches.error();
  return NormalizerStep([content, matches = *std::move(matches)](AlignedText& text) {
    const std::vector<TextRange> found = matches(text.text());
    if (found.empty()) return;
    Rewriting rewriting(text);
    for (const auto& [begin, end] : found) rewriting.keep(begin), rewriting.replace(end, content);
    rewriting.keep(text.size());
    text = std::move(rewriting).done();
  });
}

void rewriteByMap(const CharacterMap& map, AlignedText& text) {
  const std::string_view whole = text.text();
  Rewriting rewriting(text);
  for (std::size_t at = 0; at < whole.size(); at = rewriting.at())
    if (const auto known = map.longest(whole.substr(at)))
      rewriting.replace(at + known->length, known->by);
    else
      rewriting.keep(nextCharacter(whole, at));
  text = std::move(rewriting).done();
}

Result<NormalizerStep> readPrecompiled(JsonFields& fields) {
  const auto bytes = bytesOfBase64(fields.text("precompiled_charsmap", ""));
  if (!bytes) return Error{"is not in base 64", fields.at("precompiled_charsmap"), ""};
  auto map = CharacterMap::create(*bytes);
  if (!map) return Error{map.error().what, fields.at("precompiled_charsmap"), map.error().hint};
  return NormalizerStep([map = *std::move(map)](AlignedText& text) { rewriteByMap(map, text); });
}

Result<NormalizerStep> readBert(JsonFields& fields) {
  const bool cleans = fields.flag("clean_text", true), parts = fields.flag("handle_chinese_chars", true);
  const bool isSmall = fields.flag("lowercase", true), isBare = fields.flag("strip_accents", isSmall);
  return NormalizerStep([=](AlignedText& text) {
    if (cleans) cleanText(text);
    if (parts) partChinese(text);
    if (isBare) normalForm(UTF8PROC_DECOMPOSE)(text), removeNonspacingMarks(text);
    if (isSmall) writeInSmall(text);
  });
}

// Bytes as GPT-2's symbols, so that no later step can change them.
void writeByteSymbols(AlignedText& text) {
  Rewriting rewriting(text);
  for (std::size_t at = 0; at < text.size(); ++at)
    rewriting.replace(at + 1, symbolsFromBytes(std::string_view(text.text()).substr(at, 1)));
  text = std::move(rewriting).done();
}

template <int Options>
Result<NormalizerStep> readForm(JsonFields&) {
  return normalForm(Options);
}
template <void (*Apply)(AlignedText&)>
Result<NormalizerStep> readPlain(JsonFields&) {
  return NormalizerStep(Apply);
}

constexpr StepKind<NormalizerStep> normalizerKinds[]{
    {"NFC", readForm<UTF8PROC_COMPOSE>},
    {"NFD", readForm<UTF8PROC_DECOMPOSE>},
    {"NFKC", readForm<UTF8PROC_COMPOSE | UTF8PROC_COMPAT>},
    {"NFKD", readForm<UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT>},
    {"Lowercase", readPlain<writeInSmall>},
    {"Strip", readStrip},
    {"StripAccents", readPlain<removeMarks>},
    {"Replace", readReplace},
    {"Prepend", readPrepend},
    {"Precompiled", readPrecompiled},
    {"BertNormalizer", readBert},
    {"Nmt", readPlain<writeSpacesOfNmt>},
    {"ByteLevel", readPlain<writeByteSymbols>},
};

}  // namespace

Result<Normalizer> Normalizer::read(const nlohmann::json& description, const std::string& where) {
  Normalizer made;
  ReadSteps<NormalizerStep> read;
  if (Status status = readSteps(description, where, "normalizers", normalizerKinds, read); !status)
    return status.error();
  made.steps_ = std::move(read.steps), made.json_ = read.json("normalizers");
  return made;
}

void Normalizer::apply(AlignedText& text) const {
  for (const Step& step : steps_) step(text);
}

std::string Normalizer::applied(std::string text) const {
  AlignedText rewritten(std::move(text));
  apply(rewritten);
  return rewritten.text();
}

}  // namespace glassformer
