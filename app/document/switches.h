#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/command.h"
#include "core/lens/head_id.h"
#include "core/model/config.h"
#include "core/model/point_names.h"
#include "core/trace/interventions.h"

namespace glassformer {

/// A part of the model that can be switched off: it then adds nothing to the residual stream (a head nothing
/// but its share of the output's bias).
struct ModelPart {
  enum class Kind { Head, Attention, Recurrence, Convolution, Mlp };

  Kind kind = Kind::Head;
  int layer = 0;
  int head = 0;                              ///< of a head only
  AttentionSite site = AttentionSite::Self;  ///< of an MLP: Encoder where it is the encoder's

  bool operator==(const ModelPart&) const = default;
};

/// What lets the tokens of a block exchange information: its attention, or what stands in its place.
ModelPart mixingPart(const ModelConfig& config, int layer, AttentionSite site);
/// Every part of a model that can be switched off, but for its heads.
std::vector<ModelPart> wholeParts(const ModelConfig& config);

/// Zeros where the part's own contribution appears: hook_z of one head, hook_attn_out, hook_recurrence_out,
/// hook_convolution_out, hook_mlp_out.
Intervention zeroAblation(const ModelPart& part);
bool isOff(const Interventions& interventions, const ModelPart& part);

/// Zeros one neuron of a point [T, F], "blocks.2.mlp.hook_post", at all tokens.
Intervention neuronOff(const std::string& point, int neuron);

/// Lets a head take its largest weight alone: the hard argmax of its scores in place of their softmax.
Intervention hardened(HeadId head);
bool isHard(const Interventions& interventions, HeadId head);

/// Holds a part as it was after another step of the training that is open, over whatever text.
Intervention heldAsAtStep(const ModelPart& part, int step);
/// The one that does so; null: none.
const Intervention* heldAtStep(const Interventions& interventions, const ModelPart& part);

/// Holds a number of the trace at a value, whatever is computed there.
Intervention heldAt(const std::string& point, std::span<const int> index, float value);
/// Which of them puts a tensor in the place of the same numbers as `part`; null: none.
const Intervention* heldByTensor(const Interventions& interventions, const Intervention& part);
/// Which of them holds the same number; null: none.
const Intervention* holdOf(const Interventions& interventions, const Intervention& held);

/// The part of this name, whatever model has it: "L2H0" or "head L2H0", "MLP of block 0", "cross.L2H0".
std::optional<ModelPart> partNamed(std::string_view name);
/// The part that an intervention switches off, if that is what it does.
std::optional<ModelPart> partSwitchedOffBy(const Intervention& intervention);

/// "head L2H0", "attention of block 2", "recurrence of block 2", "MLP of block 2"; in an encoder-decoder
/// "head cross.L2H0", "cross-attention of decoder 2", "MLP of encoder 2"
std::string nameOf(const ModelPart& part);
/// What an intervention acts on: "head L2H0", "neuron L2N37", "L1 pattern [0, 3, 1]".
std::string placeWords(const Intervention& intervention);
/// What it does: "head L2H0 off", "L1 pattern [0, ·, 1] × 0.5".
std::string summaryOf(const Intervention& intervention);

namespace commands {

Command togglePart(const ModelPart& part);
Command toggleArgmax(HeadId head);
/// One more.
Command addIntervention(Intervention intervention, const std::string& undoName);
/// Puts one that replaces a number in place of what replaces the same one already.
Command holdNumber(Intervention held, std::string gesture = "");
/// Takes back what replaces that number.
Command letGo(const Intervention& held);
/// Puts a rule (see core/lens/attention_rule.h) in the place of a head's pattern, and of the one
/// that stands there; an empty one takes it back.
/// Holds the part as it was after that step, in place of another one where it was held as at that; the same
/// step again lets it go.
Command toggleHeldAsAtStep(const ModelPart& part, int step);
/// Puts a tensor in the place of what a part writes, or takes back the one that stands there.
Command toggleHeldByTensor(const Intervention& held, const std::string& name);
Command lookBy(HeadId head, std::string rule);

}  // namespace commands
}  // namespace glassformer
