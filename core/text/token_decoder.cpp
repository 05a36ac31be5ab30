#include "core/text/token_decoder.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/byte_symbols.h"
#include "core/text/cut_text.h"
#include "core/text/piece_symbols.h"
#include "core/text/step_table.h"
#include "core/text/text_pattern.h"

namespace glassformer {
namespace {

/// A step, or the end of those that see single tokens.
struct DecodingStep {
  TokenDecoder::Step step;
  bool fuses = false;
};
using ReadDecoding = Result<DecodingStep>;
using DecodedPlace = TokenDecoder::Place;

void replaceEach(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

ReadDecoding readFuse(JsonFields&) { return DecodingStep{{}, true}; }

ReadDecoding readByteLevelDecoder(JsonFields& fields) {
  for (const char* field : {"add_prefix_space", "trim_offsets", "use_regex"})
    fields.fix(field, true);  // those cut texts
  return DecodingStep{[](std::string& token, DecodedPlace) {
    if (auto bytes = bytesFromSymbols(token)) token = *std::move(bytes);
  }};
}

ReadDecoding readByteFallback(JsonFields&) {
  return DecodingStep{[](std::string& token, DecodedPlace) {
    if (const auto byte = byteOfPiece(token)) token.assign(1, static_cast<char>(*byte));
  }};
}

ReadDecoding readMetaspaceDecoder(JsonFields& fields) {
  fields.changeNothing({"str_rep"});
  fields.fix("split", true);  // that cuts texts
  const std::string sign = fields.text("replacement", "▁");
  const bool adds = fields.flag("add_prefix_space", true);
  fields.forget("add_prefix_space");
  const bool drops = fields.text("prepend_scheme", adds ? "always" : "never") != "never";
  if (sign.empty()) fields.refuse("replacement", "is empty");
  return DecodingStep{[=](std::string& token, DecodedPlace place) {
    replaceEach(token, sign, drops && place.isFirst ? "" : " ");
  }};
}

// Marks without a space before them, and contractions joined again.
void tidy(std::string& written) {
  using Rewrite = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Rewrite, 11> rewrites{{{" .", "."},
                                              {" ?", "?"},
                                              {" !", "!"},
                                              {" ,", ","},
                                              {" ' ", "'"},
                                              {" n't", "n't"},
                                              {" 'm", "'m"},
                                              {" do not", " don't"},
                                              {" 's", "'s"},
                                              {" 've", "'ve"},
                                              {" 're", "'re"}}};
  for (const auto& [what, by] : rewrites) replaceEach(written, what, by);
}

ReadDecoding readWordPieceDecoder(JsonFields& fields) {
  const std::string inside = fields.text("prefix", "##");
  const bool tidies = fields.flag("cleanup", true);
  return DecodingStep{[=](std::string& token, DecodedPlace place) {
    if (!place.isFirst && !inside.empty() && token.starts_with(inside))
      token.erase(0, inside.size());
    else if (!place.isFirst)
      token.insert(0, " ");
    if (tidies) tidy(token);
  }};
}

ReadDecoding readBytePairDecoder(JsonFields& fields) {
  const std::string suffix = fields.text("suffix", "</w>");
  if (suffix.empty()) fields.refuse("suffix", "is empty");
  return DecodingStep{
      [=](std::string& token, DecodedPlace place) { replaceEach(token, suffix, place.isLast ? "" : " "); }};
}

ReadDecoding readStripDecoder(JsonFields& fields) {
  const std::string sign = fields.text("content", " ");
  const int start = fields.count("start", 0), stop = fields.count("stop", 0);
  if (sign.empty()) fields.refuse("content", "is empty");
  return DecodingStep{[=](std::string& text, DecodedPlace) {
    for (int i = 0; i < start && text.starts_with(sign); ++i) text.erase(0, sign.size());
    for (int i = 0; i < stop && text.ends_with(sign); ++i) text.resize(text.size() - sign.size());
  }};
}

ReadDecoding readReplaceDecoder(JsonFields& fields) {
  const std::string content = fields.text("content", "");
  auto matches = textPatternOf(fields.object("pattern"), fields.at("pattern"));
  if (!matches) return matches.error();
  return DecodingStep{[content, matches = *std::move(matches)](std::string& text, DecodedPlace) {
    std::string made;
    std::size_t at = 0;
    for (const auto& [begin, end] : matches(text)) {
      made += text.substr(at, begin - at) + content;
      at = end;
    }
    text = made + text.substr(at);
  }};
}

constexpr StepKind<DecodingStep> decoderKinds[]{
    {"ByteLevel", readByteLevelDecoder},
    {"Metaspace", readMetaspaceDecoder},
    {"WordPiece", readWordPieceDecoder},
    {"ByteFallback", readByteFallback},
    {"Fuse", readFuse},
    {"Strip", readStripDecoder},
    {"Replace", readReplaceDecoder},
    {"BPEDecoder", readBytePairDecoder},
};

}  // namespace

Result<TokenDecoder> TokenDecoder::read(const nlohmann::json& description, const std::string& where) {
  TokenDecoder made;
  ReadSteps<DecodingStep> read;
  if (Status status = readSteps(description, where, "decoders", decoderKinds, read); !status)
    return status.error();
  bool isFused = false;
  for (DecodingStep& each : read.steps)
    if (each.fuses)
      isFused = true;
    else
      (isFused ? made.fusedSteps_ : made.steps_).push_back(std::move(each.step));
  made.json_ = read.json("decoders");
  return made;
}

std::string TokenDecoder::written(std::string token, Place place) const {
  if (joinsBySpaces()) return place.isFirst ? token : " " + token;
  for (const Step& step : steps_) step(token, place);
  return token;
}

std::string TokenDecoder::decoded(const std::vector<std::string>& tokens) const {
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    text += written(tokens[i], {i == 0, i + 1 == tokens.size()});
  for (const Step& step : fusedSteps_) step(text, {true, true});
  return text;
}

}  // namespace glassformer
