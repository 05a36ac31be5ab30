#include "core/text/tokenizer_json.h"

#include "core/text/json_text.h"

namespace glassformer {
namespace {

using TreeJson = nlohmann::json;

/// Builds a tree of all values but those of the long lists.
class TokenizerJsonReader final : public nlohmann::json_sax<TreeJson> {
 public:
  explicit TokenizerJsonReader(TokenizerJson& made) : made_(made) {}

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool binary(binary_t&) override { return false; }
  bool string(string_t& value) override {
    if (list_ == List::None || list_ == List::Vocabulary) return put(std::move(value));
    if (listDepth_ == 1) made_.merges.push_back({std::move(value), "", 1});
    if (listDepth_ == 2) takePart(std::move(value));
    return true;
  }
  bool key(string_t& name) override {
    if (list_ == List::None)
      key_ = std::move(name);
    else if (list_ == List::Vocabulary && listDepth_ == 1)
      made_.vocabulary.emplace_back(std::move(name), nullptr);
    return true;
  }
  bool start_object(std::size_t) override { return open(TreeJson::object()); }
  bool start_array(std::size_t) override { return open(TreeJson::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string&, const TreeJson::exception& failure) override {
    errorAt = position, isRange = failure.id >= 400;
    return false;
  }

  std::size_t errorAt = 0;
  bool isRange = false;  ///< a number that is too large
  bool isTooDeep = false;

 private:
  enum class List { None, Vocabulary, Merges };
  static constexpr std::size_t deepest = 64;

  // A part of the last merge, which opened a list.
  void takePart(std::string part) {
    ListedMerge& merge = made_.merges.back();
    ++merge.parts;
    if (merge.parts == 1) merge.left = std::move(part);
    if (merge.parts == 2) merge.right = std::move(part);
    if (merge.parts > 2) merge.parts = 3;
  }
  bool put(TreeJson value) {
    if (list_ == List::Vocabulary && listDepth_ == 1) made_.vocabulary.back().second = std::move(value);
    if (list_ == List::Merges && listDepth_ == 1) made_.merges.emplace_back();
    if (list_ == List::Merges && listDepth_ == 2) made_.merges.back().parts = 3;
    if (list_ == List::None) place(std::move(value));
    return true;
  }
  TreeJson* place(TreeJson value) {
    if (open_.empty()) return &(made_.file = std::move(value));
    TreeJson& parent = *open_.back();
    if (parent.is_object()) return &(parent[key_] = std::move(value));
    parent.push_back(std::move(value));
    return &parent.back();
  }
  bool open(TreeJson empty) {
    if (open_.size() + listDepth_ >= deepest) return isTooDeep = true, false;
    if (list_ != List::None) {
      ++listDepth_;
      if (list_ == List::Merges && listDepth_ == 2) made_.merges.emplace_back();
      if (list_ == List::Vocabulary && listDepth_ == 2) made_.vocabulary.back().second = std::move(empty);
      return true;
    }
    const bool isInModel = open_.size() == 2 && isModel_;
    const bool isObject = empty.is_object();
    TreeJson* const made = place(std::move(empty));
    if (isInModel && key_ == "vocab" && isObject) list_ = List::Vocabulary, listDepth_ = 1;
    if (isInModel && key_ == "merges" && !isObject) list_ = List::Merges, listDepth_ = 1;
    if (list_ != List::None) return true;
    if (open_.size() == 1) isModel_ = key_ == "model" && isObject;
    open_.push_back(made);
    return true;
  }
  bool close() {
    if (list_ == List::None)
      open_.pop_back();
    else if (--listDepth_ == 0)
      list_ = List::None;
    return true;
  }

  TokenizerJson& made_;
  std::vector<TreeJson*> open_;
  std::string key_;
  bool isModel_ = false;  // what is open at the second level is the model
  List list_ = List::None;
  std::size_t listDepth_ = 0;
};

}  // namespace

Result<TokenizerJson> parseTokenizerText(std::string_view text, std::string_view name) {
  TokenizerJson made;
  // As many as the largest files have for their size.
  made.vocabulary.reserve(text.size() / 128), made.merges.reserve(text.size() / 64);
  TokenizerJsonReader reader(made);
  const bool isTooLong = text.size() > longestJson;
  if (!isTooLong && TreeJson::sax_parse(text, &reader)) return made;
  if (isTooLong || reader.isTooDeep || reader.isRange) {  // said by whom all other files are read
    const auto again = parseJson(text, name);
    if (!again) return again.error();
  }
  return jsonError(text, reader.errorAt, name);
}

}  // namespace glassformer
