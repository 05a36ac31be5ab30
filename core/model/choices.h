#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/config.h"

namespace glassformer {

/// One way to make a choice.
struct ConfigOption {
  std::string id;        ///< in config.json and on the command line: "post"
  std::string name;      ///< on screen
  std::string meaning;   ///< one sentence
  std::string equation;  ///< empty where there is none
  std::string alias;     ///< another id that files use
};

/// What a field is about.
enum class ConfigSection { Ends, Positions, Block, Attention, Sizes };
/// "In and out", "Positions" ...
std::string_view nameOf(ConfigSection section);

/// A field of the config that takes one of several values, in the order in which a forward pass meets them.
/// Files, menus and the command line are made from these.
struct ConfigChoice {
  std::string id;       ///< in config.json: "norm_placement"
  std::string name;     ///< on screen
  std::string meaning;  ///< what is chosen, in one sentence
  std::vector<ConfigOption> options;
  std::function<int(const ModelConfig&)> get;  ///< index of the option
  std::function<void(ModelConfig&, int)> set;
  /// Whether it makes a difference, the rest of the config being what it is.
  std::function<bool(const ModelConfig&)> matters = [](const ModelConfig&) { return true; };
  bool flag = false;  ///< no or yes: true or false in config.json
  ConfigSection section = ConfigSection::Block;
};
const std::vector<ConfigChoice>& configChoices();

/// A field of the config that is a number.
struct ConfigNumber {
  std::string id;       ///< in config.json: "n_layer"
  std::string name;     ///< on screen
  std::string letter;   ///< of the dimension; empty where there is none
  std::string meaning;  ///< one sentence
  double least = 1, most = 1 << 24;
  bool whole = true;
  bool optional = false;  ///< may be left out of config.json: then it has its default
  std::function<double(const ModelConfig&)> get;
  std::function<void(ModelConfig&, double)> set;
  std::function<bool(const ModelConfig&)> matters = [](const ModelConfig&) { return true; };
  ConfigSection section = ConfigSection::Sizes;
};
const std::vector<ConfigNumber>& configNumbers();

/// What a field is now, as config.json would say it: "post", "4".
std::string valueOf(const ConfigChoice& choice, const ModelConfig& config);
std::string valueOf(const ConfigNumber& number, const ModelConfig& config);

/// The fields that a config has otherwise than another, as the command line sets them: "mixing=recurrence
/// n_layer=2". Painted cells of the mask are no field.
std::string changedFields(const ModelConfig& from, const ModelConfig& to);

/// What a config has otherwise than another, as people read it: "Residual connection off, Norms stand:
/// After".
std::string setApart(const ModelConfig& config, const ModelConfig& other);

/// Sets a choice or number by its id, as config.json and the command line name it: "norm" to "rms", "n_layer"
/// to "6", or paints its mask (see painted_mask.h), or makes its blocks of a kind that has a name (see
/// named_blocks.h). Says which names or values there are when it is none of them.
Status setField(ModelConfig& config, std::string_view id, std::string_view value);

}  // namespace glassformer
