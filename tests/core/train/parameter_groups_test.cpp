#include "core/train/parameter_groups.h"

#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

namespace {

ParameterGroups groupsOf(const ModelConfig& config) {
  return parameterGroups(Parameters(parameterSpecs(config)));
}

}  // namespace

TEST_CASE("every parameter belongs to one part of the model, in the order in which a token passes them") {
  ModelConfig config{.layers = 12, .heads = 2, .width = 8, .feedForward = 8, .vocabulary = 9, .context = 4};
  const ParameterGroups groups = groupsOf(config);
  REQUIRE(groups.count() == 14);
  CHECK(groups.names.front() == "embedding");
  CHECK(groups.names[1] == "block 0");
  CHECK(groups.names[11] == "block 10");  // not between 1 and 2
  CHECK(groups.names.back() == "unembedding");
  const Parameters parameters(parameterSpecs(config));
  const auto groupOf = [&](const char* name) {
    return groups.names[static_cast<std::size_t>(groups.of[static_cast<std::size_t>(parameters.find(name))])];
  };
  CHECK(groupOf("wte.weight") == "embedding");
  CHECK(groupOf("wpe.weight") == "embedding");
  CHECK(groupOf("h.3.attn.c_attn.weight") == "block 3");
  CHECK(groupOf("h.10.ln_2.bias") == "block 10");
  CHECK(groupOf("ln_f.weight") == "unembedding");
}

TEST_CASE("an encoder and a decoder are told apart") {
  ModelConfig config{.layers = 2, .heads = 2, .width = 8, .feedForward = 8, .vocabulary = 9, .context = 4};
  config.stack = Stack::EncoderDecoder;
  CHECK(groupsOf(config).names == std::vector<std::string>{"embedding", "encoder 0", "encoder 1", "decoder 0",
                                                           "decoder 1", "unembedding"});
}
