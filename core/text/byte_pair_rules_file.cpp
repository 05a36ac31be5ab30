#include "core/text/byte_pair_rules_file.h"

#include <cctype>
#include <string>
#include <vector>

#include "core/text/signs_file.h"

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

  /// Of a text, when it has been read.
  SpaceInFront spaceInFront() const { return spaceInFront_; }

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
    if (step.value("add_prefix_space", Json(false)) == true) {
      if (!expressions_.empty())
        return Error{"add_prefix_space is true behind another step", where_,
                     "every piece would get a space that nobody typed"};
      spaceInFront_ = SpaceInFront::UnlessThere;
    }
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
  SpaceInFront spaceInFront_ = SpaceInFront::No;
};

constexpr const char* spaceSign = "▁";
constexpr const char* wordsWithTheirSpace = " [^ ]*|[^ ]+";  // as Metaspace cuts

// Of vocabularies made by SentencePiece: a space is a sign like others, and may be put in front.
class PieceRulesReader {
 public:
  explicit PieceRulesReader(std::string_view name) : name_(name) { rules_.fromCharacters = true; }

  Result<BytePairRules> read(const Json& file) {
    std::vector<std::string> expressions;
    if (Status status = takeNormalizer(file.value("normalizer", Json()), false); !status)
      return status.error();
    if (Status status = takeCut(file.value("pre_tokenizer", Json()), expressions); !status)
      return status.error();
    if (!marksSpaces_)
      return Error{"has no step that writes a space as ▁", name_ + ", normalizer and pre_tokenizer", ""};
    auto cut = PreTokenizer::create(expressions);
    if (!cut) return cut.error();
    rules_.preTokenizer = *std::move(cut);
    rules_.wholeWords = file["model"].value("ignore_merges", Json(false)) == true;
    return rules_;
  }

 private:
  Status takeNormalizer(const Json& step, bool isInside) {
    if (step.is_null()) return success();
    const std::string type = typeOf(step);
    if (type == "Sequence" && !isInside && step.value("normalizers", Json()).is_array()) {
      for (const Json& one : step["normalizers"])
        if (Status status = takeNormalizer(one, true); !status) return status;
      return success();
    }
    const Json pattern = step.is_object() ? step.value("pattern", Json()) : Json();
    const bool isSpace = pattern.is_object() && pattern.value("String", Json()) == " ";
    if (type == "Replace" && isSpace && step.value("content", Json()) == spaceSign)
      marksSpaces_ = true;
    else if (type == "Prepend" && step.value("prepend", Json()) == spaceSign)
      rules_.spaceInFront = SpaceInFront::Always;
    else if (type == "NFC")
      rules_.composes = true;
    else
      return Error{"has a step of the type \"" + type + "\" that is not known here", name_ + ", normalizer",
                   "texts would be changed before they are read"};
    return success();
  }
  static bool cutsAtSpaces(const Json& step) {
    const Json pattern = step.is_object() ? step.value("pattern", Json()) : Json();
    return typeOf(step) == "Split" && pattern.is_object() && pattern.value("String", Json()) == " ";
  }
  Status takeCut(const Json& step, std::vector<std::string>& expressions) {
    if (step.is_null()) return success();
    const std::string where = name_ + ", pre_tokenizer";
    if (cutsAtSpaces(step) && marksSpaces_) return success();  // there are none any more
    if (typeOf(step) != "Metaspace" || step.value("replacement", Json(spaceSign)) != spaceSign)
      return Error{"expected the type \"Metaspace\"", where, ""};
    marksSpaces_ = true;
    const bool adds = step.value("add_prefix_space", Json(true)) == true;
    const Json scheme = step.value("prepend_scheme", Json(adds ? "always" : "never"));
    if (scheme != "always" && scheme != "first" && scheme != "never")
      return Error{"prepend_scheme is neither always nor first nor never", where, ""};
    rules_.spaceInFront = scheme == "always"  ? SpaceInFront::UnlessThere
                          : scheme == "first" ? SpaceInFront::UnlessThereAtStart
                                              : SpaceInFront::No;
    if (step.value("split", Json(true)) == true) expressions.emplace_back(wordsWithTheirSpace);
    return success();
  }

  std::string name_;
  BytePairRules rules_;
  bool marksSpaces_ = false;
};

bool hasMetaspace(const BytePairRules& rules) {
  return rules.spaceInFront == SpaceInFront::UnlessThere ||
         rules.spaceInFront == SpaceInFront::UnlessThereAtStart || !rules.preTokenizer.expressions().empty();
}

OrderedJson sequence(const char* field, const OrderedJson& steps) {
  if (steps.empty()) return nullptr;
  if (steps.size() == 1) return steps[0];
  return {{"type", "Sequence"}, {field, steps}};
}

OrderedJson replaceStep(const char* what, const char* by) {
  return {{"type", "Replace"}, {"pattern", {{"String", what}}}, {"content", by}};
}

Result<BytePairRules> readCuttingRules(const Json& file, std::string_view name) {
  if (file["model"].value("byte_fallback", Json(false)) == true) return PieceRulesReader(name).read(file);
  const auto at = [&](const char* field) { return std::string(name) + ", " + field; };
  const Json normalizer = file.value("normalizer", Json());
  if (!normalizer.is_null() && typeOf(normalizer) != "NFC")
    return Error{"is set to something else than NFC; texts would be changed before they are read",
                 at("normalizer"), ""};
  BytePairRules rules;
  rules.composes = !normalizer.is_null();
  rules.wholeWords = file["model"].value("ignore_merges", Json(false)) == true;
  PreTokenizerReader reader(at("pre_tokenizer"));
  auto preTokenizer = reader.read(file.value("pre_tokenizer", Json()));
  if (!preTokenizer) return preTokenizer.error();
  rules.preTokenizer = *std::move(preTokenizer);
  rules.spaceInFront = reader.spaceInFront();
  return rules;
}

}  // namespace

Result<BytePairRules> readBytePairRules(const Json& file, std::string_view name) {
  auto rules = readCuttingRules(file, name);
  if (rules) rules->signs = signsIn(file.value("post_processor", Json()));
  return rules;
}

OrderedJson postProcessorOf(const BytePairEncoding& encoding) {
  const OrderedJson around = templateOf(encoding);
  OrderedJson steps = OrderedJson::array();
  if (!encoding.rules().fromCharacters) steps.push_back(byteLevelStep());
  if (!around.is_null()) steps.push_back(around);
  return sequence("processors", steps);
}

OrderedJson byteLevelStep(bool cuts, bool addsSpace) {
  return {
      {"type", "ByteLevel"}, {"add_prefix_space", addsSpace}, {"trim_offsets", true}, {"use_regex", cuts}};
}

OrderedJson normalizerOf(const BytePairRules& rules) {
  OrderedJson steps = OrderedJson::array();
  if (rules.composes) steps.push_back({{"type", "NFC"}});
  if (rules.fromCharacters && !hasMetaspace(rules)) {
    if (rules.spaceInFront == SpaceInFront::Always)
      steps.push_back({{"type", "Prepend"}, {"prepend", spaceSign}});
    steps.push_back(replaceStep(" ", spaceSign));
  }
  return sequence("normalizers", steps);
}

OrderedJson decoderOf(const BytePairRules& rules) {
  if (!rules.fromCharacters) return byteLevelStep();
  OrderedJson steps = OrderedJson::array();
  steps.push_back(replaceStep(spaceSign, " "));
  steps.push_back({{"type", "ByteFallback"}});
  steps.push_back({{"type", "Fuse"}});
  if (rules.spaceInFront != SpaceInFront::No)
    steps.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  return sequence("decoders", steps);
}

OrderedJson preTokenizerOf(const BytePairRules& rules) {
  if (rules.fromCharacters) {
    if (!hasMetaspace(rules)) return nullptr;
    const char* scheme = rules.spaceInFront == SpaceInFront::UnlessThere          ? "always"
                         : rules.spaceInFront == SpaceInFront::UnlessThereAtStart ? "first"
                                                                                  : "never";
    return {{"type", "Metaspace"},
            {"replacement", spaceSign},
            {"prepend_scheme", scheme},
            {"split", !rules.preTokenizer.expressions().empty()}};
  }
  OrderedJson steps = OrderedJson::array();
  bool isByteLevel = false;
  const bool addsSpace = rules.spaceInFront != SpaceInFront::No;
  for (const std::string& expression : rules.preTokenizer.expressions()) {
    isByteLevel |= expression.empty();
    steps.push_back(expression.empty() ? byteLevelStep(true, addsSpace)
                                       : OrderedJson{{"type", "Split"},
                                                     {"pattern", {{"Regex", expression}}},
                                                     {"behavior", "Isolated"},
                                                     {"invert", false}});
  }
  if (!isByteLevel) steps.push_back(byteLevelStep(false, addsSpace));
  return sequence("pretokenizers", steps);
}

}  // namespace glassformer
