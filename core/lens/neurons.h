#pragma once
#include <string>
#include <vector>

#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// One neuron of the MLP of a block, counted from 0: of the text's stack, or of an encoder-decoder's encoder.
struct NeuronId {
  int layer = 0, neuron = 0;
  Stream stream = Stream::Text;
  bool operator==(const NeuronId&) const = default;
};

/// "L2N37"; of an encoder-decoder "dec.L2N37", "enc.L2N37".
std::string nameOf(const ModelConfig& config, const NeuronId& id);
/// Where the activations a [T, F] of a block's neurons are: "blocks.2.mlp.hook_post".
std::string neuronPoint(const ModelConfig& config, int layer, Stream stream);
/// Where the norm's σ [T, 1] is that its MLP reads through: "blocks.2.ln2.hook_scale". Empty: it reads the
/// stream as it is.
std::string neuronScalePoint(const ModelConfig& config, int layer, Stream stream);
/// Where the σ is of the last norm, which divides what neurons write; empty: none does.
std::string writingScalePoint(const ModelConfig& config);
/// Why tokens' embeddings do not reach a neuron's input; empty where they do.
std::string whyNoReading(const ModelConfig& config);
/// Why a neuron's output has no tokens that it speaks for; empty where it has.
std::string whyNoWriting(const ModelConfig& config, Stream stream);

namespace neurons {
inline constexpr const char *order =
                                "lens.neuron_order",  ///< [F]: the neurons, the strongest on the text first
    *peak = "lens.neuron_peak",                       ///< [F]: a_f where it is largest in magnitude
        *peakToken = "lens.neuron_peak_token",        ///< [F]: at which token that is
            *reads = "lens.neuron_reads",             ///< [V]: what each token's embedding adds to the input
                *readsLinear = "lens.neuron_reads_linear",  ///< [V]: of a gated one, to what passes the gate
                    *writes = "lens.neuron_writes";         ///< [V]: what each token's logit gets
}  // namespace neurons

/// The neurons of activations a [T, F], by max_t |a_f|, the largest first; what is no number is passed over.
std::vector<int> strongestFirst(TensorView activations);

/// Adds order, peak and peakToken of a block's neurons on the text of a trace. The config must have an MLP.
void measureNeurons(const ModelConfig& config, const Trace& trace, int layer, Stream stream, TensorSet& set);

/// Adds what one neuron's weights say by themselves (Geva et al. 2021, Dar et al. 2023):
///   reads[v] = E_v · r, r = γ ⊙ W_in[:, f] less its mean (with a layer norm, which takes the mean out of
///   what
///     it reads; with an RMS norm nothing is taken out, without a norm r = W_in[:, f]): what the embedding of
///     v in the stream adds to the neuron's input, once divided by the norm's σ there;
///   writes[v] = U_v · w, w = γ′ ⊙ W_out[f, :] less its mean, γ′ of the last norm: what an activation of 1
///   adds
///     to the logit of v straight through, once divided by that norm's σ. Norms on the way (of a post-norm
///     model) and later blocks are left out. Neither is measured where whyNoReading() or
///     whyNoWriting() says so.
void measureNeuronWeights(const Transformer& model, const NeuronId& id, TensorSet& set);

}  // namespace glassformer
