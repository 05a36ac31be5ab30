// The vocabulary everything else relies on: lessons, panels, exported traces. Changing it breaks other
// people's files.
#include "core/model/catalogue.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/model/live_pass.h"
#include "core/model/named_blocks.h"
#include "core/model/positional/positional_encodings.h"
#include "core/model/positional/rotary.h"

using namespace glassformer;

namespace {

ModelConfig small(int layers) {
  return {.layers = layers, .heads = 2, .width = 8, .feedForward = 12, .vocabulary = 5, .context = 6};
}

std::shared_ptr<const Trace> traceOf(const ModelConfig& config) {
  LivePass live(std::make_shared<const Transformer>(config, Parameters(parameterSpecs(config))), 1);
  const std::vector source{4, 3};
  return live.run(std::vector{1, 2, 3}, {},
                  config.isEncoderDecoder() ? std::span(source) : std::span<const int>());
}

std::string pointsOf(const ModelConfig& config) {
  const auto trace = traceOf(config);
  std::string list;
  for (int i = 0; i < trace->count(); ++i)
    list += trace->point(i).name + " " + trace->point(i).letters + "\n";
  return list;
}

}  // namespace

TEST_CASE("the trace points of a decoder of one layer are these, in this order") {
  CHECK(pointsOf(small(1)) ==
        "hook_embed TD\n"
        "hook_pos_embed TD\n"
        "blocks.0.hook_resid_pre TD\n"
        "blocks.0.ln1.hook_scale T1\n"
        "blocks.0.ln1.hook_normalized TD\n"
        "blocks.0.attn.hook_q THK\n"
        "blocks.0.attn.hook_k THK\n"
        "blocks.0.attn.hook_v THK\n"
        "blocks.0.attn.hook_attn_scores HTS\n"
        "blocks.0.attn.hook_pattern HTS\n"
        "blocks.0.attn.hook_z THK\n"
        "blocks.0.hook_attn_out TD\n"
        "blocks.0.hook_resid_mid TD\n"
        "blocks.0.ln2.hook_scale T1\n"
        "blocks.0.ln2.hook_normalized TD\n"
        "blocks.0.mlp.hook_pre TF\n"
        "blocks.0.mlp.hook_post TF\n"
        "blocks.0.hook_mlp_out TD\n"
        "blocks.0.hook_resid_post TD\n"
        "ln_final.hook_scale T1\n"
        "ln_final.hook_normalized TD\n"
        "logits TV\n");
}

TEST_CASE("the trace points of an encoder-decoder of one layer are these, in this order") {
  ModelConfig config = small(1);
  config.stack = Stack::EncoderDecoder, config.normPlacement = NormPlacement::Post, config.finalNorm = false;
  CHECK(pointsOf(config) ==
        "encoder.hook_embed TD\n"
        "encoder.hook_pos_embed TD\n"
        "encoder.0.hook_resid_pre TD\n"
        "encoder.0.attn.hook_q THK\n"
        "encoder.0.attn.hook_k THK\n"
        "encoder.0.attn.hook_v THK\n"
        "encoder.0.attn.hook_attn_scores HTS\n"
        "encoder.0.attn.hook_pattern HTS\n"
        "encoder.0.attn.hook_z THK\n"
        "encoder.0.hook_attn_out TD\n"
        "encoder.0.hook_resid_mid TD\n"
        "encoder.0.ln1.hook_scale T1\n"
        "encoder.0.ln1.hook_normalized TD\n"
        "encoder.0.mlp.hook_pre TF\n"
        "encoder.0.mlp.hook_post TF\n"
        "encoder.0.hook_mlp_out TD\n"
        "encoder.0.hook_resid_post TD\n"
        "encoder.0.ln2.hook_scale T1\n"
        "encoder.0.ln2.hook_normalized TD\n"
        "decoder.hook_embed TD\n"
        "decoder.hook_pos_embed TD\n"
        "decoder.0.hook_resid_pre TD\n"
        "decoder.0.attn.hook_q THK\n"
        "decoder.0.attn.hook_k THK\n"
        "decoder.0.attn.hook_v THK\n"
        "decoder.0.attn.hook_attn_scores HTS\n"
        "decoder.0.attn.hook_pattern HTS\n"
        "decoder.0.attn.hook_z THK\n"
        "decoder.0.hook_attn_out TD\n"
        "decoder.0.hook_resid_mid TD\n"
        "decoder.0.ln1.hook_scale T1\n"
        "decoder.0.ln1.hook_normalized TD\n"
        "decoder.0.cross_attn.hook_q THK\n"
        "decoder.0.cross_attn.hook_k THK\n"
        "decoder.0.cross_attn.hook_v THK\n"
        "decoder.0.cross_attn.hook_attn_scores HTS\n"
        "decoder.0.cross_attn.hook_pattern HTS\n"
        "decoder.0.cross_attn.hook_z THK\n"
        "decoder.0.hook_cross_attn_out TD\n"
        "decoder.0.hook_resid_mid_cross TD\n"
        "decoder.0.ln2.hook_scale T1\n"
        "decoder.0.ln2.hook_normalized TD\n"
        "decoder.0.mlp.hook_pre TF\n"
        "decoder.0.mlp.hook_post TF\n"
        "decoder.0.hook_mlp_out TD\n"
        "decoder.0.hook_resid_post TD\n"
        "decoder.0.ln3.hook_scale T1\n"
        "decoder.0.ln3.hook_normalized TD\n"
        "logits TV\n");
}

TEST_CASE("the trace points of a masked language model of one layer are these, in this order") {
  ModelConfig config = small(1);
  config.stack = Stack::EncoderOnly, config.mask.kind = MaskKind::None;
  config.normPlacement = NormPlacement::Post, config.finalNorm = false;
  config.tokenTypes = 2, config.normedEmbedding = config.headTransform = config.unembeddingBias = true;
  CHECK(pointsOf(config) ==
        "hook_embed TD\n"
        "hook_pos_embed TD\n"
        "hook_token_type_embed TD\n"
        "hook_embed_sum TD\n"
        "embed.ln.hook_scale T1\n"
        "embed.ln.hook_normalized TD\n"
        "blocks.0.hook_resid_pre TD\n"
        "blocks.0.attn.hook_q THK\n"
        "blocks.0.attn.hook_k THK\n"
        "blocks.0.attn.hook_v THK\n"
        "blocks.0.attn.hook_attn_scores HTS\n"
        "blocks.0.attn.hook_pattern HTS\n"
        "blocks.0.attn.hook_z THK\n"
        "blocks.0.hook_attn_out TD\n"
        "blocks.0.hook_resid_mid TD\n"
        "blocks.0.ln1.hook_scale T1\n"
        "blocks.0.ln1.hook_normalized TD\n"
        "blocks.0.mlp.hook_pre TF\n"
        "blocks.0.mlp.hook_post TF\n"
        "blocks.0.hook_mlp_out TD\n"
        "blocks.0.hook_resid_post TD\n"
        "blocks.0.ln2.hook_scale T1\n"
        "blocks.0.ln2.hook_normalized TD\n"
        "mlm_head.hook_pre TD\n"
        "mlm_head.hook_post TD\n"
        "mlm_head.ln.hook_scale T1\n"
        "mlm_head.ln.hook_normalized TD\n"
        "logits TV\n");
  const auto trace = traceOf(config);
  const auto equation = [&](const char* point) { return trace->point(trace->find(point)).equation; };
  CHECK(equation("hook_token_type_embed") == "τ = S[type]");
  CHECK(equation("hook_embed_sum") == "x_0 = e + p + τ");
  CHECK(equation("embed.ln.hook_scale") == "σ = √(var(x_0) + ε)");
  CHECK(equation("embed.ln.hook_normalized") == "n_0 = γ ⊙ (x_0 − mean(x_0)) / σ + β");
  CHECK(equation("blocks.0.hook_resid_pre") == "x");
  CHECK(equation("mlm_head.hook_pre") == "u_h = n · W_h + b_h");
  CHECK(equation("mlm_head.hook_post") == "g_h = GELU_tanh(u_h)");
  CHECK(equation("mlm_head.ln.hook_normalized") == "n_h = γ ⊙ (g_h − mean(g_h)) / σ + β");
  CHECK(equation("logits") == "logits = n_h · Eᵀ + b_U");
}

TEST_CASE("the trace points of recurrence and convolution are these, where attention's would be") {
  ModelConfig config = small(1);
  config.activation = Activation::None;
  const std::string before =
      "hook_embed TD\n"
      "hook_pos_embed TD\n"
      "blocks.0.hook_resid_pre TD\n"
      "blocks.0.ln1.hook_scale T1\n"
      "blocks.0.ln1.hook_normalized TD\n";
  const std::string after =
      "blocks.0.hook_resid_post TD\n"
      "ln_final.hook_scale T1\n"
      "ln_final.hook_normalized TD\n"
      "logits TV\n";
  config.mixing = Mixing::Recurrence;
  CHECK(pointsOf(config) == before +
                                "blocks.0.recurrence.hook_input TD\n"
                                "blocks.0.recurrence.hook_carried TD\n"
                                "blocks.0.recurrence.hook_state TD\n"
                                "blocks.0.hook_recurrence_out TD\n" +
                                after);
  config.mixing = Mixing::Convolution;
  CHECK(pointsOf(config) == before +
                                "blocks.0.convolution.hook_taps TJD\n"
                                "blocks.0.hook_convolution_out TD\n" +
                                after);
  CHECK((*traceOf(config))["blocks.0.convolution.hook_taps"].extent[1] == 3);
  config.filters = Filters::Depthwise;
  CHECK(pointsOf(config) == before +
                                "blocks.0.convolution.hook_taps TJD\n"
                                "blocks.0.hook_convolution_out TD\n" +
                                after);
  config.filters = Filters::Bottleneck;
  CHECK(pointsOf(config) == before +
                                "blocks.0.convolution.hook_reduced_pre TB\n"
                                "blocks.0.convolution.hook_reduced TB\n"
                                "blocks.0.convolution.hook_taps TJB\n"
                                "blocks.0.convolution.hook_mixed_pre TB\n"
                                "blocks.0.convolution.hook_mixed TB\n"
                                "blocks.0.hook_convolution_out TD\n" +
                                after);
}

TEST_CASE("with one residual a block normalizes what the convolution hands on, and adds once") {
  const auto trace = traceOf(withBlock(small(1), *findNamedBlock("convnext")));
  std::string points;
  for (int i = 0; i < trace->count(); ++i)
    if (const TracePoint& point = trace->point(i); point.name.starts_with("blocks.0."))
      points += point.name.substr(9) + " " + point.letters + ": " + point.equation + "\n";
  CHECK(points ==
        "hook_resid_pre TD: x = e + p\n"
        "convolution.hook_taps TJD: w_j = (x ⊙ f_j)[t − j]\n"
        "hook_convolution_out TD: c = Σ_j w_j + b\n"
        "ln2.hook_scale T1: σ' = √(var(c) + ε)\n"
        "ln2.hook_normalized TD: n' = γ' ⊙ (c − mean(c)) / σ' + β'\n"
        "mlp.hook_pre TF: u = n' · W_in + b_in\n"
        "mlp.hook_post TF: g = GELU_tanh(u)\n"
        "hook_mlp_out TD: m = g · W_out + b_out\n"
        "hook_resid_post TD: x' = x + m\n");
  const auto meaning = [&](const char* point) { return trace->point(trace->find(point)).meaning; };
  CHECK(meaning("blocks.0.hook_convolution_out") == "output of the convolution, read by the MLP");
  CHECK(meaning("blocks.0.ln2.hook_normalized") == "output of the convolution, normalized for the MLP");
}

TEST_CASE("a bottleneck's equations, with taps around each token where nothing is masked") {
  ModelConfig config = withBlock(small(1), *findNamedBlock("resnet"));
  config.mask = {MaskKind::None, 0, {}};
  const auto trace = traceOf(config);
  const auto equation = [&](const std::string& point) {
    return trace->point(trace->find("blocks.0." + point)).equation;
  };
  CHECK(equation("convolution.hook_reduced_pre") == "u_r = n · W_↓ + b_↓");
  CHECK(equation("convolution.hook_reduced") == "r = ReLU(u_r)");
  CHECK(equation("convolution.hook_taps") == "w_j = (r · W_j)[t + 1 − j]");
  CHECK(equation("convolution.hook_mixed_pre") == "u_c = Σ_j w_j + b");
  CHECK(equation("convolution.hook_mixed") == "g_c = ReLU(u_c)");
  CHECK(equation("hook_convolution_out") == "c = g_c · W_↑ + b_↑");
  CHECK(equation("hook_resid_post") == "x' = x + c");
}

TEST_CASE("every trace point says what it is, whose tokens it counts and what was computed") {
  for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderOnly, Stack::EncoderDecoder})
    for (int placement = 0; placement < 4; ++placement) {
      ModelConfig config = small(2);
      config.stack = stack, config.normPlacement = static_cast<NormPlacement>(placement);
      config.activation = Activation::SwiGlu, config.positions = &rotaryPositions();
      const auto trace = traceOf(config);
      for (int i = 0; i < trace->count(); ++i) {
        const TracePoint& point = trace->point(i);
        INFO(point.name);
        CHECK_FALSE(point.meaning.empty());
        CHECK_FALSE(point.equation.empty());
        const TensorView tensor = trace->tensor(i);
        for (int d = 0; d < tensor.rank; ++d) {
          if (point.letters[static_cast<std::size_t>(d)] == 'T')
            CHECK(tensor.extent[static_cast<std::size_t>(d)] == (point.rows == Stream::Source ? 2 : 3));
          if (point.letters[static_cast<std::size_t>(d)] == 'S')
            CHECK(tensor.extent[static_cast<std::size_t>(d)] == (point.keys == Stream::Source ? 2 : 3));
        }
      }
    }
}

TEST_CASE("equations follow the choices") {
  ModelConfig config = small(2);
  const auto describe = [&](const char* point) {
    const auto trace = traceOf(config);
    return trace->point(trace->find(point));
  };
  const auto equation = [&](const char* point) { return describe(point).equation; };
  config.mixing = Mixing::Recurrence;
  CHECK(equation("blocks.1.recurrence.hook_input") == "u = n · W_x + b");
  CHECK(equation("blocks.1.recurrence.hook_carried") == "r = h[t − 1] · W_h");
  CHECK(equation("blocks.1.recurrence.hook_state") == "h = tanh(u + r)");
  CHECK(equation("blocks.1.hook_resid_mid") == "x' = x + o");
  config.mixing = Mixing::Convolution, config.residual = false;
  CHECK(equation("blocks.1.convolution.hook_taps") == "w_j = (n · W_j)[t − j]");
  CHECK(equation("blocks.1.hook_convolution_out") == "c = Σ_j w_j + b");
  CHECK(equation("blocks.1.hook_resid_mid") == "x' = c");
  CHECK(equation("blocks.1.hook_resid_post") == "x'' = m");
  CHECK(describe("blocks.1.hook_mlp_out").meaning == "output of the MLP, replaces the residual stream");
  config = small(2);
  CHECK(equation("hook_embed") == "e = E[token]");
  CHECK(equation("blocks.0.hook_resid_pre") == "x = e + p");
  CHECK(equation("blocks.1.hook_resid_pre") == "x");
  CHECK(equation("blocks.1.attn.hook_q") == "q = n · W_Q + b_Q");
  CHECK(equation("blocks.1.attn.hook_v") == "v = n · W_V + b_V");
  CHECK(equation("blocks.1.attn.hook_attn_scores") == "s = mask(q · kᵀ / √K)");
  CHECK(equation("blocks.1.attn.hook_pattern") == "A = softmax(s)");
  CHECK(equation("blocks.1.attn.hook_z") == "z = A · v");
  CHECK(equation("blocks.1.hook_attn_out") == "a = z · W_O + b_O");
  CHECK(equation("blocks.1.hook_resid_mid") == "x' = x + a");
  CHECK(equation("blocks.1.ln1.hook_scale") == "σ = √(var(x) + ε)");
  CHECK(equation("blocks.1.ln2.hook_normalized") == "n' = γ' ⊙ (x' − mean(x')) / σ' + β'");
  CHECK(equation("blocks.1.mlp.hook_post") == "g = GELU_tanh(u)");
  CHECK(equation("blocks.1.hook_resid_post") == "x'' = x' + m");
  CHECK(equation("logits") == "logits = n · Eᵀ");
  config.normPlacement = NormPlacement::Post, config.norm = NormKind::Rms, config.tiedUnembedding = false;
  CHECK(equation("blocks.1.attn.hook_q") == "q = x · W_Q + b_Q");
  CHECK(equation("blocks.1.ln1.hook_normalized") == "n' = γ' ⊙ x' / ρ'");
  CHECK(equation("blocks.1.hook_resid_post") == "x'' = n' + m");
  CHECK(equation("logits") == "logits = n · W_U");
  config.normPlacement = NormPlacement::Residual;
  CHECK(equation("blocks.1.hook_resid_mid") == "x' = n + a");
  config.positions = &rotaryPositions(), config.mask.kind = MaskKind::None;
  CHECK(equation("blocks.1.attn.hook_rot_k") == "k_R = R_t · k");
  CHECK(equation("blocks.1.attn.hook_attn_scores") == "s = q_R · k_Rᵀ / √K");
  config = small(2);
  config.maskTime = MaskTime::AfterSoftmax, config.scaledScores = false;
  CHECK(equation("blocks.1.attn.hook_attn_scores") == "s = q · kᵀ");
  CHECK(equation("blocks.1.attn.hook_unmasked_pattern") == "A₀ = softmax(s)");
  CHECK(equation("blocks.1.attn.hook_pattern") == "A = mask(A₀) / Σ mask(A₀)");
  config = small(2);
  config.kernel = AttentionKernel::Linear, config.readout = Readout::OneMatrix;
  CHECK(equation("blocks.1.attn.hook_attn_scores") == "s = mask(q_φ · k_φᵀ)");
  CHECK(equation("blocks.1.attn.hook_pattern") == "A = mask(s) / Σ mask(s)");
  CHECK(equation("blocks.1.attn.hook_v") == "v = n · (W_V W_O) + b");
  CHECK(equation("blocks.1.hook_attn_out") == "a = Σ_h z_h + b_O");
  config = small(2);
  config.stack = Stack::EncoderDecoder, config.activation = Activation::SwiGlu;
  CHECK(equation("decoder.1.cross_attn.hook_q") == "q = n' · W_Q + b_Q");
  CHECK(equation("decoder.1.cross_attn.hook_k") == "k = M · W_K + b_K");
  CHECK(equation("decoder.1.cross_attn.hook_attn_scores") == "s = q · kᵀ / √K");
  CHECK(equation("decoder.1.mlp.hook_pre") == "u = n'' · W_gate + b_gate");
  CHECK(equation("decoder.1.mlp.hook_post") == "g = silu(u) ⊙ w");
  CHECK(equation("encoder.1.attn.hook_attn_scores") == "s = q · kᵀ / √K");
}

TEST_CASE("norms behind sublayers and soft caps stand in the equations of what they make") {
  ModelConfig config = small(2);
  const auto equation = [&](const char* point) {
    const auto trace = traceOf(config);
    return trace->point(trace->find(point)).equation;
  };
  config.normPlacement = NormPlacement::Sandwich;
  CHECK(equation("blocks.1.attn.hook_out") == "a = z · W_O + b_O");
  CHECK(equation("blocks.1.ln1_post.hook_scale") == "σ_a = √(var(a) + ε)");
  CHECK(equation("blocks.1.hook_attn_out") == "a_n = γ_post ⊙ (a − mean(a)) / σ_a + β_post");
  CHECK(equation("blocks.1.hook_resid_mid") == "x' = x + a_n");
  CHECK(equation("blocks.1.ln2_post.hook_scale") == "σ_m = √(var(m) + ε)");
  CHECK(equation("blocks.1.hook_resid_post") == "x'' = x' + m_n");
  config.scoreCap = 50, config.logitCap = 7.5f;
  CHECK(equation("blocks.1.attn.hook_attn_scores") == "s = mask(50 tanh((q · kᵀ / √K) / 50))");
  CHECK(equation("unembed.hook_out") == "u = n · Eᵀ");
  CHECK(equation("logits") == "logits = 7.5 tanh(u / 7.5)");
  config.scoreCap = 0, config.scoreWidth = 10;
  CHECK(equation("blocks.1.attn.hook_attn_scores") == "s = mask(q · kᵀ / √10)");
  config.mixing = Mixing::Recurrence;
  CHECK(equation("blocks.1.recurrence.hook_out") == "o = h · W_o + b_o");
  CHECK(equation("blocks.1.hook_resid_mid") == "x' = x + o_n");
}

TEST_CASE("of so many blocks with a window the last sees all, and turns by the other base") {
  ModelConfig config = small(6);
  config.mask = {MaskKind::Window, 3, {{5, 0, true}}};
  config.fullBlocks = {false, false, true}, config.localBase = 50, config.positionParameter = 1000;
  config.positions = &rotaryPositions();
  config.rotaryScaling.slowing = RopeScaling::Linear;
  for (const int layer : {2, 5}) {
    CHECK(config.ofLayer(layer).mask == AttentionMask{MaskKind::Causal, 0, {{5, 0, true}}});
    CHECK(config.ofLayer(layer).positionParameter == 1000);
    CHECK(config.ofLayer(layer).rotaryScaling.slowing == RopeScaling::Linear);
  }
  CHECK(config.ofLayer(3).mask == config.mask);
  CHECK(config.ofLayer(3).positionParameter == 50);
  CHECK(config.ofLayer(3).rotaryScaling.slowing == RopeScaling::None);
  CHECK(config.ofLayer(3).ofLayer(3) == config.ofLayer(3));
  // In any order, repeated; where all have a window, all turn by its base.
  config.fullBlocks = {true, false, false, true};
  for (int layer = 0; layer < 6; ++layer)
    CHECK((config.maskOf(layer).kind == MaskKind::Causal) == (layer == 0 || layer == 3 || layer == 4));
  config.fullBlocks = {};
  CHECK(config.ofLayer(2).mask == config.mask);
  CHECK(config.ofLayer(2).positionParameter == 50);
  config.localBase = 0;
  CHECK(config.ofLayer(2) == config);
}

TEST_CASE("what positions add to scores stands in their equation") {
  for (const auto& [positions, scores] :
       {std::pair{"alibi", "s = mask(q · kᵀ / √K − m |t − s|)"},
        std::pair{"bucketed", "s = mask(q · kᵀ / √K + b[bucket(s − t)])"},
        std::pair{"relative", "s = mask(q · kᵀ / √K + q · a[clip(s − t)]ᵀ / √K)"}}) {
    ModelConfig config = small(2);
    config.positions = findPositionalEncoding(positions);
    const auto trace = traceOf(config);
    CHECK(trace->point(trace->find("blocks.1.attn.hook_attn_scores")).equation == scores);
  }
}
