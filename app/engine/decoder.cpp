#include "app/engine/decoder.h"

#include "app/document/workspace.h"

#include <cmath>

namespace glassformer {

namespace {

TensorSet measureBeam(const BeamTree& tree) {
  const int count = static_cast<int>(tree.nodes.size());
  Tensor probability({count}), cumulative({count}), score({count});
  for (int i = 0; i < count; ++i) {
    const BeamNode& node = tree.nodes[static_cast<std::size_t>(i)];
    probability(i) = static_cast<float>(std::exp(node.logProbability));
    cumulative(i) = static_cast<float>(node.cumulative);
    score(i) = static_cast<float>(node.score);
  }
  TensorSet set;
  set.add(
      {"beam.probability", "N", "probability of the node's token after its prefix", "p = softmax(logits)"},
      std::move(probability));
  set.add({"beam.cumulative", "N", "log-probability of the whole hypothesis", "log P = Σ log p"},
          std::move(cumulative));
  set.add({"beam.score", "N", "what hypotheses are ranked by", "log P / nᵅ"}, std::move(score));
  return set;
}

std::shared_ptr<const TensorSet> measureContinuation(const std::vector<double>& logProbabilities) {
  Tensor probability({static_cast<int>(logProbabilities.size())});
  for (std::size_t i = 0; i < logProbabilities.size(); ++i)
    probability(static_cast<int>(i)) = static_cast<float>(std::exp(logProbabilities[i]));
  auto set = std::make_shared<TensorSet>();
  set->add({"continuation.probability", "N", "probability of each appended token after all before it",
            "p = softmax(logits)"},
           std::move(probability));
  return set;
}

struct Cancelled {};

bool sameTree(const Decoding& a, const Decoding& b) {
  return a.beamWidth == b.beamWidth && a.depth == b.depth && a.lengthPenalty == b.lengthPenalty &&
         a.siblingPenalty == b.siblingPenalty && a.stopsEarly == b.stopsEarly && a.constraint == b.constraint;
}

}  // namespace

ConstraintCheck constraintOn(const Decoding& decoding, std::shared_ptr<const Tokenizer> tokenizer,
                             std::string_view text) {
  auto check = ConstraintCheck::create(decoding.constraint, std::move(tokenizer), text);
  return check ? *std::move(check) : ConstraintCheck();
}

BeamSettings beamSettings(const Decoding& decoding, int endOfText, int context, ConstraintCheck constraint) {
  return {.width = decoding.beamWidth,
          .depth = decoding.depth,
          .lengthPenalty = decoding.lengthPenalty,
          .siblingPenalty = decoding.siblingPenalty,
          .stopsEarly = decoding.stopsEarly,
          .endOfText = endOfText,
          .context = context,
          .constraint = std::move(constraint)};
}

SamplingSettings samplingSettings(DecodingStrategy strategy, const Decoding& decoding,
                                  ConstraintCheck constraint) {
  return {.greedy = strategy == DecodingStrategy::Greedy,
          .stages = decoding.stages,
          .seed = decoding.seed,
          .constraint = std::move(constraint)};
}

std::shared_ptr<const Decoded> Decoder::decode(const ShownPass& pass, const Workspace& workspace,
                                               const Begin& begin) {
  const std::vector<int>&tokens = pass.trace->tokens(), &source = pass.trace->source();
  const bool sameText = tokens == tokens_ && source == source_ && workspace.interventions == interventions_;
  if (!sameText || workspace.decoding != decoding_) accept();
  if (!sameText) answers_.forget();
  if (!sameText || !sameTree(workspace.decoding, decoding_)) decoded_.beam.reset();
  if (!sameText || workspace.decoding != decoding_) decoded_.continuationMeasurements.reset();
  tokens_ = tokens, source_ = source, interventions_ = workspace.interventions,
  decoding_ = workspace.decoding;
  constraint_ = constraintOn(decoding_, tokenizer_, pass.text);
  if (isDeclined()) return nullptr;
  if (!decoded_.beam && !growBeam(begin)) return nullptr;
  if (!decoded_.continuationMeasurements && !continueText(begin)) return nullptr;
  decoded_.text = pass.text, decoded_.source = pass.source;
  return std::make_shared<const Decoded>(decoded_);
}

bool Decoder::growBeam(const Begin& begin) {
  const BeamSettings settings =
      beamSettings(decoding_, tokenizer_->endOfText(), pass_.model().config().context, constraint_);
  auto tree =
      std::make_shared<BeamTree>(beamSearch(answers_.before(nextTokenLogits(pass_, interventions_, source_)),
                                            tokens_, settings, begin("growing the beam tree")));
  if (tree->cancelled) return false;
  decoded_.beamMeasurements = std::make_shared<TensorSet>(measureBeam(*tree));
  decoded_.beam = std::move(tree);
  return true;
}

bool Decoder::continueText(const Begin& begin) {
  if (decoding_.strategy != DecodingStrategy::Beam) return generateTokens(begin);
  takeBest();
  return true;
}

void Decoder::takeBest() {
  std::vector<double> logProbabilities;
  for (int node = decoded_.beam->best; node > 0;
       node = decoded_.beam->nodes[static_cast<std::size_t>(node)].parent)
    logProbabilities.insert(logProbabilities.begin(),
                            decoded_.beam->nodes[static_cast<std::size_t>(node)].logProbability);
  decoded_.continuation = decoded_.beam->path(decoded_.beam->best);
  decoded_.continuationMeasurements = measureContinuation(logProbabilities);
}

// The model is asked for one token at a time; its answers are kept beside what was made of them.
bool Decoder::generateTokens(const Begin& begin) {
  const Watch watch = begin("continuing the text");
  const NextTokenLogits model = nextTokenLogits(pass_, interventions_, source_);
  std::vector<std::vector<double>> answers;
  const NextTokenLogits noted = [&](std::span<const int> tokens) {
    if (!watch(static_cast<int>(answers.size()), decoding_.depth)) throw Cancelled{};
    std::vector<float> logits = model(tokens);
    answers.push_back(logSoftmax(logits));
    return logits;
  };
  const SamplingSettings settings = samplingSettings(decoding_.strategy, decoding_, constraint_);
  try {
    decoded_.continuation = generate(noted, tokens_, decoding_.depth, settings,
                                     pass_.model().config().context, tokenizer_->endOfText());
  } catch (const Cancelled&) {
    return false;
  }
  std::vector<double> logProbabilities;
  for (std::size_t i = 0; i < decoded_.continuation.size(); ++i)
    logProbabilities.push_back(answers[i][static_cast<std::size_t>(decoded_.continuation[i])]);
  decoded_.continuationMeasurements = measureContinuation(logProbabilities);
  return true;
}

}  // namespace glassformer
