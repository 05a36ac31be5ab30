#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/model/config.h"
#include "core/result.h"

namespace glassformer {

/// Takes the fields out of a family's config.json one after the other, and keeps the first complaint.
class ConfigFields {
 public:
  ConfigFields(const nlohmann::json& file, std::string_view name) : file_(file), name_(name) {}

  bool has(const char* field) const { return file_.contains(field) && !file_[field].is_null(); }
  const nlohmann::json& at(const char* field) const { return file_[field]; }

  /// A size: a whole number from 1 to 2²⁴. Missing: `otherwise`, and where that is 0 a complaint.
  int size(const char* field, int otherwise = 0);
  /// A whole number from 0.
  int count(const char* field, int otherwise) { return token(field, otherwise); }
  /// A token's id: a whole number from 0.
  int token(const char* field, int otherwise);
  /// The six that nearly all families call alike.
  ModelConfig sizes();
  /// Llama's, and what is built like it: those, RMS norms, and rotary positions whose pairs are halves of a
  /// head, which is `head` columns wide where the file does not say; 0: as wide as the heads share the width.
  ModelConfig likeLlama(int head);
  /// BART's, and what is built like it: an encoder and a decoder with norms behind the sums, which have all
  /// but the number of their blocks in common.
  ModelConfig likeBart();
  /// Which tokens stand first in the texts that such a model writes, which one ends them, and which never
  /// comes.
  void tokensOfTexts(ModelConfig& config);
  double number(const char* field, double otherwise);
  bool flag(const char* field, bool otherwise);
  std::string text(const char* field, const char* otherwise);

  /// The c of a soft cap c tanh(x / c); 0 or null: there is none.
  float cap(const char* field, double otherwise);

  /// The nonlinearity of an MLP that is not gated, by the name that Hugging Face has for it.
  Activation activation(const char* field, const char* otherwise);

  /// Complains where it is set to anything else.
  void mustBe(const char* field, bool value);
  /// Which blocks have a window, from layer_types or sliding_window_pattern, else of so many `otherwise` the
  /// last has none; complains of an order that is none of these.
  void windows(int otherwise, ModelConfig& config);
  /// The base of rotary frequencies, from a field of its own or from rope_parameters, and how they are slowed
  /// down for texts longer than those of training; complains where that is done in a way not computed here.
  void rotary(const char* field, double otherwise, ModelConfig& config);
  /// How many columns of a head turn: a share of them, partial_rotary_factor in rope_parameters or beside it,
  /// or the family's older field; complains where that is none.
  void turnedShare(const char* older, double otherwise, ModelConfig& config);
  /// The base of those in blocks with a window, as Gemma 3 has it.
  void localRotary(ModelConfig& config);
  void refuse(const char* field, std::string what);

  /// What was read, unless there were complaints or it is no transformer.
  Result<ModelConfig> finish(const ModelConfig& config) const;

 private:
  int sizeOfBoth(const std::string& what);
  void slowing(const char* group, const nlohmann::json& given, ModelConfig& config);
  void refuseOtherYarns(const char* group, const nlohmann::json& given);

  const nlohmann::json& file_;
  std::string name_;
  Status status_ = success();
};

}  // namespace glassformer
