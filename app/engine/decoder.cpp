#include "app/engine/decoder.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/document/workspace.h"
#include "app/engine/decoded_numbers.h"
#include "app/engine/followed_way.h"
#include "app/engine/open_model.h"
#include "app/engine/text_passes.h"
#include "core/decode/beam_numbers.h"
#include "core/decode/candidates.h"
#include "core/text/text_pipeline.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

struct Cancelled {};

bool sameTree(const Decoding& a, const Decoding& b) {
  return a.beamWidth == b.beamWidth && a.depth == b.depth && a.lengthPenalty == b.lengthPenalty &&
         a.siblingPenalty == b.siblingPenalty && a.groups == b.groups &&
         (a.groups == 1 || a.groupPenalty == b.groupPenalty) && a.stopsEarly == b.stopsEarly &&
         a.constraint == b.constraint;
}

}  // namespace

ConstraintCheck constraintOn(const Decoding& decoding, std::shared_ptr<const Tokenizer> tokenizer,
                             std::string_view text, const ModelConfig& config, int read) {
  auto check = ConstraintCheck::create(decoding.constraint, std::move(tokenizer), text);
  ConstraintCheck made = check ? *std::move(check) : ConstraintCheck();
  made.holdTo(config, read);
  return made;
}

BeamSettings beamSettings(const Decoding& decoding, const TextEnds& ends, int context,
                          ConstraintCheck constraint) {
  return {.width = decoding.beamWidth,
          .depth = decoding.depth,
          .lengthPenalty = decoding.lengthPenalty,
          .siblingPenalty = decoding.siblingPenalty,
          .groups = decoding.groups,
          .groupPenalty = decoding.groupPenalty,
          .stopsEarly = decoding.stopsEarly,
          .endOfText = ends,
          .context = context,
          .constraint = std::move(constraint)};
}

SamplingSettings samplingSettings(DecodingStrategy strategy, const Decoding& decoding,
                                  ConstraintCheck constraint, int drawn) {
  return {.greedy = strategy == DecodingStrategy::Greedy,
          .stages = decoding.stages,
          .seed = decoding.seed,
          .drawn = drawn,
          .constraint = std::move(constraint)};
}

int decodedBefore(const DecodeHistory& way, const TabText& writing, const Tokenizer& tokenizer) {
  if (!way.leadsThrough(writing.text, writing.source)) return 0;
  return static_cast<int>(std::ranges::count_if(tokenizer.encode(writing.text), [&](const Token& token) {
    return static_cast<std::size_t>(token.begin) >= way.from.text.size();
  }));
}

std::shared_ptr<const Decoded> Decoder::decode(const ShownPass& pass, const Workspace& workspace,
                                               const StartJob& begin) {
  forgetWhatChanged(pass, workspace);
  if (isDeclined()) return nullptr;
  if (!decoded_.beam && !growBeam(begin)) return nullptr;
  if (!decoded_.continuationMeasurements && !continueText(begin)) return nullptr;
  followWay(workspace.way, {pass.text, pass.source});
  sumUp(pass.text);
  decoded_.text = pass.text, decoded_.source = pass.source, decoded_.decoding = decoding_;
  return std::make_shared<const Decoded>(decoded_);
}

void Decoder::forgetWhatChanged(const ShownPass& pass, const Workspace& workspace) {
  const std::string root(workspace.way.searchedFrom(pass.text, pass.source));
  const std::vector<int>&tokens = pass.trace->tokens(), &source = pass.trace->source();
  const std::vector<int> rootTokens = root == pass.text ? tokens : tokensOf(root);
  const int drawn = decodedBefore(workspace.way, {pass.text, pass.source}, *tokenizer_);
  const bool sameModel = source == source_ && workspace.interventions == interventions_,
             sameText = sameModel && tokens == tokens_, sameRoot = sameModel && rootTokens == root_,
             sameDecoding = workspace.decoding == decoding_;
  if (!sameText || !sameRoot || !sameDecoding) accept();
  if (!sameRoot) answers_.forget();
  if (!sameRoot || !sameTree(workspace.decoding, decoding_)) decoded_.beam.reset();
  const bool sameDraws = drawn == drawn_ || workspace.decoding.strategy != DecodingStrategy::Sampling;
  if (!sameText || !sameDecoding || !sameDraws ||
      (!decoded_.beam && workspace.decoding.strategy == DecodingStrategy::Beam))
    decoded_.continuationMeasurements.reset();
  if (!sameModel) decoded_.way.reset();
  tokens_ = tokens, source_ = source, root_ = rootTokens, interventions_ = workspace.interventions,
  decoding_ = workspace.decoding, drawn_ = drawn, decoded_.root = root;
  const auto constraintBehind = [&](std::string_view text, const std::vector<int>& read) {
    return constraintOn(decoding_, tokenizer_, text, pass_.model().config(), static_cast<int>(read.size()));
  };
  constraint_ = constraintBehind(pass.text, tokens_), rootConstraint_ = constraintBehind(root, root_);
}

// As the model reads a text: behind the start sign, where it has one, and no more of it than fits.
std::vector<int> Decoder::tokensOf(std::string_view text) const {
  std::vector<int> tokens = tokenizer_->encodeIds(text);
  const ModelConfig& config = pass_.model().config();
  const std::vector<int> signs = leadingSpecialTokens(*tokenizer_, config);
  tokens.insert(tokens.begin(), signs.begin(), signs.end());
  tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(config.context)));
  return tokens;
}

bool Decoder::growBeam(const StartJob& begin) {
  auto tree = std::make_shared<BeamTree>(search(root_, rootConstraint_, begin("growing the beam tree")));
  if (tree->cancelled) return false;
  auto measurements = std::make_shared<TensorSet>();
  measureBeam(*tree, *measurements, acrossTexts([tree, root = root_](int node) {
    std::vector<int> text;
    if (node == 0) return text;  // nobody has chosen the prompt
    text = root;
    std::ranges::copy(tree->path(node), std::back_inserter(text));
    return text;
  }));
  decoded_.beamMeasurements = std::move(measurements);
  decoded_.beam = std::move(tree);
  return true;
}

// What decoding asked for is not kept: the pass that said how probable a token is runs over all before it
// again. It holds its model: another one may be shown already while this decoding still is.
TensorSet::AcrossOf Decoder::acrossTexts(std::function<std::vector<int>(int)> upTo) const {
  return [passes = TextPasses(pass_.sharedModel(), interventions_, source_), upTo = std::move(upTo)](
             const std::array<int, maxRank>& at) { return passes.probability(upTo(at[0])); };
}

// Of tokens that come behind others, each with all up to it.
TensorSet::AcrossOf Decoder::acrossTokens(std::vector<int> before, std::vector<int> tokens) const {
  return acrossTexts([before = std::move(before), tokens = std::move(tokens)](int i) {
    std::vector<int> text = before;
    text.insert(text.end(), tokens.begin(), tokens.begin() + i + 1);
    return text;
  });
}

BeamTree Decoder::search(std::span<const int> prompt, const ConstraintCheck& constraint,
                         const ProgressCallback& watch) {
  return beamSearch(
      answers_.before(nextTokenLogits(pass_, interventions_, source_)), prompt,
      beamSettings(decoding_, textEnds(*tokenizer_), pass_.model().config().context, constraint), watch);
}

bool Decoder::continueText(const StartJob& begin) {
  const bool isDone = decoding_.strategy == DecodingStrategy::Beam ? takeBest(begin) : generateTokens(begin);
  if (isDone) noteDeadEnd();
  return isDone;
}

// While a hypothesis is looked at, the beam that goes on with it is another one than the tree.
bool Decoder::takeBest(const StartJob& begin) {
  const bool isRoot = tokens_ == root_;
  const BeamTree own = isRoot ? BeamTree() : search(tokens_, constraint_, begin("continuing the text"));
  if (own.cancelled) return false;
  const BeamTree& tree = isRoot ? *decoded_.beam : own;
  std::vector<double> logProbabilities;
  for (int node = tree.best; node > 0; node = tree.nodes[static_cast<std::size_t>(node)].parent)
    logProbabilities.insert(logProbabilities.begin(),
                            tree.nodes[static_cast<std::size_t>(node)].logProbability);
  decoded_.continuation = tree.path(tree.best);
  noteContinuation(std::move(logProbabilities), std::vector<float>(decoded_.continuation.size(), NAN));
  return true;
}

void Decoder::noteContinuation(std::vector<double> logProbabilities, std::vector<float> drawn) {
  const TextPasses passes(pass_.sharedModel(), interventions_, source_);
  const SamplingSettings settings = samplingSettings(decoding_.strategy, decoding_, constraint_, drawn_);
  std::vector<int> text = tokens_;
  text.insert(text.end(), decoded_.continuation.begin(), decoded_.continuation.end());
  const bool isDrawn = decoding_.strategy == DecodingStrategy::Sampling;
  const auto byDraw = [isDrawn, passes, settings, text = std::move(text),
                       before = tokens_.size()](const Index& at) -> OpenPasses {
    if (!isDrawn) return nullptr;
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(before) + at[0] + 1;
    return passes.drawnProbability({text.begin(), end}, static_cast<int>(before), settings);
  };
  decoded_.continuationMeasurements =
      measureDecoded("continuation", {std::move(logProbabilities), std::move(drawn), {}},
                     acrossTokens(tokens_, decoded_.continuation), byDraw);
}

// While one has gone back, what was decoded behind the text stands in the strip in place of a continuation.
void Decoder::sumUp(const std::string& text) {
  const DecodedPath* const way = decoded_.way.get();
  const bool isAtEnd = !way || way->tokens.empty() || way->tokens.back().end <= text.size();
  const auto ofWay = way ? way->measurements : nullptr;
  const auto ahead = isAtEnd ? decoded_.continuationMeasurements : nullptr;
  if (decoded_.total && ofWay == summedWay_ && ahead == summedContinuation_) return;
  summedWay_ = ofWay, summedContinuation_ = ahead;
  decoded_.total = measureTotal(ofWay, ahead);
}

// Of a continuation that ends before anything else ends it.
void Decoder::noteDeadEnd() {
  decoded_.deadEnd.reset();
  const std::vector<int>& added = decoded_.continuation;
  const ModelConfig& config = pass_.model().config();
  const bool isFull = static_cast<int>(added.size()) >= decoding_.depth ||
                      static_cast<int>(tokens_.size() + added.size()) >= config.context;
  if (isFull || (!added.empty() && endsText(*tokenizer_, added.back()))) return;
  decoded_.deadEnd = constraint_.deadEnd(added, config.vocabulary);
}

void Decoder::followWay(const DecodeHistory& way, const TabText& writing) {
  if (!way.leadsThrough(writing.text, writing.source)) return decoded_.way.reset();
  const DecodedPath* const known = decoded_.way.get();
  if (known && known->from == way.from && known->to == way.to && known->stretches == way.stretches) return;
  decoded_.way = followedWay({pass_, tokenizer_, interventions_, source_}, way, tokensOf(way.to), known);
}

// The model is asked for one token at a time; its answers are kept beside what was made of them.
bool Decoder::generateTokens(const StartJob& begin) {
  const ProgressCallback watch = begin("continuing the text");
  const NextTokenLogits model = nextTokenLogits(pass_, interventions_, source_);
  std::vector<std::vector<float>> answers;
  const NextTokenLogits noted = [&](std::span<const int> tokens) {
    if (!watch(static_cast<int>(answers.size()), decoding_.depth)) throw Cancelled{};
    std::vector<float> logits = model(tokens);
    answers.push_back(logits);
    return logits;
  };
  const SamplingSettings settings = samplingSettings(decoding_.strategy, decoding_, constraint_, drawn_);
  try {
    decoded_.continuation = generate(noted, tokens_, decoding_.depth, settings,
                                     pass_.model().config().context, textEnds(*tokenizer_));
  } catch (const Cancelled&) {
    return false;
  }
  noteDrawn(answers, settings);
  return true;
}

// By the model, and by what each token was drawn from.
void Decoder::noteDrawn(const std::vector<std::vector<float>>& answers, const SamplingSettings& settings) {
  std::vector<double> logProbabilities;
  std::vector<float> drawn;
  std::vector<int> text = tokens_;
  for (std::size_t i = 0; i < decoded_.continuation.size(); ++i) {
    const int token = decoded_.continuation[i];
    const auto added = std::span(text).subspan(tokens_.size());
    logProbabilities.push_back(logSoftmax(answers[i])[static_cast<std::size_t>(token)]);
    drawn.push_back(settings.greedy ? NAN
                                    : static_cast<float>(probabilityOf(
                                          drawnFrom(answers[i], text, added, settings), token)));
    text.push_back(token);
  }
  noteContinuation(std::move(logProbabilities), std::move(drawn));
}

}  // namespace glassformer
