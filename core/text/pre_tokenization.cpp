#include "core/text/pre_tokenization.h"

#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/byte_symbols.h"
#include "core/text/newer_characters.h"
#include "core/text/pre_tokenizer.h"
#include "core/text/step_table.h"
#include "core/text/text_pattern.h"
#include "core/text/unicode_scripts.h"

namespace glassformer {
namespace {

using CuttingStep = PreTokenizer::Step;
using ReadCut = Result<CuttingStep>;

CuttingStep cutsBy(TextMatcher matches, SplitBehavior behavior, bool isInverted = false) {
  return [matches = std::move(matches), behavior, isInverted](CutText& cut) {
    cutPieces(cut, matches, behavior, isInverted);
  };
}

SplitBehavior readBehavior(JsonFields& fields, const char* otherwise) {
  constexpr std::array<const char*, 5> names{"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext",
                                             "Contiguous"};
  const std::string name = fields.text("behavior", otherwise);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<SplitBehavior>(i);
  fields.refuse("behavior", "is " + inQuotes(name),
                "known are Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous");
  return SplitBehavior::Isolated;
}

const std::string& symbolOf(char byte) {
  static const auto symbols = [] {
    std::array<std::string, 256> made;
    for (std::size_t i = 0; i < made.size(); ++i)
      made[i] = symbolsFromBytes(std::string(1, static_cast<char>(i)));
    return made;
  }();
  return symbols[static_cast<unsigned char>(byte)];
}

std::vector<TextRange> gpt2Pieces(std::string_view text) {
  std::vector<TextRange> ranges;
  for (const std::string_view piece : splitIntoPieces(text)) {
    const auto begin = static_cast<std::size_t>(piece.data() - text.data());
    ranges.push_back({begin, begin + piece.size()});
  }
  return ranges;
}

void putInFront(CutText& cut, const std::string& sign, const std::function<bool(TextRange)>& gets) {
  rewritePieces(cut, [&](TextRange piece, Rewriting& rewriting) {
    if (gets(piece) && !cut.bytesOf(piece).starts_with(sign)) rewriting.insert(sign);
    rewriting.keep(piece.end);
  });
}

// GPT-2's cut, where it is asked for; then every byte as a symbol (Radford et al. 2019).
ReadCut readByteLevel(JsonFields& fields) {
  fields.fix("trim_offsets", true);  // of offsets, which are ours
  const bool addsSpace = fields.flag("add_prefix_space", true), cuts = fields.flag("use_regex", true);
  return CuttingStep([=](CutText& cut) {
    if (addsSpace) putInFront(cut, " ", [](TextRange) { return true; });
    if (cuts) cutPieces(cut, gpt2Pieces, SplitBehavior::Isolated);
    rewritePieces(cut, [&](TextRange piece, Rewriting& rewriting) {
      for (std::size_t at = piece.begin; at < piece.end; ++at)
        rewriting.replace(at + 1, symbolOf(cut.text.text()[at]));
    });
  });
}

ReadCut readSplit(JsonFields& fields) {
  const SplitBehavior behavior = readBehavior(fields, "");
  const bool isInverted = fields.flag("invert", false);
  auto matches = textPatternOf(fields.object("pattern"), fields.at("pattern"));
  if (!matches) return matches.error();
  return cutsBy(*std::move(matches), behavior, isInverted);
}

// \w of Rust, in which these files are defined: Oniguruma's own knows fewer letters.
ReadCut readWhitespace(JsonFields& fields) {
  constexpr const char* word = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200C}\\x{200D}";
  auto matches = expressionMatcher(std::string("[") + word + "]+|[^\\s" + word + "]+", fields.at("type"));
  if (!matches) return matches.error();
  return cutsBy(*std::move(matches), SplitBehavior::Removed, true);
}

ReadCut readWhitespaceSplit(JsonFields&) {
  return cutsBy(charactersWhere(isWhiteSpace), SplitBehavior::Removed);
}

ReadCut readPunctuation(JsonFields& fields) {
  return cutsBy(charactersWhere(isPunctuation), readBehavior(fields, "Isolated"));
}

ReadCut readDigits(JsonFields& fields) {
  const bool isSingle = fields.flag("individual_digits", false);
  return cutsBy(charactersWhere(isNumber), isSingle ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
}

ReadCut readDelimiter(JsonFields& fields) {
  return cutsBy(literalMatcher(fields.text("delimiter", " ")), SplitBehavior::Removed);
}

std::string readScheme(JsonFields& fields) {
  const bool adds = fields.flag("add_prefix_space", true);  // before 2024
  fields.forget("add_prefix_space");
  const std::string scheme = fields.text("prepend_scheme", adds ? "always" : "never");
  if (scheme != "always" && scheme != "first" && scheme != "never")
    fields.refuse("prepend_scheme", "is " + inQuotes(scheme), "known are always, first and never");
  return scheme;
}

// A space is written as a sign, which stands before every word, and words are cut there (Kudo and Richardson
// 2018).
ReadCut readMetaspace(JsonFields& fields) {
  fields.changeNothing({"str_rep"});  // the replacement once more
  const std::string sign = fields.text("replacement", "▁"), scheme = readScheme(fields);
  const bool cuts = fields.flag("split", true);
  if (sign.empty()) fields.refuse("replacement", "is empty");
  return CuttingStep([=](CutText& cut) {
    rewritePieces(cut, [&](TextRange piece, Rewriting& rewriting) {
      for (std::size_t at = piece.begin; at < piece.end; ++at)
        if (cut.text.text()[at] == ' ')
          rewriting.replace(at + 1, sign);
        else
          rewriting.keep(at + 1);
    });
    if (scheme != "never")
      putInFront(cut, sign, [&](TextRange piece) {
        return scheme == "always" || (cut.isStart && cut.text.originOf(piece.begin).begin == 0);
      });
    if (cuts) cutPieces(cut, literalMatcher(sign), SplitBehavior::MergedWithNext);
  });
}

ReadCut readBertCut(JsonFields&) {
  return CuttingStep([](CutText& cut) {
    cutPieces(cut, charactersWhere(isWhiteSpace), SplitBehavior::Removed);
    cutPieces(cut, charactersWhere(isPunctuation), SplitBehavior::Isolated);
  });
}

ReadCut readScripts(JsonFields& fields) {
  auto matches = expressionMatcher(runsOfOneScript(), fields.at("type"));
  if (!matches) return matches.error();
  return cutsBy(*std::move(matches), SplitBehavior::Removed, true);
}

constexpr StepKind<CuttingStep> cuttingKinds[]{
    {"ByteLevel", readByteLevel},     {"Split", readSplit},
    {"Whitespace", readWhitespace},   {"WhitespaceSplit", readWhitespaceSplit},
    {"Punctuation", readPunctuation}, {"Digits", readDigits},
    {"Metaspace", readMetaspace},     {"BertPreTokenizer", readBertCut},
    {"UnicodeScripts", readScripts},  {"CharDelimiterSplit", readDelimiter},
};

}  // namespace

Result<PreTokenizer> PreTokenizer::read(const nlohmann::json& description, const std::string& where) {
  PreTokenizer made;
  ReadSteps<CuttingStep> read;
  if (Status status = readSteps(description, where, "pretokenizers", cuttingKinds, read); !status)
    return status.error();
  made.steps_ = std::move(read.steps), made.json_ = read.json("pretokenizers");
  return made;
}

void PreTokenizer::apply(CutText& cut) const {
  for (const Step& step : steps_) step(cut);
}

std::vector<std::string> PreTokenizer::pieces(std::string text) const {
  CutText cut{AlignedText(std::move(text))};
  apply(cut);
  std::vector<std::string> pieces;
  for (const TextRange piece : cut.pieces) pieces.emplace_back(cut.bytesOf(piece));
  return pieces;
}

}  // namespace glassformer
