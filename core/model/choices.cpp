#include "core/model/choices.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/model/choices/choice_lists.h"
#include "core/model/named_blocks.h"
#include "core/model/painted_mask.h"

namespace glassformer {
namespace {

template <typename Id, typename Table>
auto* byId(const Table& table, Id id) {
  for (const auto& entry : table)
    if (entry.id == id) return &entry;
  return static_cast<decltype(&*table.begin())>(nullptr);
}

Status setNumber(ModelConfig& config, const ConfigNumber& field, std::string_view value) {
  double parsed = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (failure != std::errc{} || end != value.data() + value.size() ||
      (field.whole && parsed != std::floor(parsed)))
    return Error{"\"" + std::string(value) + "\" is not a " + (field.whole ? "whole number" : "number"),
                 field.id, ""};
  if (!(parsed >= field.least && parsed <= field.most))
    return Error{std::string(value) + " is out of range", field.id,
                 "it can be " + std::to_string(static_cast<long long>(field.least)) + " to " +
                     std::to_string(static_cast<long long>(field.most))};
  field.set(config, parsed);
  return success();
}

Status setBlock(ModelConfig& config, std::string_view value) {
  if (const NamedBlock* block = findNamedBlock(value)) return block->choose(config), success();
  std::string known;
  for (const NamedBlock& block : namedBlocks()) known += (known.empty() ? "" : ", ") + std::string(block.id);
  return Error{"\"" + std::string(value) + "\" is not known", blockField, "known are " + known};
}

}  // namespace

std::string_view nameOf(ConfigSection section) {
  static constexpr std::array<std::string_view, 5> names{"In and out", "Positions", "Block", "Attention",
                                                         "Sizes"};
  return names[static_cast<std::size_t>(section)];
}

const std::vector<ConfigChoice>& configChoices() {
  static const std::vector<ConfigChoice> all = [] {
    std::vector<ConfigChoice> list;
    const auto add = [&](std::vector<ConfigChoice> choices, ConfigSection section) {
      for (ConfigChoice& choice : choices) choice.section = section, list.push_back(std::move(choice));
    };
    add(stackChoices(), ConfigSection::Ends);
    add(positionChoices(), ConfigSection::Positions);
    add(normChoices(), ConfigSection::Block);
    add(mixingChoices(), ConfigSection::Block);
    add(attentionChoices(), ConfigSection::Attention);
    add(feedForwardChoices(), ConfigSection::Block);
    add(endChoices(), ConfigSection::Ends);
    return list;
  }();
  return all;
}

std::string valueOf(const ConfigChoice& choice, const ModelConfig& config) {
  return choice.options[static_cast<std::size_t>(choice.get(config))].id;
}

std::string valueOf(const ConfigNumber& number, const ModelConfig& config) {
  char text[32];
  const double value = number.get(config);
  const auto end = number.whole
                       ? std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(value)).ptr
                       : std::to_chars(text, text + sizeof text, static_cast<float>(value)).ptr;
  return {text, end};
}

std::string changedFields(const ModelConfig& from, const ModelConfig& to) {
  std::string fields;
  const auto compare = [&](const auto& field) {
    if (valueOf(field, from) != valueOf(field, to))
      fields += (fields.empty() ? "" : " ") + field.id + "=" + valueOf(field, to);
  };
  for (const ConfigChoice& choice : configChoices()) compare(choice);
  for (const ConfigNumber& number : configNumbers()) compare(number);
  return fields;
}

std::string setApart(const ModelConfig& config, const ModelConfig& other) {
  std::string words;
  const auto add = [&](const std::string& difference) { words += (words.empty() ? "" : ", ") + difference; };
  for (const ConfigChoice& choice : configChoices()) {
    const int own = choice.get(config);
    if (own == choice.get(other)) continue;
    const std::string& option = choice.options[static_cast<std::size_t>(own)].name;
    add(option == "Yes"  ? choice.name + " on"
        : option == "No" ? choice.name + " off"
                         : choice.name + ": " + option);
  }
  for (const ConfigNumber& number : configNumbers())
    if (number.get(config) != number.get(other)) add(number.name + ": " + valueOf(number, config));
  if (config.mask.painted != other.mask.painted)
    add("Edited mask: " + std::to_string(config.mask.painted.size()) +
        (config.mask.painted.size() == 1 ? " cell" : " cells"));
  return words;
}

Status setField(ModelConfig& config, std::string_view id, std::string_view value) {
  if (id == paintedMaskField) {
    auto cells = paintedCells(value);
    if (!cells) return cells.error();
    return config.mask.painted = *std::move(cells), success();
  }
  if (id == blockField) return setBlock(config, value);
  if (const ConfigNumber* field = byId(configNumbers(), id)) return setNumber(config, *field, value);
  const ConfigChoice* choice = byId(configChoices(), id);
  std::string known;
  const auto list = [&](const std::string& name) { known += (known.empty() ? "" : ", ") + name; };
  if (!choice) {
    for (const ConfigChoice& c : configChoices()) list(c.id);
    for (const ConfigNumber& n : configNumbers()) list(n.id);
    list(paintedMaskField), list(blockField);
    return Error{"no such field", std::string(id), "known are " + known};
  }
  for (std::size_t i = 0; i < choice->options.size(); ++i) {
    if (choice->options[i].id == value) return choice->set(config, static_cast<int>(i)), success();
    list(choice->options[i].id);
  }
  return Error{"\"" + std::string(value) + "\" is not known", choice->id, "known are " + known};
}

}  // namespace glassformer
