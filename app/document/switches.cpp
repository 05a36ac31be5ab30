#include "app/document/switches.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "core/lens/head_id.h"

namespace glassformer {

namespace {

// "0.5", "-3"
std::string number(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(value));
  return text;
}

// "decoder.2."
std::string blockOf(const ModelPart& part) {
  const char* stack = part.site == AttentionSite::Only      ? "blocks."
                      : part.site == AttentionSite::Encoder ? "encoder."
                                                            : "decoder.";
  return stack + std::to_string(part.layer) + ".";
}

// The part that an intervention switches off, if it is one of those. Reads the block's number off the name.
bool isSwitch(const Intervention& intervention, ModelPart& part) {
  char stack[9] = "";
  int layer = 0, end = 0;
  if (std::sscanf(intervention.point.c_str(), "%8[a-z].%d.%n", stack, &layer, &end) != 2 || end == 0)
    return false;
  const std::string point = intervention.point.substr(static_cast<std::size_t>(end));
  const bool across = point.find("cross_attn") != std::string::npos;
  const AttentionSite site = across                                 ? AttentionSite::Across
                             : std::string_view(stack) == "encoder" ? AttentionSite::Encoder
                             : std::string_view(stack) == "decoder" ? AttentionSite::Decoder
                                                                    : AttentionSite::Only;
  using Kind = ModelPart::Kind;
  const Kind kind = point.ends_with("hook_z")                ? Kind::Head
                    : point.ends_with("attn_out")            ? Kind::Attention
                    : point == mixedOut(Mixing::Recurrence)  ? Kind::Recurrence
                    : point == mixedOut(Mixing::Convolution) ? Kind::Convolution
                                                             : Kind::Mlp;
  part = {kind, layer, kind == Kind::Head ? intervention.index[1] : 0, site};
  return intervention == switchedOff(part);
}

}  // namespace

ModelPart mixingPart(const ModelConfig& config, int layer, AttentionSite site) {
  using Kind = ModelPart::Kind;
  const Kind kind = config.mixing == Mixing::Recurrence    ? Kind::Recurrence
                    : config.mixing == Mixing::Convolution ? Kind::Convolution
                                                           : Kind::Attention;
  return {kind, layer, 0, site};
}

std::vector<ModelPart> wholeParts(const ModelConfig& config) {
  using Kind = ModelPart::Kind;
  std::vector<ModelPart> parts;
  for (int layer = 0; layer < config.layers; ++layer) {
    const auto add = [&](Kind kind, AttentionSite site) { parts.push_back({kind, layer, 0, site}); };
    if (config.reads()) add(Kind::Attention, AttentionSite::Encoder);
    if (config.reads() && config.hasFeedForward()) add(Kind::Mlp, AttentionSite::Encoder);
    parts.push_back(mixingPart(config, layer, ownSite(config)));
    if (config.reads()) add(Kind::Attention, AttentionSite::Across);
    if (config.hasFeedForward()) add(Kind::Mlp, ownSite(config));
  }
  return parts;
}

Intervention switchedOff(const ModelPart& part) {
  Intervention off;
  switch (part.kind) {
    case ModelPart::Kind::Head:
      off.point = attentionPoint(part.layer, part.site, "hook_z");  // [T, H, K]
      off.index[1] = part.head;
      break;
    case ModelPart::Kind::Attention:
      off.point = attentionOutPoint(part.layer, part.site);
      break;
    case ModelPart::Kind::Recurrence:
      off.point = blockOf(part) + mixedOut(Mixing::Recurrence);
      break;
    case ModelPart::Kind::Convolution:
      off.point = blockOf(part) + mixedOut(Mixing::Convolution);
      break;
    case ModelPart::Kind::Mlp:
      off.point = blockOf(part) + "hook_mlp_out";
      break;
  }
  return off;
}

bool isOff(const Interventions& interventions, const ModelPart& part) {
  return std::find(interventions.begin(), interventions.end(), switchedOff(part)) != interventions.end();
}

std::string nameOf(const ModelPart& part) {
  const char* stack = part.site == AttentionSite::Only      ? "block "
                      : part.site == AttentionSite::Encoder ? "encoder "
                                                            : "decoder ";
  const std::string block = stack + std::to_string(part.layer);
  switch (part.kind) {
    case ModelPart::Kind::Head:
      return "head " + glassformer::nameOf(HeadId{part.layer, part.head, part.site});
    case ModelPart::Kind::Attention:
      return (part.site == AttentionSite::Across ? "cross-attention of " : "attention of ") + block;
    case ModelPart::Kind::Recurrence:
      return "recurrence of " + block;
    case ModelPart::Kind::Convolution:
      return "convolution of " + block;
    case ModelPart::Kind::Mlp:
      return "MLP of " + block;
  }
  return "";
}

std::string summaryOf(const Intervention& intervention) {
  ModelPart part;
  if (isSwitch(intervention, part)) return nameOf(part) + " off";
  const std::string value = intervention.tensor ? "a tensor" : number(intervention.value);
  switch (intervention.kind) {
    case InterventionKind::Zero:
      return intervention.point + " = 0";
    case InterventionKind::Scale:
      return intervention.point + " × " + value;
    case InterventionKind::Add:
      return intervention.point + " + " + value;
    case InterventionKind::Replace:
      return intervention.point + " = " + value;
  }
  return "";
}

namespace commands {

Command togglePart(const ModelPart& part) {
  return {[part](Workspace& w) {
            if (std::erase(w.interventions, switchedOff(part)) == 0)
              w.interventions.push_back(switchedOff(part));
          },
          "switching the " + nameOf(part), ""};
}

Command removeIntervention(std::size_t i) {
  return {[i](Workspace& w) {
            if (i < w.interventions.size())
              w.interventions.erase(w.interventions.begin() + static_cast<std::ptrdiff_t>(i));
          },
          "intervention", ""};
}

}  // namespace commands
}  // namespace glassformer
