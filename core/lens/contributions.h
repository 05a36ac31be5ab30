#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/lens/head_id.h"
#include "core/lens/token_losses.h"
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"
#include "core/watch.h"

namespace glassformer {

/// One of the vectors whose sum is a token's final residual stream (Elhage et al. 2021): x = embedding +
/// position + token type (or, where their sum is normalized, that as one part) + for each block its heads' z
/// · W_O, the bias b_O of the attention's output (or all that recurrence or convolution adds, as one part;
/// with one residual around a block the convolution adds nothing itself), and the MLP's output. What an
/// intervention changes in the attention's output counts with the bias, but heads of attention that is
/// switched off add nothing. NormBias is what the final norm's β adds to a logit, UnembeddingBias the token's
/// own b_U; they are no parts of x.
struct ContributionPart {
  enum class Kind {
    Embedding,
    Position,
    TokenType,
    Head,
    OutputBias,
    Recurrence,
    Convolution,
    Mlp,
    NormBias,
    UnembeddingBias
  };
  Kind kind = Kind::Embedding;
  HeadId head;  ///< its layer and site alone, where no head is meant; all of an encoder beside a decoder has
                ///< its site
  bool operator==(const ContributionPart&) const = default;
};

/// The parts of x, in the order in which the forward pass adds them: of the text's stream, or of the
/// encoder's beside it. Letter M counts those of the text; a logit has one more, the norm's bias, and where
/// there is one the unembedding's.
std::vector<ContributionPart> contributionParts(const Transformer& model, Stream stream = Stream::Text);
/// One of them, or the norm's bias behind the last, and then the unembedding's.
ContributionPart contributionPart(const Transformer& model, int part);
/// "embedding", "position", "type", "L0H1", "L0 b_O", "L0 RNN", "L0 conv", "L0 MLP", "enc.L0 MLP", "norm β",
/// "b_U".
std::string nameOf(const ContributionPart& part);
/// The trace point that holds what a part adds; empty for heads and biases, which come off weights.
std::string pointOf(const ModelConfig& config, const ContributionPart& part);

/// The vectors of the first `count` parts, one row each, of every token of a list: for each [count, D].
std::vector<Tensor> partsOfTokens(const Transformer& model, const Trace& trace,
                                  const std::vector<int>& tokens, int count, Stream stream = Stream::Text);

/// Calls visit(part, rows) with the vectors [T, D] of each of the first `count` parts of a stream. False
/// where the watch stopped it.
bool visitParts(const Transformer& model, const Trace& trace, Stream stream, int count,
                const ProgressCallback& watch,
                const std::function<void(int part, const TensorView& rows)>& visit);

/// Adds lens.contribution [T, M], the share x_m · x / ‖x‖² of each part in the final state x of each token,
/// which sums to 1 over the parts; and lens.contribution_norm [T, M], ‖x_m‖. What interventions change in the
/// residual stream itself is no part's: the sum then misses it. Adds nothing where the stream is no sum of
/// parts (see isSumOfParts).
void measureContributions(const Transformer& model, const Trace& trace, TensorSet& measurements,
                          const ProgressCallback& watch = noProgress);

/// A logit as it is, or centred: less the mean of all logits at its position. What is added to every logit
/// alike changes no probability, and centred it is 0.
enum class LogitBase { Raw, Centred };
/// "lens.logit_attribution.57": what the parts add to the logit of vocabulary entry 57; centred
/// "lens.centred_attribution.57".
std::string logitAttributionOf(int entry, LogitBase base = LogitBase::Raw);
/// "lens.centred_logit.57": how far that logit is above the mean, which centred parts sum to; added with
/// them.
std::string centredLogitOf(int entry);
/// Adds it [T, M + 1], or with an unembedding's bias [T, M + 2]: with the final norm's σ of each token held
/// fixed, the logit is linear in x, so that the parts' numbers and the biases sum to logits[t, entry],
/// centred to that less the mean of logits[t]: direct logit attribution. Adds nothing where it is not (see
/// isLogitSumOfParts).
void measureLogitAttribution(const Transformer& model, const Trace& trace, int entry, TensorSet& measurements,
                             const ProgressCallback& watch = noProgress, LogitBase base = LogitBase::Raw);

/// What x [D] is multiplied with so that γ ⊙ (x − mean(x)) · u comes of it: γ ⊙ u, of a layer norm less its
/// mean.
std::vector<float> beforeNorm(std::vector<float> u, const TensorView& gamma, NormKind norm);

/// What made coefficient · x_m · u at token t, u [D], of what the part m is made of itself: of a head its z,
/// of b_O the weights, else what the pass has of it; nothing where that gives no such sum.
using AlongParts =
    std::function<std::optional<Derivation>(int part, int t, const float* u, double coefficient)>;
AlongParts alongParts(const Transformer& model, const Trace& trace, Stream stream = Stream::Text);

/// Adds it [T − 1, M], what each part adds to the logit of the token that comes next, as above, at every
/// token but the last. Adds nothing where there is no such sum, or of a single token.
void measureAttributionToNext(const Transformer& model, const Trace& trace, TensorSet& set);
inline constexpr const char* attributionToNext = "lens.attribution_to_next";
/// [M]: the mean of that over its counted tokens; empty where there is none.
std::vector<float> contributionsToNext(const Transformer& model, const Trace& trace,
                                       const CountedTokens& counted = {});

/// The model's own answer at a position: the entry with the largest logit, of equals the lower one.
int likeliestEntry(const Trace& trace, int t);

}  // namespace glassformer
