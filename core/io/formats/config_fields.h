#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/model/config.h"
#include "core/result.h"
#include "core/text/json_fields.h"

namespace glassformer {

/// The fields of a family's config.json, taken one after the other; keeps the first complaint. Each field
/// that is taken is noted: readFamilyConfig() refuses what nobody took, so that what was read is what is
/// computed.
class ConfigFields : public JsonFields {
 public:
  ConfigFields(const nlohmann::json& file, std::string_view name)
      : JsonFields(file, std::string(name)), name_(name) {}

  /// There, and not null. To ask does not take it.
  bool isSet(const char* field) const;
  const std::string& name() const { return name_; }

  /// A size: a whole number from 1 to 2²⁴. Missing: `otherwise`, and where that is 0 a complaint.
  int size(const char* field, int otherwise = 0);
  /// A token's id, or a count: a whole number from 0.
  int token(const char* field, int otherwise);
  int count(const char* field, int otherwise) { return token(field, otherwise); }
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

  /// The c of a soft cap c tanh(x / c); 0 or null: there is none.
  float cap(const char* field, double otherwise);

  /// The nonlinearity of an MLP that is not gated, by the name that Hugging Face has for it.
  Activation activation(const char* field, const char* otherwise);

  /// Complains where it is set to anything else.
  void mustBe(const char* field, bool value);
  /// Windows of `size` tokens, but for the blocks that layer_types lists as full or, where it does not stand
  /// there, `full`, repeated over all blocks. Size 0: layer_types may list none.
  void windows(int size, std::vector<bool> full, ModelConfig& config);
  /// Complains where layer_types lists anything but full attention.
  void mustBeFull(const ModelConfig& config);
  /// The base of rotary frequencies, from a field of its own or from rope_parameters, and how they are slowed
  /// down for texts longer than those of training; complains where that is done in a way not computed here.
  void rotary(const char* field, double otherwise, ModelConfig& config);
  /// How many columns of a head turn: a share of them, partial_rotary_factor in rope_parameters or beside it,
  /// or the family's older field; complains where that is none.
  void turnedShare(const char* older, double otherwise, ModelConfig& config);
  /// The base of those in blocks with a window, as Gemma 3 has it.
  void localRotary(ModelConfig& config);

  /// What was read, unless there were complaints or it is no transformer.
  Result<ModelConfig> finish(const ModelConfig& config) const;

 private:
  int sizeOfBoth(const std::string& what);
  void slowing(const char* group, const nlohmann::json& object, ModelConfig& config);
  void refuseOtherYarns(const char* group, JsonFields& given);

  std::string name_;
  bool groupsByLayer_ = false;  ///< rope_parameters has one group for each type of layer, not read yet
};

}  // namespace glassformer
