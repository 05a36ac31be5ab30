#include "app/views/beam/beam_node_numbers.h"

#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float numberGap = 7, numberLine = 1.16f;

}  // namespace

std::vector<NodeNumber> numbersOfNode(const Scene& scene, const BeamTree& tree, int node,
                                      bool withProbability) {
  std::vector<NodeNumber> numbers;
  const auto value = [&](const TensorRef& at) { return valueOf(scene.sources, at).value_or(0); };
  const auto add = [&](const char* tensor, const char* name) {
    const TensorRef at{tensor, {node}};
    numbers.push_back({at, name, formattedFixed(value(at), 2)});
  };
  if (tree.nodes[static_cast<std::size_t>(node)].state == BeamState::Pruned) {
    add("beam.lacking", "");
    numbers.back().words.insert(0, "-");  // behind the last one that was kept
    return numbers;
  }
  const TensorRef probability{"beam.probability", {node}};
  if (withProbability) numbers.push_back({probability, "", formattedPercent(value(probability))});
  add("beam.cumulative", "ln P ");
  if (tree.lengthPenalty != 0) add("beam.score", "score ");
  return numbers;
}

namespace {

// As many texts as have room, one a line or, `packed`, more where they are short.
std::vector<Text> placedIn(const SceneInput& input, std::span<const NodeNumber> numbers, Box box,
                           const TextStyle& style, bool packed) {
  const float line = style.size * numberLine;
  const auto width = [&](const std::string& words) {
    return input.metrics.width(words, style.face, style.size);
  };
  std::vector<Text> texts;
  Box row;  // what is left of the line
  for (const NodeNumber& each : numbers) {
    const bool isNext = !packed || row.width < width(each.words);
    if (isNext) row = box.height < line - 0.5f ? Box{} : box.takeTop(line);
    if (row.width < width(each.words)) break;
    const std::string named = each.name + each.words;
    const std::string words = row.width < width(named) ? each.words : named;
    texts.push_back({.at = {row.x, row.center().y}, .text = words, .style = style, .value = each.value});
    row.takeLeft(width(words) + numberGap);
  }
  return texts;
}

}  // namespace

void addNodeNumbers(Scene& scene, const SceneInput& input, std::span<const NodeNumber> numbers,
                    const Box& box, const TextStyle& style) {
  std::vector<Text> most;
  const auto consider = [&](std::span<const NodeNumber> some, bool packed) {
    std::vector<Text> texts = placedIn(input, some, box, style, packed);
    if (texts.size() > most.size()) most = std::move(texts);
  };
  consider(numbers, false);
  if (most.size() < numbers.size()) consider(numbers, true);
  if (most.size() < numbers.size() && numbers.size() > 1) {  // ln P and score rank it: they come first
    most.clear();
    consider(numbers.subspan(1), false), consider(numbers.subspan(1), true);
  }
  for (Text& text : most) scene.add(std::move(text));
}

std::string formulaOfScore(const BeamTree& tree, const Decoding& decoding, bool isShort) {
  const std::string alpha = formattedShort(tree.lengthPenalty);
  if (isShort) return tree.lengthPenalty == 0 ? "score = ln P" : "ln P, score = ln P / n^" + alpha;
  std::string words = tree.lengthPenalty == 0 ? "score = ln P, as α = 0"
                                              : "ln P, then score = ln P / nᵅ, α = " + alpha +
                                                    "; n counts the new tokens, the end too";
  if (decoding.siblingPenalty != 0)
    words += "; ranked γ (k − 1) lower, γ = " + formattedShort(decoding.siblingPenalty);
  if (decoding.groups > 1)
    words += "; ranked λ lower for each repeat, λ = " + formattedShort(decoding.groupPenalty);
  return words;
}

}  // namespace glassformer
