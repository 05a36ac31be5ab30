// Decoding against tests/reference/make_decoding_reference.py, which does the same in PyTorch: real logits of
// the model "stories", of 48 tokens alone.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/decode/beam_search.h"
#include "core/decode/sampling_chain.h"
#include "core/decode/speculative.h"
#include "tests/core/model/reference_values.h"

using namespace glassformer;

namespace {

constexpr int kept = 48, most = 12;
constexpr double bound = 1e-5;

// A tensor of the file, as rows of `width` numbers.
class Rows {
 public:
  Rows(const ReferenceValues& file, const std::string& name, int width)
      : values_(file.values(name)), width_(static_cast<std::size_t>(width)) {}
  int count() const { return static_cast<int>(values_.size() / width_); }
  std::span<const float> row(int i) const {
    return std::span(values_).subspan(static_cast<std::size_t>(i) * width_, width_);
  }
  float operator()(int i, int j) const { return row(i)[static_cast<std::size_t>(j)]; }
  std::vector<int> integers(int i) const { return {row(i).begin(), row(i).end()}; }

 private:
  std::vector<float> values_;
  std::size_t width_;
};

const ReferenceValues& decodingFile() {
  static const ReferenceValues file("decoding.safetensors");
  return file;
}

// The stages' numbers from a place of a row on, as samplingStages() has them.
StageNumbers numbersFrom(const Rows& rows, int i, int first) {
  StageNumbers numbers;
  for (int s = 0; s < static_cast<int>(samplingStages().size()); ++s)
    numbers.set(samplingStages()[static_cast<std::size_t>(s)], rows(i, first + s));
  return numbers;
}

std::vector<float> answerOf(const Rows& table, int token) {
  const auto row = table.row(token);
  return {row.begin(), row.end()};
}

}  // namespace

TEST_CASE("after every stage of 30 settings of sampling the distribution is PyTorch's") {
  const ReferenceValues& file = decodingFile();
  const int stages = static_cast<int>(samplingStages().size());
  const Rows behind(file, "behind", kept), texts(file, "sampling.text", 8),
      numbers(file, "sampling.numbers", stages), order(file, "sampling.order", stages),
      after(file, "sampling.after", kept);
  REQUIRE(numbers.count() == 30);
  double worst = 0;
  for (int i = 0; i < numbers.count(); ++i) {
    StageNumbers settings = numbersFrom(numbers, i, 0);
    std::vector<std::string> ids;
    for (const int stage : order.integers(i))
      ids.emplace_back(samplingStages()[static_cast<std::size_t>(stage)].id);
    settings.setOrder(ids);
    TensorSet set;
    measureSamplingChain(behind.row(i % behind.count()), texts.integers(i), {}, {.stages = settings}, 0.5,
                         set);
    const TensorView p = set[chain::probability];
    for (int g = 0; g <= stages; ++g)
      for (int token = 0; token < kept; ++token) {
        INFO("setting " << i << ", stage " << g << ", token " << token);
        const double expected = after(i * (stages + 1) + g, token);
        CHECK(std::isfinite(set[chain::before](g, token)) == (expected >= 0));  // who is left
        const double difference = std::abs(p(g, token) - std::max(0.0, expected));
        CHECK(difference < bound);
        worst = std::max(worst, difference);
      }
  }
  CHECK(worst > 0);  // two implementations, not one
}

TEST_CASE("90 beams end with the hypotheses, log-probabilities and scores of a second implementation") {
  const ReferenceValues& file = decodingFile();
  const Rows table(file, "model", kept), behind(file, "behind", kept), asked(file, "beam.asked", 4),
      tokens(file, "beam.tokens", most), numbers(file, "beam.numbers", 2);
  REQUIRE(asked.count() == 90);
  const NextTokenLogits logits = [&](std::span<const int> text) {
    std::vector<float> sum = answerOf(table, text.back());
    const auto more = behind.row(static_cast<int>(text.size()) % behind.count());
    for (std::size_t v = 0; v < sum.size(); ++v) sum[v] += static_cast<float>(text.size()) / 8 * more[v];
    return sum;
  };
  for (int i = 0; i < asked.count(); ++i) {
    const std::vector<int> prompt{static_cast<int>(asked(i, 0))};
    const BeamTree tree = beamSearch(logits, prompt,
                                     {.width = static_cast<int>(asked(i, 1)),
                                      .depth = static_cast<int>(asked(i, 3)),
                                      .lengthPenalty = asked(i, 2),
                                      .endOfText = kept - 1});
    INFO("beam " << i << ": width " << asked(i, 1) << ", alpha " << asked(i, 2) << ", length "
                 << asked(i, 3));
    const int places = tokens.count() / asked.count();
    REQUIRE(static_cast<int>(tree.hypotheses.size()) == static_cast<int>(asked(i, 1)));
    for (int h = 0; h < static_cast<int>(tree.hypotheses.size()); ++h) {
      std::vector<int> expected = tokens.integers(i * places + h);
      std::erase(expected, -1);
      const int node = tree.hypotheses[static_cast<std::size_t>(h)];
      CHECK(tree.path(node) == expected);
      const BeamNode& end = tree.nodes[static_cast<std::size_t>(node)];
      CHECK(std::abs(end.cumulative - static_cast<double>(numbers(i * places + h, 0))) < bound);
      CHECK(std::abs(end.score - static_cast<double>(numbers(i * places + h, 1))) < bound);
    }
  }
}

TEST_CASE("186 decisions of speculative decoding are those of a second implementation") {
  const ReferenceValues& file = decodingFile();
  const Rows model(file, "model", kept), draft(file, "draft", kept), runs(file, "speculative.runs", 12),
      decisions(file, "speculative.decisions", 5);
  REQUIRE(decisions.count() == 186);
  int at = 0, accepted = 0;
  for (int r = 0; r < runs.count(); ++r) {
    const SamplingSettings settings{.stages = numbersFrom(runs, r, 4),
                                    .seed = static_cast<std::uint64_t>(runs(r, 0))};
    Speculation speculation({static_cast<int>(runs(r, 3))}, settings, static_cast<int>(runs(r, 1)),
                            static_cast<int>(runs(r, 2)), 1 << 20, kept - 1);
    while (!speculation.isDone()) {
      const auto read = [&](std::span<const int> text, int count) {
        std::vector<std::vector<float>> answers;
        for (const int token : text.last(static_cast<std::size_t>(count)))
          answers.push_back(answerOf(model, token));
        return answers;
      };
      const SpeculativeRound round =
          speculation.advance(read, [&](std::span<const int> text) { return answerOf(draft, text.back()); });
      for (const Proposal& p : round.proposals) {
        if (at == decisions.count()) return;
        INFO("run " << r << ", decision " << at);
        REQUIRE(p.token == static_cast<int>(decisions(at, 0)));
        CHECK(std::abs(p.draft - static_cast<double>(decisions(at, 1))) < bound);
        CHECK(std::abs(p.target - static_cast<double>(decisions(at, 2))) < bound);
        CHECK(std::abs(p.u - static_cast<double>(decisions(at, 3))) < bound);
        CHECK(p.accepted == (decisions(at, 4) != 0));
        accepted += p.accepted, ++at;
      }
    }
  }
  CHECK(at == decisions.count());
  CHECK(accepted > 0);
  CHECK(accepted < at);
}
