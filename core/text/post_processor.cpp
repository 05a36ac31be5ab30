#include "core/text/post_processor.h"

#include <utility>

#include "core/text/step_table.h"

namespace glassformer {
namespace {

using SignJson = nlohmann::json;
using OrderedSignJson = nlohmann::ordered_json;
using SignNames = std::vector<std::string>;

// The tokens of a template's {"SpecialToken": {"id": "<bos>", "type_id": 0}}, as `special_tokens` lists them.
SignNames namesOfSpecial(const SignJson& part, const SignJson& specials, const std::string& where,
                         JsonFields& fields) {
  JsonFields special(part, where);
  const std::string id = special.text("id", "");
  if (special.count("type_id", 0) != 0)
    special.refuse("type_id", "is not 0", "a single text has the type 0 at every token");
  fields.keep(special.done());
  if (!specials.is_object() || !specials.contains(id)) return {id};
  JsonFields listed(specials[id], fields.at("special_tokens") + "." + id);
  listed.changeNothing({"id", "ids"});  // the tokenizer finds them by name
  SignNames names;
  for (const SignJson& token : listed.list("tokens"))
    if (token.is_string()) names.push_back(token.get<std::string>());
  fields.keep(listed.done());
  return names;
}

void checkText(const SignJson& part, const std::string& where, JsonFields& fields) {
  JsonFields text(part, where);
  if (text.text("id", "A") != "A") text.refuse("id", "is not A", "a template for one text has that text");
  if (text.count("type_id", 0) != 0)
    text.refuse("type_id", "is not 0", "a single text has the type 0 at every token");
  fields.keep(text.done());
}

Result<BosEosTokens> readTemplate(JsonFields& fields) {
  fields.changeNothing({"pair"});  // of two texts, which are not read together here
  const SignJson &parts = fields.list("single"), &specials = fields.any("special_tokens");
  BosEosTokens signs;
  int texts = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string where = fields.at("single") + "[" + std::to_string(i) + "]";
    JsonFields part(parts[i], where);
    if (part.has("Sequence")) {
      checkText(part.any("Sequence"), where, fields), ++texts;
    } else {
      SignNames& side = texts > 0 ? signs.close : signs.start;
      const SignNames names = namesOfSpecial(part.any("SpecialToken"), specials, where, fields);
      side.insert(side.end(), names.begin(), names.end());
    }
    fields.keep(part.done());
  }
  if (texts != 1) fields.refuse("single", "has the text " + std::to_string(texts) + " times");
  return signs;
}

// Of ["[SEP]", 102].
SignNames signOfPair(JsonFields& fields, const char* field) {
  const SignJson& pair = fields.any(field);
  if (pair.is_array() && pair.size() == 2 && pair[0].is_string()) return {pair[0].get<std::string>()};
  fields.refuse(field, "is " + shownJson(pair) + ", not a token with its id");
  return {};
}

Result<BosEosTokens> readClassAndSeparator(JsonFields& fields) {
  fields.changeNothing({"trim_offsets", "add_prefix_space"});  // of offsets, which are ours
  const SignNames start = signOfPair(fields, "cls"), close = signOfPair(fields, "sep");
  return BosEosTokens{start, close};
}

Result<BosEosTokens> readNoSigns(JsonFields& fields) {
  fields.changeNothing({"add_prefix_space", "trim_offsets", "use_regex"});  // of offsets, which are ours
  return BosEosTokens{};
}

constexpr StepKind<BosEosTokens> signKinds[]{
    {"TemplateProcessing", readTemplate},
    {"ByteLevel", readNoSigns},
    {"BertProcessing", readClassAndSeparator},
    {"RobertaProcessing", readClassAndSeparator},
};

}  // namespace

Result<BosEosTokens> readSigns(const SignJson& description, const std::string& where) {
  ReadSteps<BosEosTokens> layers;
  if (Status status = readSteps(description, where, "processors", signKinds, layers); !status)
    return status.error();
  BosEosTokens all;
  for (const auto& [start, close] : layers.steps) {  // each stands around those before it
    all.start.insert(all.start.begin(), start.begin(), start.end());
    all.close.insert(all.close.end(), close.begin(), close.end());
  }
  return all;
}

OrderedSignJson templateOf(const Tokenizer& tokenizer) {
  if (tokenizer.startTokens().empty() && tokenizer.closeTokens().empty()) return nullptr;
  OrderedSignJson single = OrderedSignJson::array(), pair = single, signs = OrderedSignJson::object();
  const auto putSigns = [&](OrderedSignJson& parts, const std::vector<int>& ids, int type) {
    for (const int id : ids) {
      const std::string& name = tokenizer.written(id);
      parts.push_back({{"SpecialToken", {{"id", name}, {"type_id", type}}}});
      signs[name] = {
          {"id", name}, {"ids", OrderedSignJson::array({id})}, {"tokens", OrderedSignJson::array({name})}};
    }
  };
  const auto putText = [](OrderedSignJson& parts, const char* which, int type) {
    parts.push_back({{"Sequence", {{"id", which}, {"type_id", type}}}});
  };
  for (OrderedSignJson* parts : {&single, &pair}) {
    putSigns(*parts, tokenizer.startTokens(), 0), putText(*parts, "A", 0);
    putSigns(*parts, tokenizer.closeTokens(), 0);
  }
  putText(pair, "B", 1), putSigns(pair, tokenizer.closeTokens(), 1);
  return {{"type", "TemplateProcessing"}, {"single", single}, {"pair", pair}, {"special_tokens", signs}};
}

}  // namespace glassformer
