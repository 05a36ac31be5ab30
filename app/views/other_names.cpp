#include "app/views/other_names.h"

#include <algorithm>
#include <string>

namespace glassformer {

namespace {

constexpr OtherNames allOtherNames[] = {
    {"attention", "", "attend, self-attention, head, attention weights"},
    {"attention/matrix", "",
     "heatmap, attention map, attention pattern, weights, weighted average of rows, all heads, several heads "
     "as small multiples"},
    {"attention/word", "",
     "one token, query key value step by step, row by row, q k v, scaled dot product, worked example, slide"},
    {"attention/sentence", "Sentence", "highlight, highlighted text"},
    {"attention/arcs", "", "lines, opacity, BertViz, antecedent of it"},
    {"attention/two heads", "", "compare heads, two heads side by side"},
    {"attention/why", "Why there",
     "QK circuit, OV circuit, QK score, OV output, score taken apart, DLA by source, direct logit "
     "attribution "
     "of one head, path decomposition"},
    {"attention/softmax", "", "two-dimensional softmax surface, temperature"},
    {"attention/hypothesis", "Many texts",
     "induction-head, previous token head, duplicate token head, detection pattern, attention rule, test a "
     "hypothesis, hypothesis bench, painted mask, counterexamples, loss recovered"},
    {"attention/biography", "Biography",
     "head report, emergence, how a head came about, when it formed, over training, kept steps"},
    {"attention/circuits", "Circuits",
     "circuit, composition, Q-composition, K-composition, V-composition, low-rank QK and OV matrices, VO, "
     "SVD, token-copying"},
    {"positions", "", "positional encoding, position embedding, PE, RoPE, ALiBi, sinusoid"},
    {"positions/encoding", "", "positional encoding, sinusoids, sinusoidal, heat map, learned positions"},
    {"positions/curves", "", "waves, sine and cosine over position"},
    {"positions/phasors", "", "clock hands, complex exponentials, rotating"},
    {"positions/shift", "Shift", "rotation, rotation matrix, relative position"},
    {"positions/convolution", "Sums", "sum of shifts, convolution over positions"},
    {"positions/similarity", "", "cosine, dot product, how alike positions are"},
    {"positions/differences", "Difference", "derivative, change of the encoding"},
    {"positions/scores", "Scores", "scores of positions alone, content and position"},
    {"positions/shuffle", "", "permutation, unordered set, set, equivariance"},
    {"positions/bench", "Bench",
     "encoding at every length, extrapolation beyond the trained length, length generalization, longer"},
    {"positions/filter", "Filter", "Toeplitz matrix, convolution kernel, convolution with the same taps"},
    {"residual", "Residual", "skip connection, hidden states"},
    {"residual/norms", "", "skip against update, update size, length of vectors"},
    {"residual/cosine", "", "direction, angle between layers"},
    {"residual/contributions", "", "direct logit attribution, DLA, logit attribution"},
    {"residual/scales", "Norm scale", "sigma, layer norm, RMSNorm, hook_scale"},
    {"residual/gradient", "Gradient",
     "vanishing gradient, exploding gradient, backpropagation, through the skip connection"},
    {"residual/geometry", "Geometry",
     "principal component analysis, projection, embedding space, embeddings, scatter plot, 3D, path, "
     "trajectory"},
    {"residual/neurons", "Neurons", "feed-forward network, FFN, key-value memories, activation"},
    {"next_token", "", "next word, prediction, output, unembedding"},
    {"next_token/distribution", "", "probabilities, autoregression, softmax of the logits, LM head"},
    {"next_token/text", "Text", "perplexity, entropy, loss of each token, surprise"},
    {"next_token/shifted", "Shifted", "targets, training loss, cross-entropy, labels"},
    {"next_token/sampling", "Stages", "temperature, top-k, top-p, nucleus, min-p, the draw"},
    {"next_token/strategies", "", "decoding, generation, greedy"},
    {"next_token/draft", "Draft", "speculative decoding, assisted generation, draft model"},
    {"next_token/lens", "Lens", "early exit, tuned lens, were the model to stop there, layers"},
    {"next_token/classes", "Classes",
     "classifier, class head, classification, fine-tuning, sentiment, labels, a head of its own says"},
    {"beam", "Beam tree", "hypotheses, tree, decoding"},
    {"beam/search", "Search", "hypotheses, pruned, beam width, length penalty, cumulative log-probability"},
    {"beam/branches", "", "saved texts, continuations, history"},
    {"tokens", "", "tokenizer, tokenization, vocabulary, ids, subwords"},
    {"tokens/merges", "", "BPE, byte pair encoding, subwords"},
    {"tokens/cuts", "Cuts",
     "train BPE, BPE merges, WordPiece, Unigram, subwords, characters, words and UNK, vocabulary size"},
    {"tokens/unembedding", "Unembedding", "weight tying, tied embeddings, W_E, W_U, logit of a token"},
    {"tokens/both ends", "Both ends", "tied weights, gradient of the embedding"},
    {"step", "Steps", "equations, layers, compute, operations"},
    {"step/equation", "", "matrix product, formula"},
    {"step/walk", "",
     "walkthrough, nine steps of a layer, builds, worked example, query, compare, weigh, average, add, norm, "
     "transform"},
    {"step/lookup", "Lookup",
     "dictionary, hash table, key value, associative array, key-value table, keys and values as a table"},
    {"step/state", "State", "linear attention, RNN, running state"},
    {"step/result", "", "output of the operation"},
    {"step/slips", "As printed",
     "slip, misprint, errata, conform, does not conform, wrong formula, ε inside the root, without 1/√d"},
    {"step/parallels", "Parallels", "convolutional network, ResNet block, ConvNeXt"},
    {"step/whole", "",
     "architecture, overview, all blocks with data, forward pass on one page, words in and next token out"},
    {"influence", "Influence", "explain, importance, saliency, causal, interpretability"},
    {"influence/sentence", "Sentence", "gradient, sensitivity, importance of tokens, grad times input"},
    {"influence/matrix", "Matrix",
     "Jacobian, mask leaks, leak detector, sees what is masked, around the mask, receptive field"},
    {"influence/distance", "Distance", "receptive field, path length"},
    {"influence/leave out", "Leave out",
     "ablate, knock out, remove head, turn off, switch off, zero ablation, mean ablation"},
    {"influence/many texts", "Many texts",
     "average, dataset, causal map, ablation, activation patching, counterfactual pairs, how "
     "often"},
    {"influence/edges", "Edges",
     "path patching, edge attribution patching, EAP, ACDC, circuit discovery, circuit graph"},
    {"influence/patch", "Patch",
     "activation patching, causal tracing, interchange intervention, freeze at another text's value"},
    {"influence/gradients", "Gradients", "straight-through, why softmax and not argmax"},
    {"influence/integrated", "Integrated", "integrated gradients, IG, baseline, completeness"},
    {"influence/smallest change", "Flip",
     "counterfactual, smallest change, minimal edit, HotFlip, adversarial, what flips the answer"},
    {"training", "",
     "learn, fit, epochs, dark art, optimizer, Adam, learning rate schedule, warm-up, dropout, clipping"},
    {"training/curves", "Curves", "loss, accuracy, learning rate over the steps"},
    {"training/schedule", "Schedule",
     "learning rate schedule of 2017, warm-up, cosine, noam, inverse square root"},
    {"training/parts", "Parts", "update ratio, gradient clipping"},
    {"training/optimizer", "", "Adam, moments, momentum"},
    {"training/data", "Data", "data size, generalization, generalisation, scaling law"},
    {"training/answers", "Answers", "test, accuracy, questions"},
    {"landscape", "Landscape", "minimum, sharpness, valley"},
    {"landscape/surface", "", "loss surface, 3D, loss landscape"},
    {"landscape/map", "Map", "level lines, contour plot"},
    {"cost", "Cost", "FLOPs, complexity, speed, O(T²)"},
    {"cost/mixing", "Mixing", "quadratic, linear, O(N²D), against T, attention against RNN"},
    {"cost/block", "Block", "block with projections"},
    {"cost/sizes", "Sizes",
     "FLOPs at any size, MND, N²D, across M × N, cross attention, parallel training against serial sampling"},
    {"cost/cache", "Cache", "key-value cache, memory, key-value table growing, sampling one by one"},
    {"cost/one by one", "One by one", "incremental decoding, one token at a time, all at once"},
    {"cost/unrolled", "Unrolled",
     "RNN, sequential operations, path length, bottleneck state, chain, direct reads, wave, wave of "
     "computable "
     "states, serial steps"},
};

// In small letters, by code point, with spaces between words.
std::string plainName(std::string_view name) {
  std::string plain(name);
  for (char& c : plain) c = c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return plain;
}

// An id comes before a label, which comes before a former one: "scores" and "Sentence" each name one thing.
template <typename Named, typename NamesOf>
const Named* foundByName(std::span<const Named> all, std::string_view name, const NamesOf& namesOf) {
  const std::string wanted = plainName(name);
  for (int kind = 0; kind < 3; ++kind)
    for (const Named& each : all)
      if (!wanted.empty() && plainName(namesOf(each, kind)) == wanted) return &each;
  return nullptr;
}

}  // namespace

std::span<const OtherNames> otherNames() { return allOtherNames; }

const OtherNames& otherNamesOf(const View& view, const Picture* picture) {
  const std::string id = picture ? std::string(view.id) + "/" + std::string(picture->id) : view.id;
  return *std::ranges::find(allOtherNames, id, &OtherNames::id);
}

const View* findView(std::string_view name) {
  return foundByName(views(), name, [](const View& view, int kind) -> std::string_view {
    return kind == 0 ? view.id : kind == 1 ? view.title : otherNamesOf(view).formerly;
  });
}

const Picture* findPicture(const View& view, std::string_view name) {
  return foundByName(std::span(view.pictures), name, [&](const Picture& picture, int kind) {
    return kind == 0 ? picture.id : kind == 1 ? picture.label : otherNamesOf(view, &picture).formerly;
  });
}

}  // namespace glassformer
