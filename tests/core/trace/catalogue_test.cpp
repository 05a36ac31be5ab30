// The vocabulary everything else relies on: lessons, panels, exported traces. Changing it breaks other
// people's files.
#include "core/trace/catalogue.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace glassformer;

TEST_CASE("the trace points of a one-layer model are these, in this order") {
  std::string list;
  for (const TracePoint& point : tracePoints(1)) list += point.name + " " + point.letters + "\n";
  CHECK(list ==
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

TEST_CASE("every trace point says what it is, and blocks repeat the same points") {
  const auto four = tracePoints(4);
  CHECK(four.size() == 2 + 4 * 17 + 3);
  for (const TracePoint& point : four) {
    CHECK_FALSE(point.meaning.empty());
    CHECK_FALSE(point.equation.empty());
  }
  CHECK(describeTracePoint("blocks.3.attn.hook_pattern").equation == "A = softmax(s)");
}
