#include "core/text/signs_file.h"

namespace glassformer {
namespace {

using SignJson = nlohmann::json;
using OrderedSignJson = nlohmann::ordered_json;

// The special token of a template's part; empty where it is the text.
std::string specialIn(const SignJson& part) {
  const SignJson sign = part.is_object() ? part.value("SpecialToken", SignJson()) : SignJson();
  const SignJson id = sign.is_object() ? sign.value("id", SignJson()) : SignJson();
  return id.is_string() ? id.get<std::string>() : "";
}

// Of ["[SEP]", 102].
std::string firstOf(const SignJson& processor, const char* field) {
  const SignJson pair = processor.value(field, SignJson());
  return pair.is_array() && !pair.empty() && pair[0].is_string() ? pair[0].get<std::string>() : "";
}

TextSigns signsInTemplate(const SignJson& processor) {
  const SignJson parts = processor.value("single", SignJson());
  if (!parts.is_array() || parts.empty()) return {};
  return {specialIn(parts.front()), parts.size() > 1 ? specialIn(parts.back()) : ""};
}

}  // namespace

TextSigns signsIn(const SignJson& processor) {
  if (!processor.is_object()) return {};
  const SignJson type = processor.value("type", SignJson());
  if (type == "TemplateProcessing") return signsInTemplate(processor);
  if (type == "BertProcessing" || type == "RobertaProcessing")
    return {firstOf(processor, "cls"), firstOf(processor, "sep")};
  if (type == "Sequence" && processor.value("processors", SignJson()).is_array())
    for (const SignJson& each : processor["processors"])
      if (TextSigns signs = signsIn(each); signs != TextSigns{}) return signs;
  return {};
}

OrderedSignJson templateOf(const Tokenizer& tokenizer) {
  const int start = tokenizer.startOfText(), close = tokenizer.closeOfText();
  if (start < 0 && close < 0) return nullptr;
  OrderedSignJson single = OrderedSignJson::array(), pair = single, signs = OrderedSignJson::object();
  const auto putSign = [&](OrderedSignJson& parts, int id, int type) {
    if (id < 0) return;
    const std::string& name = tokenizer.tokenBytes(id);
    parts.push_back({{"SpecialToken", {{"id", name}, {"type_id", type}}}});
    signs[name] = {
        {"id", name}, {"ids", OrderedSignJson::array({id})}, {"tokens", OrderedSignJson::array({name})}};
  };
  const auto putText = [](OrderedSignJson& parts, const char* which, int type) {
    parts.push_back({{"Sequence", {{"id", which}, {"type_id", type}}}});
  };
  putSign(single, start, 0), putText(single, "A", 0), putSign(single, close, 0);
  putSign(pair, start, 0), putText(pair, "A", 0), putSign(pair, close, 0);
  putText(pair, "B", 1), putSign(pair, close, 1);
  return {{"type", "TemplateProcessing"}, {"single", single}, {"pair", pair}, {"special_tokens", signs}};
}

}  // namespace glassformer
