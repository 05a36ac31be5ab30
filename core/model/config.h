#pragma once
#include <vector>

#include "core/result.h"
#include "core/tensor/operations/attention_mask.h"

namespace glassformer {

class PositionalEncoding;
const PositionalEncoding& learnedPositions();

enum class Stack {
  DecoderOnly,     ///< predicts the next token (Radford et al. 2019)
  EncoderOnly,     ///< sees the whole text, fills in what is masked (Devlin et al. 2018)
  EncoderDecoder,  ///< reads a source, writes a text (Vaswani et al. 2017)
};

/// What layer i of a decoder attends to across.
enum class CrossMemory { LastLayer, SameLayer };

enum class NormPlacement {
  Pre,       ///< y = x + f(LN(x))
  Post,      ///< y = LN(x + f(x))
  None,      ///< y = x + f(x)
  Residual,  ///< y = LN(x) + f(LN(x)): the residual is taken from the normalized stream
  Sandwich,  ///< y = x + LN'(f(LN(x))): one before and one behind each sublayer (Ding et al. 2021, Gemma 2)
};
enum class NormKind { Layer, Rms };

/// How the positions of a text exchange information inside a block.
enum class Mixing {
  Attention,    ///< every token looks at those that the mask allows (Vaswani et al. 2017)
  Recurrence,   ///< a state goes from token to token (Elman 1990)
  Convolution,  ///< every token sees a few others, by their distance alone (van den Oord et al. 2016)
};

/// What each tap of a convolution makes of the token that it reads.
enum class Filters {
  Full,        ///< every channel reads all channels, W_j [D, D]
  Depthwise,   ///< every channel reads itself, f_j [D] (Liu et al. 2022, ConvNeXt)
  Bottleneck,  ///< all channels, but of a quarter of them: down, ReLU, taps, ReLU, up (He et al. 2015,
               ///< ResNet)
};

/// What is compared with what: the ladder of the lectures.
enum class Similarity {
  Plain,           ///< x · x
  Shared,          ///< U x · U x
  QueriesAndKeys,  ///< U_q x · U_k x
};

/// What a head for classes reads of the final stream.
enum class Pooling {
  Last,  ///< the token itself, which has seen those before it (Radford et al. 2018)
  Mean,  ///< the mean over all tokens so far, or over the whole text where nothing is masked
};

enum class AttentionKernel { Softmax, HardArgmax, Linear, Distance };

enum class MaskTime {
  BeforeSoftmax,  ///< scores become -inf
  AfterSoftmax,   ///< weights become 0, and what is left is renormalized
};

enum class Readout {
  ValuesAndOutput,  ///< V_h [D, K], then O_h [K, D]
  OneMatrix,        ///< their product (V O)_h [D, D]
  Rows,             ///< none: a mean of what attention reads, Y = A X; of several heads their sum
};

/// Which products of weights in a block have a vector added to them.
enum class Biases {
  All,
  QueriesKeysValues,     ///< Qwen2
  None,                  ///< Llama
  NotQueriesKeysValues,  ///< attention's output and the MLP (Black et al. 2021, GPT-Neo)
  FeedForward,           ///< the MLP alone (Wang and Komatsuzaki 2021, GPT-J)
  Attention,             ///< all of attention, and no MLP
};

enum class Activation { GeluTanh, Gelu, Relu, Silu, SwiGlu, GeGlu, None };

/// How rotary positions turn more slowly, so that texts longer than those of training are read.
enum class RopeScaling {
  None,
  Linear,        ///< all alike: θ / s (Chen et al. 2023)
  ByWavelength,  ///< what turns slowly, by s; what turns fast, not at all (Llama 3.1, Dubey et al. 2024)
  Yarn,          ///< likewise, and queries and keys are made longer besides (Peng et al. 2023)
};
struct RotaryScaling {
  RopeScaling slowing = RopeScaling::None;
  float factor = 8;            ///< s
  float lowFreqFactor = 1;     ///< fewer turns than this in a text of training: stretched
  float highFreqFactor = 4;    ///< more turns than this: unchanged; a ramp between the two
  int originalContext = 8192;  ///< tokens of the texts of training
  float attentionFactor = 0;   ///< YaRN: scale of rotated queries and keys; 0: 0.1 ln s + 1
  bool operator==(const RotaryScaling&) const = default;
};

/// The shape of a transformer, and every choice that lectures make differently. The defaults are GPT-2's.
/// With another mixing than attention it is what transformers are compared with, all else being alike.
struct ModelConfig {
  int layers = 4;         ///< L, of the decoder where there are two stacks
  int heads = 4;          ///< H
  int width = 128;        ///< D, divisible by H unless heads have a width of their own
  int feedForward = 512;  ///< F
  int vocabulary = 1024;  ///< V
  int context = 128;      ///< C, the most positions one pass can take; of the source as well
  const PositionalEncoding* positions = &learnedPositions();  ///< one of positionalEncodings()
  Activation activation = Activation::GeluTanh;
  bool tiedUnembedding = true;  ///< logits = x · W_Eᵀ instead of x · W_U
  float normEpsilon = 1e-5f;

  Stack stack = Stack::DecoderOnly;
  int encoderLayers = 0;  ///< of an encoder beside a decoder; 0: as many as that has
  CrossMemory crossMemory = CrossMemory::LastLayer;
  Mixing mixing = Mixing::Attention;
  bool parallel = false;  ///< both sublayers read the same stream: y = x + attn(LN(x)) + mlp(LN(x))
  int kernelWidth = 3;    ///< J, taps of a convolution: the token itself and J − 1 others
  Filters filters = Filters::Full;
  bool residual = true;      ///< sublayers add to the stream; false: what they compute takes its place
  bool oneResidual = false;  ///< the MLP reads what the convolution hands on, and alone adds to the stream:
                             ///< y = x + mlp(LN(conv(x))) (Liu et al. 2022)
  NormPlacement normPlacement = NormPlacement::Pre;
  NormKind norm = NormKind::Layer;
  bool finalNorm = true;        ///< normalizes once more after the last block
  float positionParameter = 0;  ///< the encoding's own number; 0: its usual value
  int distanceBuckets = 32;     ///< of bucketed positions (Raffel et al. 2020)
  int rotaryDim = 0;            ///< of each head, the columns that rotary positions turn; 0: all
  RotaryScaling rotaryScaling;
  Similarity similarity = Similarity::QueriesAndKeys;
  bool scaledScores = true;  ///< divides scores by √K
  int scoreWidth = 0;        ///< by √ of this instead of √K (Gemma 2's query_pre_attn_scalar); 0: by √K
  bool scoresByLayer = false;  ///< and by the number of their block, from 1 (Karamcheti et al. 2021)
  int ofBlock = 0;             ///< which block's config this is, where that makes a difference: see ofLayer()
  float scoreCap = 0;  ///< c: scores s become c tanh(s / c) (Gemma Team 2024); 0: they stay as they are
  AttentionKernel kernel = AttentionKernel::Softmax;
  /// Of attention by distance: what is beside the text has its share, too, and is 0: so it is a convolution.
  bool zeroPadded = false;
  AttentionMask mask;  ///< of self-attention; the encoder of an encoder-decoder has none
  /// Which blocks have no window where `mask` is one; repeated over all blocks (Gemma 2: {no, yes}). Empty:
  /// all have it.
  std::vector<bool> fullBlocks;
  float localBase = 0;  ///< base of rotary positions, not slowed, in blocks with a window (Gemma 3); 0: as
                        ///< in the others
  MaskTime maskTime = MaskTime::BeforeSoftmax;
  Readout readout = Readout::ValuesAndOutput;
  int headSize = 0;            ///< K, where heads are not D / H wide; 0: they are
  int keyValueHeads = 0;       ///< heads of keys and values, divides H; 0: as many as H
  bool normedQueries = false;  ///< queries and keys go through an RMS norm, head by head (Henry et al. 2020)
  Biases biases = Biases::All;
  bool scaledEmbedding = false;  ///< multiplies embeddings by √D (Vaswani et al. 2017, section 3.4)
  int tokenTypes = 0;            ///< texts side by side that are told apart, each by a learned vector (Devlin
                                 ///< et al. 2018); 0: none are
  int separator = -1;            ///< the token that such a text ends with; -1: all tokens are of the first
  bool normedEmbedding = false;  ///< what embeddings add up to is normalized (Devlin et al. 2018)
  bool headTransform = false;    ///< one more layer before the unembedding: LN(gelu(x · W + b)) (ibid.)
  bool unembeddingBias = false;  ///< logits = x · W_U + b
  bool scaledUnembedding = false;  ///< what it reads is divided by √D (Raffel et al. 2020)
  int decoderStartToken = -1;      ///< that a text beside a source begins with; -1: the tokenizer says which
  int forcedBosToken = -1;         ///< that stands behind it in every text (Lewis et al. 2020); -1: none does
  int forcedEosToken = -1;  ///< that such a text ends with where the context ends; -1: it just ends there
  int bannedToken = -1;     ///< that no such text goes on with; -1: there is none
  int classes = 0;  ///< that a linear head of its own tells apart, beside the unembedding; 0: there is none
  int firstClass = 0;  ///< the token that names the first class; those behind it name the others
  Pooling pooling = Pooling::Last;
  float logitCap = 0;  ///< c: logits u become c tanh(u / c) (Gemma Team 2024); 0: they stay
  float dropout = 0;   ///< in training, on what goes into the residual stream

  /// Blocks of the encoder beside a decoder, or of the one stack.
  int encoderBlocks() const { return isEncoderDecoder() && encoderLayers > 0 ? encoderLayers : layers; }
  int headWidth() const { return headSize > 0 ? headSize : width / heads; }  ///< K
  int valueHeads() const { return keyValueHeads > 0 ? keyValueHeads : heads; }
  /// Of those who read out: without matrices all heads hand on the same rows.
  int readHeads() const { return readout == Readout::Rows ? 1 : valueHeads(); }
  /// What a head reads out is as wide as the stream, and heads are added up as they are.
  bool headsOutputFullWidth() const { return readout != Readout::ValuesAndOutput; }
  bool hasClassHead() const { return classes > 0; }  ///< beside predicting tokens
  bool hasAttention() const { return mixing == Mixing::Attention; }
  bool isEncoderDecoder() const { return stack == Stack::EncoderDecoder; }  ///< a source beside the text
  bool hasFeedForward() const { return activation != Activation::None; }
  bool biasesQueries() const {  ///< and keys and values
    return biases == Biases::All || biases == Biases::QueriesKeysValues || biases == Biases::Attention;
  }
  bool biasesOutput() const {  ///< of attention, and what stands in its place
    return biases == Biases::All || biases == Biases::NotQueriesKeysValues || biases == Biases::Attention;
  }
  bool biasesFeedForward() const {
    return biases == Biases::All || biases == Biases::NotQueriesKeysValues || biases == Biases::FeedForward;
  }
  /// A second projection passes through a gate (Shazeer 2020).
  bool hasGatedMlp() const { return activation == Activation::SwiGlu || activation == Activation::GeGlu; }
  bool hasConvolution() const { return mixing == Mixing::Convolution; }
  /// No row of the text depends on a later one.
  bool causal() const {
    return !mask.looksAhead() && (!hasAttention() || maskTime == MaskTime::BeforeSoftmax);
  }
  /// Of a convolution's J taps, those on later tokens: none in a text that is read from left to right, half
  /// where nothing is masked.
  int tapsAhead() const { return mask.kind == MaskKind::None ? (kernelWidth - 1) / 2 : 0; }
  /// Channels between a bottleneck's two ends: D / 4 (He et al. 2015, figure 5).
  int bottleneckWidth() const { return width < 8 ? 1 : width / 4; }
  /// All that a block adds to the stream, it adds in one place.
  bool hasSingleResidualAdd() const { return parallel || oneResidual || !hasFeedForward(); }
  bool hasNorms() const { return normPlacement != NormPlacement::None; }
  bool normsEmbedding() const { return normedEmbedding && hasNorms(); }
  /// What sublayers make is normalized before it is added.
  bool hasSandwichNorm() const { return normPlacement == NormPlacement::Sandwich; }
  /// Each sublayer reads a normalized copy of the stream, which itself stays as it is.
  bool normalizesInputs() const { return normPlacement == NormPlacement::Pre || hasSandwichNorm(); }
  bool scalesScores() const { return scaledScores || scoresByLayer; }
  /// What products of queries and keys are multiplied with: 1 / √K; see ofLayer().
  float scoreScale() const;
  /// What rows of the embedding are multiplied with: √D, or 1 (Vaswani et al. 2017, 3.4).
  float embeddingScale() const;
  /// What the unembedding's input is multiplied with: 1 / √D, or 1.
  float unembeddingScale() const;
  /// The mask of block `layer`.
  AttentionMask maskOf(int layer) const;
  /// The config as block `layer` has it: its mask, the base by which its queries and keys are turned, and
  /// what its scores are divided by.
  ModelConfig ofLayer(int layer) const;
  /// The same of an encoder beside a decoder, which has neither mask nor window.
  ModelConfig ofEncoderLayer(int layer) const;
  bool operator==(const ModelConfig&) const = default;
};

/// Refuses what no transformer can be, naming the field: heads that do not divide the width, zero layers, ...
Status validate(const ModelConfig& config);

}  // namespace glassformer
