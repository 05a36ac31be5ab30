#include "core/lens/written_parts.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace glassformer {
namespace {

using Kind = ContributionPart::Kind;

// What of a pass that has this place was added to its stream; nothing where it was not.
std::vector<ContributionPart> addedAt(const PointPlace& place, const ModelConfig& config) {
  const AttentionSite stack = place.inEncoder() ? AttentionSite::Encoder : AttentionSite::Self;
  const auto whole = [&](Kind kind) {
    return std::vector<ContributionPart>{{kind, {place.layer, 0, place.site()}}};
  };
  if (place.part == "hook_pos_embed") return {{Kind::Position, {0, 0, stack}}};
  if (place.part == "hook_token_type_embed") return {{Kind::TokenType, {0, 0, stack}}};
  if (place.part == "hook_recurrence_out") return whole(Kind::Recurrence);
  if (place.part == "hook_convolution_out" && !config.oneResidual) return whole(Kind::Convolution);
  if (place.part == "hook_mlp_out") return {{Kind::Mlp, {place.layer, 0, stack}}};
  if (place.part != "hook_attn_out" && place.part != "hook_cross_attn_out") return {};
  std::vector<ContributionPart> parts;
  for (int head = 0; head < config.heads; ++head)
    parts.push_back({Kind::Head, {place.layer, head, place.site()}});
  parts.push_back({Kind::OutputBias, {place.layer, 0, place.site()}});
  return parts;
}

// Not of those between what embeddings add up to and the stream, of queries, behind a sublayer or in the
// head.
bool isNormOfStream(const PointPlace& place) {
  if (!place.inBlock()) return place.part == "ln_final.hook_normalized";
  return place.part == "ln1.hook_normalized" || place.part == "ln2.hook_normalized" ||
         place.part == "ln3.hook_normalized";
}

// "h.0.ln_1", "encoder.ln_f": where its weights are.
std::string weightsOfNorm(const PointPlace& place) {
  const std::string stack = place.inEncoder() ? "encoder." : "";
  if (!place.inBlock()) return stack + "ln_f";
  const std::string block = stack + "h." + std::to_string(place.layer) + ".";
  if (place.part.starts_with("ln1")) return block + "ln_1";
  const bool isOfCross = place.stack == "decoder" && place.part.starts_with("ln2");
  return block + (isOfCross ? "ln_cross_attn" : "ln_2");
}

TensorView foundIn(const Parameters& parameters, const std::string& name) {
  const int found = parameters.find(name);
  return found < 0 ? TensorView() : parameters.view(found);
}

}  // namespace

FixedNorm::FixedNorm(TensorView gamma, TensorView beta, TensorView scale, NormKind kind)
    : gamma_(gamma), beta_(beta), scale_(scale), kind_(kind) {}

FixedNorm::FixedNorm(const Transformer& model, const Trace& trace, const std::string& normalized)
    : FixedNorm(model.parameters()[weightsOfNorm(placeOfPoint(normalized)) + ".weight"],
                foundIn(model.parameters(), weightsOfNorm(placeOfPoint(normalized)) + ".bias"),
                trace[scalePoint(normalized)], model.config().norm) {}

FixedNorm normBehind(const Transformer& model, const Trace& trace, int layer, AttentionSite site) {
  const std::string block = (site == AttentionSite::Encoder ? "encoder.h." : "h.") + std::to_string(layer);
  const std::string norm = block + (site == AttentionSite::Cross ? ".ln_cross_attn" : ".ln_1") + "_post";
  return {model.parameters()[norm + ".weight"], foundIn(model.parameters(), norm + ".bias"),
          trace[scalePoint(attentionOutPoint(layer, site))], model.config().norm};
}

void FixedNorm::carry(float* x, int token) const {
  const int D = gamma_.extent[0];
  const bool centred = kind_ == NormKind::Layer;
  const float mean = centred ? static_cast<float>(std::accumulate(x, x + D, 0.0) / D) : 0,
              sigma = scale_(token, 0);
  for (int d = 0; d < D; ++d) x[d] = gamma_(d) * (x[d] - mean) / sigma;
}

std::vector<float> FixedNorm::before(std::vector<float> u, int token) const {
  u = beforeNorm(std::move(u), gamma_, kind_);
  for (float& value : u) value /= scale_(token, 0);
  return u;
}

WrittenParts writtenParts(const Transformer& model, Stream stream, const std::string& before) {
  const ModelConfig& config = model.config();
  const bool throughNorms = config.normPlacement == NormPlacement::Post ||
                            (config.normPlacement == NormPlacement::Residual && config.residual);
  WrittenParts written;
  for (const std::string& point : model.points()) {
    const PointPlace place = placeOfPoint(point);
    if (place.inEncoder() != (stream == Stream::Source)) continue;
    if (!before.empty() && point.starts_with(before)) break;
    // Where their sum is normalized, that stands for all embeddings.
    if (place.part == "hook_embed" || place.part == "embed.ln.hook_normalized") {
      const AttentionSite stack = place.inEncoder() ? AttentionSite::Encoder : AttentionSite::Self;
      written = {.parts = {{Kind::Embedding, {0, 0, stack}}}, .from = {0}};
    }
    if (isNormOfStream(place)) {
      if (!throughNorms) written.norms.clear();
      written.norms.push_back(point);
    }
    const std::vector<ContributionPart> added = addedAt(place, config);
    if (added.empty()) continue;
    const bool isSublayer = place.inBlock(), isAlone = isSublayer && !config.residual;
    if (isAlone) written.first = written.parts.size();
    if (isAlone || (isSublayer && !throughNorms)) written.norms.clear();  // the sublayer alone has read them
    std::ranges::copy(added, std::back_inserter(written.parts));
    written.from.resize(written.parts.size(), written.norms.size());
  }
  return written;
}

}  // namespace glassformer
