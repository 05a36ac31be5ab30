// From the keys of a GGUF file to its tokenizer.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/io/gguf_keys.h"
#include "core/io/gguf_model.h"
#include "core/text/sentence_piece_model.h"
#include "core/text/tokenizers.h"

namespace glassformer {
namespace {

using GgufTokenizer = Result<std::shared_ptr<const Tokenizer>>;

// Words as Llama 3 cuts them; how many digits are one, differs.
constexpr const char *beforeDigits = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|",
                     *behindDigits = "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/// How byte pairs are cut, by the name that llama.cpp has for it.
struct GgufCut {
  const char* name;
  const char* digits = nullptr;  ///< of Llama 3's expression; null: GPT-2's cut
  bool splitsDigits = false, composes = false, wholeWords = false, begins = false;
};
constexpr GgufCut ggufCuts[]{
    {.name = "gpt-2"},
    {.name = "phi-2"},
    {.name = "smollm", .splitsDigits = true},
    {.name = "olmo", .composes = true},
    {.name = "llama-bpe", .digits = "\\p{N}{1,3}", .wholeWords = true, .begins = true},
    {.name = "llama3", .digits = "\\p{N}{1,3}", .wholeWords = true, .begins = true},
    {.name = "llama-v3", .digits = "\\p{N}{1,3}", .wholeWords = true, .begins = true},
    {.name = "qwen2", .digits = "\\p{N}", .composes = true},
    {.name = "deepseek-r1-qwen", .digits = "\\p{N}", .composes = true},
    {.name = "megrez", .digits = "\\p{N}", .composes = true}};

class GgufTokens {
 public:
  GgufTokens(const GgufFile& file, std::string_view name) : keys_(file, name), name_(name) {}

  GgufTokenizer read() {
    const auto model = keys_.take<std::string>("tokenizer.ggml.model");
    tokens_ = keys_.take<std::vector<std::string>>("tokenizer.ggml.tokens");
    if (keys_.has("tokenizer.ggml.token_type"))
      types_ = keys_.take<std::vector<double>>("tokenizer.ggml.token_type");
    types_.resize(tokens_.size(), 1);
    if (!keys_.status()) return keys_.status().error();
    if (model == "llama") return pieces();
    if (model == "gpt2") return bytePairs();
    if (model == "bert") return wordPieces();
    keys_.refuse("key \"tokenizer.ggml.model\"", "is " + inQuotes(model),
                 "without a tokenizer.json those are read that are llama, gpt2 or bert");
    return keys_.status().error();
  }

 private:
  BosEosTokens signs(bool begins) {
    const auto sign = [&](const char* adds, const char* id, bool otherwise) -> std::vector<std::string> {
      if (keys_.takeOr(adds, otherwise ? 1.0 : 0.0) == 0) return {};
      const int which = keys_.size(id);
      if (which < static_cast<int>(tokens_.size())) return {tokens_[static_cast<std::size_t>(which)]};
      keys_.refuse(std::string("key \"") + id + "\"",
                   "is " + std::to_string(which) + ", which is not a token");
      return {};
    };
    return {sign("tokenizer.ggml.add_bos_token", "tokenizer.ggml.bos_token_id", begins),
            sign("tokenizer.ggml.add_eos_token", "tokenizer.ggml.eos_token_id", false)};
  }
  // As llama.cpp has it: the end of the text, and that of a turn or a message.
  std::vector<int> ends() {
    std::vector<int> ends;
    for (const char* key :
         {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}) {
      if (!keys_.has(key)) continue;
      const int end = keys_.size(key);
      if (end >= static_cast<int>(tokens_.size()))
        keys_.refuse("key " + inQuotes(key), "is " + std::to_string(end) + ", which is not a token");
      if (std::ranges::find(ends, end) == ends.end()) ends.push_back(end);
    }
    return ends;
  }
  PieceKind kindOf(std::size_t id) {
    const double type = types_[id];
    if (type >= 1 && type <= 6) return static_cast<PieceKind>(static_cast<int>(type));
    keys_.refuse("key \"tokenizer.ggml.token_type\"", "has a type that is none");
    return PieceKind::Normal;
  }

  // Of llama.cpp's "llama" pairs are joined by their scores, and spaces stay as they are.
  GgufTokenizer pieces() {
    auto scores = keys_.take<std::vector<double>>("tokenizer.ggml.scores");
    if (keys_.status() && scores.size() != tokens_.size())
      keys_.refuse("key \"tokenizer.ggml.scores\"", "has a length other than the number of tokens");
    scores.resize(tokens_.size());
    SentencePieceModel model;
    model.cut = SentencePieceModel::Cut::BytePairs, model.joinsSpaces = false;
    model.putsSpaceInFront = keys_.takeOr("tokenizer.ggml.add_space_prefix", 1.0) != 0;
    for (std::size_t id = 0; id < tokens_.size(); ++id)
      model.pieces.push_back({tokens_[id], static_cast<float>(scores[id]), kindOf(id)});
    model.ends = ends();
    const BosEosTokens around = signs(true);
    if (!keys_.status()) return keys_.status().error();
    return tokenizerOf(model, around, name_ + ", tokenizer.ggml");
  }

  // As the tokenizer.json that they came from.
  GgufTokenizer bytePairs() {
    const auto merges = keys_.take<std::vector<std::string>>("tokenizer.ggml.merges");
    const auto pre = keys_.takeOr("tokenizer.ggml.pre", std::string("gpt-2"));
    const auto* cut = std::ranges::find(ggufCuts, pre, &GgufCut::name);
    if (cut == std::end(ggufCuts)) {
      std::string known;
      for (const GgufCut& one : ggufCuts) known += (known.empty() ? "" : ", ") + std::string(one.name);
      keys_.refuse("key \"tokenizer.ggml.pre\"", "is " + inQuotes(pre),
                   "without a tokenizer.json those are read that are " + known);
      return keys_.status().error();
    }
    const BosEosTokens around = signs(cut->begins);
    const TokensBeside beside{ends()};
    nlohmann::json vocabulary = nlohmann::json::object(), added = nlohmann::json::array();
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
      vocabulary[tokens_[id]] = id;
      const PieceKind kind = kindOf(id);
      if (kind == PieceKind::Control || kind == PieceKind::UserDefined)
        added.push_back({{"id", id}, {"content", tokens_[id]}, {"special", kind == PieceKind::Control}});
    }
    if (!keys_.status()) return keys_.status().error();
    const nlohmann::json file{
        {"added_tokens", std::move(added)},
        {"normalizer", cut->composes ? nlohmann::json{{"type", "NFC"}} : nlohmann::json()},
        {"pre_tokenizer", cutJson(*cut)},
        {"post_processor", templateJson(around)},
        {"decoder", {{"type", "ByteLevel"}}},
        {"model",
         {{"type", "BPE"},
          {"ignore_merges", cut->wholeWords},
          {"vocab", std::move(vocabulary)},
          {"merges", merges}}}};
    return readTokenizerJson(file.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                             name_ + ", tokenizer.ggml", beside);
  }
  // A vocabulary that was made of texts in small letters without accents has no other words; the file itself
  // does not say which they were. What stands in brackets is a sign, however its kind is given.
  bool hasCapitals() const {
    return std::ranges::any_of(tokens_, [](const std::string& token) {
      const bool isSign = token.ends_with(']') && token.find('[') != token.npos;
      return !isSign && std::ranges::any_of(token, [](char c) { return c >= 'A' && c <= 'Z'; });
    });
  }
  // A sign stands before what begins a word, where vocab.txt has ## before what goes on in one.
  GgufTokenizer wordPieces() {
    nlohmann::json vocabulary = nlohmann::json::object(), added = nlohmann::json::array();
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
      constexpr std::string_view sign = "▁";
      const std::string& token = tokens_[id];
      const bool isSign = kindOf(id) == PieceKind::Control || kindOf(id) == PieceKind::Unknown;
      const std::string content = isSign                    ? token
                                  : token.starts_with(sign) ? token.substr(sign.size())
                                                            : "##" + token;
      vocabulary[content] = id;
      if (isSign) added.push_back({{"id", id}, {"content", content}, {"special", true}});
    }
    const auto named = [&](const char* key) -> std::string {
      const int id = keys_.size(key);
      if (id < static_cast<int>(tokens_.size())) return tokens_[static_cast<std::size_t>(id)];
      keys_.refuse(std::string("key \"") + key + "\"", "is " + std::to_string(id) + ", which is not a token");
      return "";
    };
    const std::string unknown = named("tokenizer.ggml.unknown_token_id");
    const char* const begins = keys_.has("tokenizer.ggml.cls_token_id") ? "tokenizer.ggml.cls_token_id"
                                                                        : "tokenizer.ggml.bos_token_id";
    // Newer files that lack both have BERT's own.
    const bool namesBegin = keys_.has(begins);
    const BosEosTokens around{{namesBegin ? named(begins) : "[CLS]"},
                              {named("tokenizer.ggml.seperator_token_id")}};
    if (!keys_.status()) return keys_.status().error();
    const bool cased = hasCapitals();
    const nlohmann::json file{{"added_tokens", std::move(added)},
                              {"normalizer",
                               {{"type", "BertNormalizer"},
                                {"clean_text", true},
                                {"handle_chinese_chars", true},
                                {"strip_accents", !cased},
                                {"lowercase", !cased}}},
                              {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
                              {"post_processor", templateJson(around)},
                              {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
                              {"model",
                               {{"type", "WordPiece"},
                                {"unk_token", unknown},
                                {"continuing_subword_prefix", "##"},
                                {"max_input_chars_per_word", 100},
                                {"vocab", std::move(vocabulary)}}}};
    return readTokenizerJson(file.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                             name_ + ", tokenizer.ggml");
  }
  static nlohmann::json cutJson(const GgufCut& cut) {
    nlohmann::json steps = nlohmann::json::array();
    if (cut.splitsDigits) steps.push_back({{"type", "Digits"}, {"individual_digits", true}});
    if (cut.digits)
      steps.push_back({{"type", "Split"},
                       {"pattern", {{"Regex", std::string(beforeDigits) + cut.digits + behindDigits}}},
                       {"behavior", "Isolated"},
                       {"invert", false}});
    steps.push_back({{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", !cut.digits}});
    return {{"type", "Sequence"}, {"pretokenizers", std::move(steps)}};
  }
  static nlohmann::json templateJson(const BosEosTokens& around) {
    if (around == BosEosTokens{}) return nullptr;
    nlohmann::json parts = nlohmann::json::array();
    for (const std::string& name : around.start) parts.push_back({{"SpecialToken", {{"id", name}}}});
    parts.push_back({{"Sequence", {{"id", "A"}}}});
    for (const std::string& name : around.close) parts.push_back({{"SpecialToken", {{"id", name}}}});
    return {{"type", "TemplateProcessing"}, {"single", std::move(parts)}};
  }

  GgufKeys keys_;
  std::string name_;
  std::vector<std::string> tokens_;
  std::vector<double> types_;  // by the numbers of PieceKind
};

}  // namespace

Result<std::shared_ptr<const Tokenizer>> tokenizerOf(const GgufFile& file, std::string_view name) {
  return GgufTokens(file, name).read();
}

}  // namespace glassformer
