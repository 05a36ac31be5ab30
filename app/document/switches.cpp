#include "app/document/switches.h"

#include <algorithm>
#include <cstdio>

namespace glassformer {

namespace {

std::string block(int layer) { return "blocks." + std::to_string(layer) + "."; }

// "0.5", "-3"
std::string number(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(value));
  return text;
}

// The part that an intervention switches off, if it is one of those. Reads the block's number off the name.
bool isSwitch(const Intervention& intervention, ModelPart& part) {
  int layer = 0, end = 0;
  if (std::sscanf(intervention.point.c_str(), "blocks.%d.%n", &layer, &end) != 1 || end == 0) return false;
  const std::string point = intervention.point.substr(static_cast<std::size_t>(end));
  const ModelPart::Kind kind = point == "attn.hook_z"     ? ModelPart::Kind::Head
                               : point == "hook_attn_out" ? ModelPart::Kind::Attention
                                                          : ModelPart::Kind::Mlp;
  part = {kind, layer, kind == ModelPart::Kind::Head ? intervention.index[1] : 0};
  return intervention == switchedOff(part);
}

}  // namespace

Intervention switchedOff(const ModelPart& part) {
  Intervention off;
  switch (part.kind) {
    case ModelPart::Kind::Head:
      off.point = block(part.layer) + "attn.hook_z";  // [T, H, K]
      off.index[1] = part.head;
      break;
    case ModelPart::Kind::Attention:
      off.point = block(part.layer) + "hook_attn_out";
      break;
    case ModelPart::Kind::Mlp:
      off.point = block(part.layer) + "hook_mlp_out";
      break;
  }
  return off;
}

bool isOff(const Interventions& interventions, const ModelPart& part) {
  return std::find(interventions.begin(), interventions.end(), switchedOff(part)) != interventions.end();
}

std::string nameOf(const ModelPart& part) {
  const std::string layer = std::to_string(part.layer);
  switch (part.kind) {
    case ModelPart::Kind::Head:
      return "head L" + layer + "H" + std::to_string(part.head);
    case ModelPart::Kind::Attention:
      return "attention of block " + layer;
    case ModelPart::Kind::Mlp:
      return "MLP of block " + layer;
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
