#include "core/model/parameters.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>

using namespace glassformer;

TEST_CASE("a parameter is found by its name, and none by another") {
  const Parameters parameters({{"wte.weight", {3, 2}}, {"h.0.ln_1.bias", {2}}, {"a", {1}}});
  for (int i = 0; i < parameters.count(); ++i) CHECK(parameters.find(parameters.spec(i).name) == i);
  for (const char* other : {"", "b", "wte", "wte.weight.", "zzz"}) CHECK(parameters.find(other) == -1);
  CHECK(Parameters().find("a") == -1);
}

TEST_CASE("finding every one of very many parameters takes no time that is squared") {
  std::vector<ParameterSpec> specs;
  for (int i = 0; i < 100'000; ++i) specs.push_back({"h." + std::to_string(i) + ".attn.c_attn.weight", {1}});
  const Parameters parameters(std::move(specs));
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < parameters.count(); ++i) REQUIRE(parameters.find(parameters.spec(i).name) == i);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));  // one by one: many
}
