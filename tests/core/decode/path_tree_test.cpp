#include "core/decode/path_tree.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "tests/core/decode/small_language.h"

using namespace glassformer;

namespace {

const std::vector<std::vector<int>> texts{{1, 2, 3, 4}, {1, 2, 3, 4, 0, 5}, {1, 2, 5, 5}, {3, 2},
                                          {1, 2, 3, 4}, {1, 2, 3, 1},       {1, 2}};

}  // namespace

TEST_CASE("texts that begin alike become a tree from where they part, those that begin otherwise stay out") {
  const PathTree tree = pathTree(texts);
  CHECK(tree.root == std::vector{1, 2});
  CHECK(tree.ends[3] == -1);
  CHECK(tree.ends[6] == 0);
  CHECK(tree.ends[0] == tree.ends[4]);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (tree.isLeft(i)) continue;
    std::vector<int> whole = tree.root;
    for (const int token : tree.path(tree.ends[i])) whole.push_back(token);
    CHECK(whole == texts[i]);
  }
  // 3 4 0 5, then 1, then 5 5: seven tokens and the root; what belongs together stands together.
  std::vector<int> tokens;
  for (const PathTree::Node& node : tree.nodes) tokens.push_back(node.token);
  CHECK(tokens == std::vector{-1, 3, 4, 0, 5, 1, 5, 5});
}

TEST_CASE("every token of a tree of texts is as probable as after all before it, each place asked once") {
  PathTree tree = pathTree(texts);
  int asked = 0;
  const NextTokenLogits counted = [&](std::span<const int> tokens) { return ++asked, smallLanguage(tokens); };
  REQUIRE(weigh(tree, counted, [] { return true; }));
  CHECK(asked == 5);  // behind the root, 3, 3 4, 3 4 0 and 5
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    std::vector<int> text = tree.root;
    double total = 0;
    for (const int token : tree.path(static_cast<int>(i))) {
      total += logSoftmax(smallLanguage(text))[static_cast<std::size_t>(token)];
      text.push_back(token);
    }
    CHECK(std::abs(tree.nodes[i].cumulative - total) < 1e-12);
  }
  CHECK_FALSE(weigh(tree, counted, [] { return false; }));
}

TEST_CASE(
    "a text alone is a tree of nothing but its root; a long one beside a short one is no deep recursion") {
  const std::vector<std::vector<int>> one{{4, 4, 2}};
  CHECK(pathTree(one).nodes.size() == 1);
  const std::vector<std::vector<int>> far{{1}, std::vector<int>(100000, 1)};
  CHECK(pathTree(far).nodes.size() == 100000);
}
