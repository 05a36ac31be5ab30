#include "core/text/byte_pair_rules_file.h"

#include <cctype>
#include <string>
#include <vector>

namespace glassformer {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

std::string typeOf(const Json& step) {
  const Json type = step.is_object() ? step.value("type", Json()) : Json();
  return type.is_string() ? type.get<std::string>() : "";
}

// An expression that matches these characters and nothing else.
std::string literal(const std::string& characters) {
  std::string expression;
  for (const char c : characters) {
    const bool isSign = static_cast<unsigned char>(c) < 0x80 && !std::isalnum(static_cast<unsigned char>(c));
    if (isSign) expression += '\\';
    expression += c;
  }
  return expression;
}

// Collects the steps of a pre_tokenizer as expressions; an empty one is GPT-2's.
class PreTokenizerReader {
 public:
  explicit PreTokenizerReader(std::string where) : where_(std::move(where)) {}

  Result<PreTokenizer> read(const Json& description) {
    if (Status status = take(description); !status) return status.error();
    if (!isByteLevel_)
      return Error{"has no step of the type \"ByteLevel\"", where_, "only byte-level tokenizers can be read"};
    auto made = PreTokenizer::create(expressions_);
    if (!made) return Error{made.error().what, where_, made.error().hint};
    return made;
  }

 private:
  Status take(const Json& step) {
    const std::string type = typeOf(step);
    if (type == "Sequence") return takeAll(step.value("pretokenizers", Json()));
    if (type == "ByteLevel") return takeByteLevel(step);
    if (type == "Split") return takeSplit(step);
    if (type == "Digits") {
      expressions_.push_back(step.value("individual_digits", Json(false)) == true ? "\\p{N}" : "\\p{N}+");
      return success();
    }
    return Error{"has a step of the type \"" + type + "\"", where_, "only byte-level tokenizers can be read"};
  }
  Status takeAll(const Json& steps) {
    if (!steps.is_array()) return Error{"has a sequence without \"pretokenizers\"", where_, ""};
    for (const Json& step : steps)
      if (typeOf(step) == "Sequence")
        return Error{"has a sequence inside of a sequence", where_, ""};
      else if (Status status = take(step); !status)
        return status;
    return success();
  }
  Status takeByteLevel(const Json& step) {
    if (step.value("add_prefix_space", Json(false)) != false)
      return Error{"add_prefix_space is not false", where_, "texts would get a space that nobody typed"};
    isByteLevel_ = true;
    if (step.value("use_regex", Json(true)) == true) expressions_.emplace_back();
    return success();
  }
  Status takeSplit(const Json& step) {
    const Json pattern = step.value("pattern", Json());
    const auto text = [&](const char* kind) {
      return pattern.is_object() && pattern.contains(kind) && pattern[kind].is_string()
                 ? pattern[kind].get<std::string>()
                 : "";
    };
    if (step.value("behavior", Json()) != "Isolated" || step.value("invert", Json(false)) != false)
      return Error{"has a Split that does not keep all that it finds as pieces", where_,
                   "only the behavior Isolated, not inverted, can be read"};
    const std::string expression = text("Regex"), characters = text("String");
    if (expression.empty() && characters.empty())
      return Error{"has a Split without \"Regex\" or \"String\"", where_, ""};
    expressions_.push_back(expression.empty() ? literal(characters) : expression);
    return success();
  }

  std::string where_;
  std::vector<std::string> expressions_;
  bool isByteLevel_ = false;
};

}  // namespace

Result<BytePairRules> readBytePairRules(const Json& file, std::string_view name) {
  const auto at = [&](const char* field) { return std::string(name) + ", " + field; };
  const Json normalizer = file.value("normalizer", Json());
  if (!normalizer.is_null() && typeOf(normalizer) != "NFC")
    return Error{"is set to something else than NFC; texts would be changed before they are read",
                 at("normalizer"), ""};
  BytePairRules rules;
  rules.composes = !normalizer.is_null();
  rules.wholeWords = file["model"].value("ignore_merges", Json(false)) == true;
  auto preTokenizer = PreTokenizerReader(at("pre_tokenizer")).read(file.value("pre_tokenizer", Json()));
  if (!preTokenizer) return preTokenizer.error();
  rules.preTokenizer = *std::move(preTokenizer);
  return rules;
}

OrderedJson byteLevelStep(bool cuts) {
  return {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", cuts}};
}

OrderedJson normalizerOf(const BytePairRules& rules) {
  if (!rules.composes) return nullptr;
  return {{"type", "NFC"}};
}

OrderedJson preTokenizerOf(const BytePairRules& rules) {
  OrderedJson steps = OrderedJson::array();
  bool isByteLevel = false;
  for (const std::string& expression : rules.preTokenizer.expressions()) {
    isByteLevel |= expression.empty();
    steps.push_back(expression.empty() ? byteLevelStep()
                                       : OrderedJson{{"type", "Split"},
                                                     {"pattern", {{"Regex", expression}}},
                                                     {"behavior", "Isolated"},
                                                     {"invert", false}});
  }
  if (!isByteLevel) steps.push_back(byteLevelStep(false));
  if (steps.size() == 1) return steps[0];
  return {{"type", "Sequence"}, {"pretokenizers", steps}};
}

}  // namespace glassformer
