#include "app/panels/palette_words.h"

#include <algorithm>

namespace glassformer {

std::span<const TitleWords> titlesWithOtherWords() {
  static constexpr TitleWords all[] = {
      {"Switch this head off or on", "ablate, ablation, knock out"},
      {"Switch attention, or its stand-in, off or on", "ablate, ablation, knock out"},
      {"Switch this block's MLP off or on", "ablate, ablation, knock out"},
      {"Open", "open file, load"},
      {"Export figure", "save picture, copy image, export PNG, SVG, PDF, screenshot"},
      {"Quit", "exit, close the window"},
      {"Present", "presentation, slide show, full screen"},
      {"Keys", "shortcuts, keyboard, help"},
      {"Lessons", "tutorial, course, help, guide"},
      {"Start page", "help, welcome, home"},
      {"Switch theme", "light theme, dark theme, light mode, dark mode, colors, settings, preferences"},
      {"High contrast", "settings, preferences, colors"},
      {"Larger", "zoom in, settings"},
      {"Smaller", "zoom out, settings"},
      {"Actual size", "reset zoom, 100 %"},
      {"Choices of the model", "architecture, settings, configuration"},
      {"Model as it was loaded", "reset the model"},
      {"Append the next token", "next word, predict, generate, step"},
      {"Open model induction", "copying, associative recall, a head that copies"},
      {"Memory for passes", "settings, RAM, gigabytes, GB, budget, long texts, out of memory"},
      {"Compare with a trace from elsewhere",
       "before and after, other implementation, PyTorch, npz, safetensors, dump"},
      {"Attention: Matrix", "heatmap weights weighted average of rows, several heads as small multiples"},
      {"Attention: One word",
       "one token, query key value step by step, row by row, q k v, scaled dot product, worked example, "
       "slide"},
      {"Attention: Arcs", "lines, opacity, antecedent of it"},
      {"Attention: Softmax", "two-dimensional softmax surface"},
      {"Attention: Circuits", "low-rank QK and OV matrices, VO"},
      {"Positions: Encoding", "positional encoding, sinusoids, heat map, learned positions"},
      {"Positions: Phasors", "clock hands, complex exponentials"},
      {"Positions: Shuffle", "permutation, unordered set"},
      {"Positions: Filter", "Toeplitz matrix, convolution with the same taps"},
      {"Positions: Bench", "extrapolation beyond the trained length"},
      {"Residual: Norms", "residual stream, skip against update"},
      {"Residual: Gradient", "vanishing gradient, exploding gradient, through the skip connection"},
      {"Residual: Contributions", "residual stream, direct logit attribution"},
      {"Why there: score", "QK circuit, one score taken apart, who wrote query and key"},
      {"Why there: output", "OV circuit, direct logit attribution of one head, who wrote its values"},
      {"Why there: by block", "fold the table, all heads of a block as one"},
      {"Why there: largest first", "sort the table, who does most"},
      {"Attention: Many texts",
       "hypothesis bench, test a hypothesis, painted mask, counterexamples, loss recovered"},
      {"Attention: Biography", "how a head came about, when it formed, over training, kept steps"},
      {"Residual: Geometry", "PCA, principal component analysis, embeddings, scatter plot, path, trajectory"},
      {"Geometry in three dimensions", "PCA, 3D scatter plot, rotate, space"},
      {"Residual: Neurons", "MLP feed-forward network FFN"},
      {"Next token: Distribution", "autoregression, softmax of the logits, LM head"},
      {"Next token: Lens", "logit lens, were the model to stop there"},
      {"Lens: promoted", "logit lens, tokens that a sublayer makes likelier"},
      {"Lens: suppressed", "logit lens, tokens that a sublayer makes less likely"},
      {"Say where the head looks", "hypothesis in place of the head, replace its pattern"},
      {"Next token: Stages", "sampling, top-k, nucleus"},
      {"Next token: Classes", "classifier, class head, fine-tuning, sentiment"},
      {"Train two, landscapes with residuals or not",
       "loss surface with and without skip connections, Li 2018"},
      {"Train two, classifier: last token or mean", "class head, fine-tuning, pooling, sentiment"},
      {"Tokens: Cuts", "BPE merges, subwords, characters, words and UNK, vocabulary size"},
      {"Tokens: Merges", "BPE, subwords"},
      {"Tokens: Unembedding", "weight tying, tied embeddings"},
      {"Steps: One token", "nine steps of a layer, builds, worked example"},
      {"Steps: Whole model", "architecture, overview, all blocks with data, forward pass on one page"},
      {"Steps: Lookup", "soft lookup, hash table, associative array, key-value table"},
      {"Steps: As printed",
       "slip, misprint, conform, does not conform, wrong formula, ε inside the root, without 1/√d"},
      {"Cost: Mixing", "quadratic, linear, O(N²D), against T"},
      {"Cost: Sizes", "MND, N²D, parallel training against serial sampling"},
      {"Cost: Cache", "key-value table growing, sampling one by one"},
      {"Cost: Unrolled", "RNN, bottleneck state, chain, direct reads, wave of computable states"},
      {"Influence: Matrix", "leak detector, sees what is masked, around the mask, receptive field"},
      {"Influence: Many texts",
       "causal map, ablation, activation patching, counterfactual pairs, rollout, attention flow, how often, "
       "norms, active neurons, integrated gradients"},
      {"Influence: Patch", "activation patching, causal tracing, freeze at another text's value"},
      {"Influence: Edges", "path patching, circuit graph, ACDC"},
      {"Influence: Gradients", "why softmax and not argmax"},
      {"Landscape: Surface", "loss surface, loss landscape"},
      {"Beam tree: Search", "hypotheses, pruned, cumulative log-probability"},
      {"Training: Schedule", "warm-up, noam, inverse square root"},
      {"Training: Data", "data size, generalisation"},
      {"Training view", "dark art, optimizer, Adam, learning rate schedule, warm-up, dropout, clipping"},
      {"Token embedding", "rows of E, ids, lookup"},
      {"Embedding + positions", "input X, content and position"},
      {"Norm", "LayerNorm, layer norm, mean and deviation, γ β"},
      {"Queries", "W_Q, projection"},
      {"Keys", "W_K, projection"},
      {"Values", "W_V, projection"},
      {"Query · key", "QKᵀ, dot product, inner product, similarity"},
      {"Mask", "causal, autoregressive, future hidden, −∞"},
      {"Softmax", "attention weights, exp and row sums"},
      {"Weighted values", "average of values, AV, AX"},
      {"Heads side by side", "concatenation, concatenate, concatenated, multi-head"},
      {"Attention output", "W_O, read-out"},
      {"Add", "residual, skip connection"},
      {"MLP in", "feed-forward network, FFN"},
      {"MLP out", "feed-forward network, FFN"},
      {"Activation", "nonlinearity"},
      {"Logits", "unembedding, LM head, W_U"},
      {"Stack: Encoder only", "BERT, bidirectional"},
      {"Mask: None", "bidirectional, everything visible"},
      {"Norms stand: After", "post-norm, add and norm"},
      {"Attention: Distance only", "relative, Toeplitz, convolution"},
      {"Open model translate", "encoder-decoder, cross-attention"},
      {"Open model fill", "encoder only, BERT"},
      {"Open model worked", "numbers to work through by hand, We wash our cats"},
      {"Open model linear", "linear attention"},
  };
  return all;
}

std::string_view otherWords(std::string_view title) {
  const auto all = titlesWithOtherWords();
  constexpr std::string_view mark = " · ";
  const std::size_t block = title.find(mark);
  const std::string_view own = block == std::string_view::npos ? title : title.substr(block + mark.size());
  const auto found = std::ranges::find_if(
      all, [&](const TitleWords& other) { return other.title == title || other.title == own; });
  return found == all.end() ? std::string_view() : found->words;
}

}  // namespace glassformer
