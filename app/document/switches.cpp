#include "app/document/switches.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

#include "app/document/intervention_list.h"
#include "app/document/workspace.h"
#include "core/lens/pattern_replacement.h"

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
  const char* stack = part.site == AttentionSite::Self      ? "blocks."
                      : part.site == AttentionSite::Encoder ? "encoder."
                                                            : "decoder.";
  return stack + std::to_string(part.layer) + ".";
}

// The part of the model whose contribution this is, as a whole; nothing for other numbers.
std::optional<ModelPart> partAt(const Intervention& intervention) {
  using Kind = ModelPart::Kind;
  const PointPlace place = placeOfPoint(intervention.point);
  if (!place.inBlock()) return std::nullopt;
  const Kind kind = place.part.ends_with("hook_z")                ? Kind::Head
                    : place.part.ends_with("attn_out")            ? Kind::Attention
                    : place.part == mixedOut(Mixing::Recurrence)  ? Kind::Recurrence
                    : place.part == mixedOut(Mixing::Convolution) ? Kind::Convolution
                                                                  : Kind::Mlp;
  const ModelPart part{kind, place.layer, kind == Kind::Head ? intervention.index[1] : 0, place.site()};
  const Intervention off = zeroAblation(part);
  const bool isWhole = off.point == intervention.point && off.index == intervention.index && part.head >= 0;
  return isWhole ? std::optional(part) : std::nullopt;
}

// "neuron L2N37", "neuron enc.L2N37"; nothing for other numbers.
std::optional<std::string> neuronAt(const Intervention& intervention) {
  const PointPlace place = placeOfPoint(intervention.point);
  const bool isNeuron = place.inBlock() && place.part == "mlp.hook_post" && intervention.index[1] >= 0 &&
                        intervention.index[0] == Intervention::every;
  if (!isNeuron) return std::nullopt;
  const char* stack = place.inEncoder() ? "enc." : place.stack == "decoder" ? "dec." : "";
  return "neuron " + std::string(stack) + "L" + std::to_string(place.layer) + "N" +
         std::to_string(intervention.index[1]);
}

// "L2 q [11, 3, ·]": the whole of a dimension is a dot.
std::string cellsOf(const Intervention& intervention) {
  const PointPlace place = placeOfPoint(intervention.point);
  std::string part = place.part.substr(place.part.rfind('.') + 1);
  if (part.starts_with("hook_")) part = part.substr(5);
  std::string index;
  const auto last = std::ranges::find_if(intervention.index.rbegin(), intervention.index.rend(),
                                         [](int i) { return i != Intervention::every; });
  for (auto i = intervention.index.begin(); i != last.base(); ++i)
    index += (index.empty() ? " [" : ", ") + (*i == Intervention::every ? "·" : std::to_string(*i));
  return (place.inBlock() ? "L" + std::to_string(place.layer) + " " : "") + part +
         (index.empty() ? "" : index + "]");
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
  for (int layer = 0; layer < std::max(config.layers, config.encoderBlocks()); ++layer) {
    const auto add = [&](Kind kind, AttentionSite site) { parts.push_back({kind, layer, 0, site}); };
    const bool isInEncoder = config.isEncoderDecoder() && layer < config.encoderBlocks();
    if (isInEncoder) add(Kind::Attention, AttentionSite::Encoder);
    if (isInEncoder && config.hasFeedForward()) add(Kind::Mlp, AttentionSite::Encoder);
    if (layer >= config.layers) continue;
    parts.push_back(mixingPart(config, layer, ownSite(config)));
    if (config.isEncoderDecoder()) add(Kind::Attention, AttentionSite::Cross);
    if (config.hasFeedForward()) add(Kind::Mlp, ownSite(config));
  }
  return parts;
}

Intervention zeroAblation(const ModelPart& part) {
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
  return std::find(interventions.begin(), interventions.end(), zeroAblation(part)) != interventions.end();
}

Intervention neuronOff(const std::string& point, int neuron) {
  Intervention off;
  off.point = point, off.index[1] = neuron;
  return off;
}

Intervention hardened(HeadId head) {
  return {.point = attentionPoint(head.layer, head.site, "hook_pattern"),  // [H, T, S]
          .kind = InterventionKind::Argmax,
          .index = {head.head, Intervention::every, Intervention::every, Intervention::every}};
}

bool isHard(const Interventions& interventions, HeadId head) {
  return std::ranges::find(interventions, hardened(head)) != interventions.end();
}

Intervention heldAsAtStep(const ModelPart& part, int step) {
  Intervention held = zeroAblation(part);
  held.kind = InterventionKind::Replace, held.step = step;
  return held;
}

const Intervention* heldAtStep(const Interventions& interventions, const ModelPart& part) {
  const Intervention off = zeroAblation(part);
  const auto found = std::ranges::find_if(interventions, [&](const Intervention& each) {
    return each.step >= 0 && each.point == off.point && each.index == off.index;
  });
  return found == interventions.end() ? nullptr : &*found;
}

Intervention heldAt(const std::string& point, std::span<const int> index, float value) {
  Intervention held{.point = point, .kind = InterventionKind::Replace};
  std::ranges::copy(index, held.index.begin());
  held.value = value;
  return held;
}

namespace {

bool holdSame(const Intervention& a, const Intervention& b) {
  return a.kind == b.kind && a.point == b.point && a.index == b.index && !a.tensor && !b.tensor &&
         !a.isByRule() && !b.isByRule();
}

}  // namespace

const Intervention* heldByTensor(const Interventions& interventions, const Intervention& part) {
  const auto found = std::ranges::find_if(interventions, [&](const Intervention& each) {
    return each.kind == InterventionKind::Replace && each.tensor && !each.isByRule() &&
           each.point == part.point && each.index == part.index;
  });
  return found == interventions.end() ? nullptr : &*found;
}

const Intervention* holdOf(const Interventions& interventions, const Intervention& held) {
  const auto found =
      std::ranges::find_if(interventions, [&](const Intervention& other) { return holdSame(other, held); });
  return found == interventions.end() ? nullptr : &*found;
}

std::string nameOf(const ModelPart& part) {
  const char* stack = part.site == AttentionSite::Self      ? "block "
                      : part.site == AttentionSite::Encoder ? "encoder "
                                                            : "decoder ";
  const std::string block = stack + std::to_string(part.layer);
  switch (part.kind) {
    case ModelPart::Kind::Head:
      return "head " + glassformer::nameOf(HeadId{part.layer, part.head, part.site});
    case ModelPart::Kind::Attention:
      return (part.site == AttentionSite::Cross ? "cross-attention of " : "attention of ") + block;
    case ModelPart::Kind::Recurrence:
      return "recurrence of " + block;
    case ModelPart::Kind::Convolution:
      return "convolution of " + block;
    case ModelPart::Kind::Mlp:
      return "MLP of " + block;
  }
  return "";
}

std::optional<ModelPart> partNamed(std::string_view name) {
  using Kind = ModelPart::Kind;
  // Its block and head are the numbers in it; what it is called with these says the rest.
  std::vector<int> numbers;
  for (std::size_t at = name.find_first_of("0123456789"); at < name.size();
       at = name.find_first_of("0123456789", at)) {
    int number = 0;
    const auto [end, error] = std::from_chars(name.data() + at, name.data() + name.size(), number);
    if (error != std::errc()) return std::nullopt;
    numbers.push_back(number);
    at = static_cast<std::size_t>(end - name.data());
  }
  if (numbers.empty() || numbers.size() > 2) return std::nullopt;
  for (const AttentionSite site :
       {AttentionSite::Self, AttentionSite::Decoder, AttentionSite::Encoder, AttentionSite::Cross})
    for (const Kind kind : {Kind::Head, Kind::Attention, Kind::Recurrence, Kind::Convolution, Kind::Mlp}) {
      const ModelPart part{kind, numbers.front(), numbers.size() == 2 ? numbers.back() : 0, site};
      if (const std::string own = nameOf(part); own == name || own == "head " + std::string(name))
        return part;
    }
  return std::nullopt;
}

std::optional<ModelPart> partSwitchedOffBy(const Intervention& intervention) {
  const auto part = partAt(intervention);
  return part && zeroAblation(*part) == intervention ? part : std::nullopt;
}

std::string placeWords(const Intervention& intervention) {
  if (!intervention.ruleText.empty()) {
    const PointPlace place = placeOfPoint(intervention.point);
    return glassformer::nameOf(HeadId{place.layer, intervention.index[0], place.site()}) + " attends by " +
           intervention.ruleText;
  }
  if (intervention.kind == InterventionKind::Argmax) {
    const PointPlace place = placeOfPoint(intervention.point);
    const HeadId head{place.layer, intervention.index[0], place.site()};
    if (place.inBlock() && head.head >= 0 && hardened(head) == intervention)
      return "head " + glassformer::nameOf(head);
  }
  const auto part = partAt(intervention);
  if (intervention.step >= 0)
    return (part ? nameOf(*part) : cellsOf(intervention)) + " as at step " +
           std::to_string(intervention.step);
  return part ? nameOf(*part) : neuronAt(intervention).value_or(cellsOf(intervention));
}

std::string summaryOf(const Intervention& intervention) {
  if (intervention.isByRule()) return placeWords(intervention);
  const InterventionDescription& kind = described(intervention.kind);
  const std::string tensor = intervention.origin.empty() ? "a tensor" : intervention.origin,
                    value = intervention.tensor ? tensor : number(intervention.value);
  return placeWords(intervention) + " " + kind.sign + (kind.takesNumber ? " " + value : "");
}

namespace commands {

Command togglePart(const ModelPart& part) {
  return {[part](Workspace& w) { toggleIntervention(w, zeroAblation(part)); },
          "switching the " + nameOf(part), ""};
}

Command toggleArgmax(HeadId head) {
  return {[head](Workspace& w) { toggleIntervention(w, hardened(head)); },
          "argmax in head " + glassformer::nameOf(head), ""};
}

Command addIntervention(Intervention intervention, const std::string& undoName) {
  return {[intervention = std::move(intervention)](Workspace& w) { w.interventions.push_back(intervention); },
          undoName, ""};
}

Command holdNumber(Intervention held, std::string gesture) {
  return {[held = std::move(held)](Workspace& w) {
            const auto same = std::ranges::find_if(
                w.interventions, [&](const Intervention& other) { return holdSame(other, held); });
            if (same == w.interventions.end())
              w.interventions.push_back(held);
            else
              same->value = held.value;
          },
          "intervention", std::move(gesture), true};
}

Command toggleHeldByTensor(const Intervention& held, const std::string& name) {
  return {[held](Workspace& w) {
            const Intervention* standing = heldByTensor(w.interventions, held);
            if (standing)
              w.interventions.erase(w.interventions.begin() + (standing - w.interventions.data()));
            else
              w.interventions.push_back(held);
          },
          "holding the " + name, ""};
}

Command letGo(const Intervention& held) {
  return {[held](Workspace& w) {
            std::erase_if(w.interventions, [&](const Intervention& other) { return holdSame(other, held); });
          },
          "intervention", ""};
}

Command toggleHeldAsAtStep(const ModelPart& part, int step) {
  return {[part, step](Workspace& w) {
            const Intervention* const before = heldAtStep(w.interventions, part);
            const bool isSame = before && before->step == step;
            if (before) w.interventions.erase(w.interventions.begin() + (before - w.interventions.data()));
            if (!isSame) w.interventions.push_back(heldAsAtStep(part, step));
          },
          nameOf(part) + " as at step " + std::to_string(step), ""};
}

Command lookBy(HeadId head, std::string rule) {
  return {[head, rule = std::move(rule)](Workspace& w) {
            if (const Intervention* before = patternReplacement(w.interventions, head))
              w.interventions.erase(w.interventions.begin() + (before - w.interventions.data()));
            if (!rule.empty()) w.interventions.push_back(patternReplaced(head, rule));
          },
          "where " + glassformer::nameOf(head) + " looks", ""};
}

}  // namespace commands
}  // namespace glassformer
