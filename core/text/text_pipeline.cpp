#include "core/text/text_pipeline.h"

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/byte_symbols.h"
#include "core/text/json_fields.h"
#include "core/text/piece_symbols.h"
#include "core/text/post_processor.h"

namespace glassformer {
namespace {

using PipelineJson = nlohmann::json;

bool hasStep(const std::string& json, const char* type) {
  return json.find(std::string("\"type\":\"") + type + "\"") != std::string::npos;
}

// Told from what writes the words that the model sees.
Spelling spellingOf(const Normalizer& normalizer, const PreTokenizer& preTokenizer) {
  if (hasStep(normalizer.json(), "ByteLevel") || hasStep(preTokenizer.json(), "ByteLevel"))
    return Spelling::Bytes;
  const bool writesPieces = normalizer.json().find("▁") != std::string::npos ||
                            preTokenizer.json().find("▁") != std::string::npos ||
                            hasStep(preTokenizer.json(), "Metaspace");
  return writesPieces ? Spelling::Pieces : Spelling::Plain;
}

}  // namespace

Result<TextPipeline> TextPipeline::read(const PipelineJson& file, std::string_view name) {
  const auto field = [&](const char* one) {
    return file.is_object() ? file.value(one, PipelineJson()) : PipelineJson();
  };
  const auto at = [&](const char* one) { return std::string(name) + ", " + one; };
  auto normalizer = Normalizer::read(field("normalizer"), at("normalizer"));
  if (!normalizer) return normalizer.error();
  auto preTokenizer = PreTokenizer::read(field("pre_tokenizer"), at("pre_tokenizer"));
  if (!preTokenizer) return preTokenizer.error();
  auto signs = readSigns(field("post_processor"), at("post_processor"));
  if (!signs) return signs.error();
  auto decoder = TokenDecoder::read(field("decoder"), at("decoder"));
  if (!decoder) return decoder.error();
  const Spelling spelling = spellingOf(*normalizer, *preTokenizer);
  return TextPipeline{*std::move(normalizer), *std::move(preTokenizer), *std::move(signs),
                      *std::move(decoder), spelling};
}

TextPipeline TextPipeline::of(const PipelineJson& file) {
  auto made = read(file, "");
  assert(made);
  return *std::move(made);
}

bool TextPipeline::operator==(const TextPipeline& other) const {
  return normalizer.json() == other.normalizer.json() && preTokenizer.json() == other.preTokenizer.json() &&
         signs == other.signs && decoder.json() == other.decoder.json();
}

bool endsText(const Tokenizer& tokenizer, int id) {
  const std::vector<int>& ends = tokenizer.pipeline().ends;
  return id >= 0 && (id == tokenizer.endOfText() || std::ranges::find(ends, id) != ends.end());
}

TextEnds textEnds(const Tokenizer& tokenizer) {
  std::vector<int> ends = tokenizer.pipeline().ends;
  const int end = tokenizer.endOfText();
  if (end >= 0 && std::ranges::find(ends, end) == ends.end()) ends.push_back(end);
  return ends;
}

const TextPipeline& byteLevelPipeline() {
  static const TextPipeline pipeline = TextPipeline::of(
      {{"pre_tokenizer",
        {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}}},
       {"decoder",
        {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}}}});
  return pipeline;
}

std::string bytesOf(std::string_view token, Spelling spelling) {
  if (spelling == Spelling::Pieces) return bytesFromPieces(token);
  if (spelling == Spelling::Bytes)
    if (auto bytes = bytesFromSymbols(token)) return *std::move(bytes);
  return std::string(token);
}

std::string tokenOf(std::string_view bytes, Spelling spelling) {
  return spelling == Spelling::Bytes    ? symbolsFromBytes(bytes)
         : spelling == Spelling::Pieces ? piecesFromBytes(bytes)
                                        : std::string(bytes);
}

}  // namespace glassformer
