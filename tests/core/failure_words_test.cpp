#include "core/failure_words.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace glassformer;

TEST_CASE("too little memory is said in words, other failures in their own") {
  CHECK(failureWords(std::bad_alloc()) == "there is not enough memory for it");
  CHECK(failureWords(std::runtime_error("the disk is gone")) == "the disk is gone");
  try {
    std::vector<char> endless;
    endless.resize(endless.max_size() + 1);
  } catch (const std::exception& failure) {
    CHECK(failureWords(failure) == "there is not enough memory for it");
  }
}
