#include "app/engine/decoder.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/decoding_commands.h"
#include "app/document/text_commands.h"
#include "app/engine/model_library.h"
#include "app/engine/sampled_draw.h"
#include "app/explain/index_meaning.h"
#include "app/views/views.h"
#include "core/decode/sampling_chain.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;
using Catch::Approx;

namespace {

const LoadedModel& stories() {
  static const auto loaded = ModelLibrary(SOURCE_FOLDER "/build").load("stories");
  return *loaded;
}

Workspace decodingFrom(const char* text, DecodingStrategy strategy) {
  Workspace w = initialWorkspace();
  w.text = text;
  w.decoding.strategy = strategy, w.decoding.depth = 6;
  return w;
}

// One engine that is asked again and again.
class Asked {
 public:
  std::shared_ptr<const Snapshot> about(const Workspace& w) {
    engine_.request(w, ++revision_);
    engine_.finish();
    return engine_.latest();
  }

 private:
  Engine engine_{[](const std::string&, const ProgressCallback&) -> Result<LoadedModel> { return stories(); },
                 [] {}, neededFor};
  std::uint64_t revision_ = 0;
};

std::string bytes(const Snapshot& snapshot) {
  return snapshot.model->bytesOf(snapshot.decoded->continuation);
}

}  // namespace

TEST_CASE(
    "while a hypothesis is looked at the tree is the same one, and the pass is that over the hypothesis") {
  Asked asked;
  Workspace w = decodingFrom("The dog went to", DecodingStrategy::Beam);
  const auto before = asked.about(w);
  const auto tree = before->decoded->beam;
  REQUIRE(tree);
  for (const int node :
       {tree->hypotheses.back(), tree->nodes[static_cast<std::size_t>(tree->best)].parent, 0}) {
    const std::string added = before->model->bytesOf(tree->path(node));
    commands::lookAt("The dog went to", added).apply(w);
    const auto looking = asked.about(w);
    CHECK(looking->isDecoded());
    CHECK(looking->decoded->beam == tree);  // not searched anew
    CHECK(looking->decoded->root == "The dog went to");
    CHECK(looking->pass->text == "The dog went to" + added);
    // What follows the hypothesis follows it, and not the root.
    Workspace typed = decodingFrom(w.text.c_str(), DecodingStrategy::Beam);
    CHECK(bytes(*looking) == bytes(*latestFor(typed)));
  }
  commands::lookAt("The dog went to", before->model->bytesOf(tree->path(tree->best))).apply(w);
  commands::searchFromHere().apply(w);
  const auto anew = asked.about(w);
  CHECK(anew->decoded->root == w.text);
  CHECK(anew->decoded->beam != tree);
  CHECK(anew->decoded->beam->path(anew->decoded->beam->best) == anew->decoded->continuation);
}

TEST_CASE("every place of a way has the probability and the entropy of what it was drawn from") {
  Asked asked;
  Workspace w = decodingFrom("Once there was", DecodingStrategy::Sampling);
  const std::string added = bytes(*asked.about(w));
  commands::appendText("Once there was", added, ChosenBy::Sampling).apply(w);
  const auto whole = asked.about(w);
  REQUIRE(whole->decoded->way);
  const DecodedPath& way = *whole->decoded->way;
  REQUIRE(way.tokens.size() == 6);
  LivePass pass(stories().transformer);
  for (int i = 0; i < 6; ++i) {
    const DecodedToken& place = way.tokens[static_cast<std::size_t>(i)];
    const std::size_t begin = i ? way.tokens[static_cast<std::size_t>(i) - 1].end : way.from.text.size();
    const std::vector<int> read = stories().tokenizer->encodeIds(way.to.substr(0, begin));
    const Candidates drawnFrom = candidatesOf(nextTokenLogits(pass)(read));
    const double p = std::ranges::find(drawnFrom, place.token, &Candidate::token)->probability;
    CHECK((*way.measurements)["way.probability"](i) == Approx(p).margin(1e-5));
    CHECK((*way.measurements)["way.entropy"](i) == Approx(entropyOf(drawnFrom)).margin(1e-4));
  }
  CHECK(way.tokens.back().end == w.text.size());
  const auto [counted, which] =
      indexMeaning(*whole, way.measurements->point(way.measurements->find("way.probability")), 0, 4);
  CHECK(counted == "step");
  CHECK(which == "4  " + whole->model->entryLabel(way.tokens[4].token));
  // Going back loses nothing of it, and computes nothing of it again.
  commands::goToPrefix(way.to.substr(0, way.tokens[2].end)).apply(w);
  const auto back = asked.about(w);
  CHECK(back->decoded->way == whole->decoded->way);
  CHECK(back->pass->trace->tokenCount() == whole->pass->trace->tokenCount() - 3);
  w.text = "Once there is";
  CHECK_FALSE(asked.about(w)->decoded->way);
}

// Each token takes one number of the seed, whoever asks for how many at once.
TEST_CASE("sampling token by token, and from any place again, draws what sampling draws at once") {
  Asked asked;
  Workspace w = decodingFrom("Once there was", DecodingStrategy::Sampling);
  w.view = "next_token", w.settings.pictures["next_token"] = "sampling";
  w.decoding.stages = {{"temperature", 1.4f}};
  const std::string atOnce = bytes(*asked.about(w));
  for (int step = 0; step < 6; ++step) {
    const auto now = asked.about(w);
    const int token = now->decoded->continuation.front();
    const TensorSet& chain = *now->pass->measurements;
    CHECK(static_cast<int>(chain[chain::drawn](0)) == token);
    CHECK(static_cast<int>(chain[chain::which](0)) == step + 1);
    commands::appendText(w.text, now->model->bytesOf(std::span(&token, 1)), ChosenBy::Sampling).apply(w);
  }
  CHECK(w.text == "Once there was" + atOnce);
  const auto end = asked.about(w);
  const DecodedPath& way = *end->decoded->way;
  commands::goToPrefix(way.to.substr(0, way.tokens[1].end)).apply(w);
  const auto back = asked.about(w);
  CHECK(back->decoded->continuation.front() == way.tokens[2].token);
}

namespace {

// What the picture of sampling shows of a draw.
struct SeenDraw {
  float u = 0;
  int which = 0, drawn = 0, chosen = 0;
  std::vector<float> probabilities;
  bool operator==(const SeenDraw&) const = default;
};
SeenDraw drawIn(const Snapshot& snapshot) {
  const TensorSet& set = *snapshot.pass->measurements;
  const auto number = [&](const char* name) { return static_cast<int>(set[name](0)); };
  return {set[chain::draw](0), number(chain::which), number(chain::drawn), number(sampled::chosen),
          set[chain::probability].copy()};
}

}  // namespace

TEST_CASE("a draw that happened keeps its random number, its settings and its constraint") {
  Asked asked;
  Workspace w = decodingFrom("Once there was", DecodingStrategy::Sampling);
  w.view = "next_token", w.settings.pictures["next_token"] = "sampling";
  w.decoding.stages = {{"temperature", 1.4f}}, w.decoding.seed = 4;
  w.decoding.constraint = {"[a-z ]+", "Once there was", {}};
  std::vector<SeenDraw> seen;
  for (int step = 0; step < 3; ++step) {
    const auto now = asked.about(w);
    seen.push_back(drawIn(*now));
    CHECK(seen.back().chosen == -1);  // still to come
    const int token = now->decoded->continuation.front();
    CHECK(seen.back().drawn == token);
    seen.back().chosen = token;  // as it will be
    commands::appendText(w.text, now->model->bytesOf(std::span(&token, 1)), ChosenBy::Sampling).apply(w);
  }
  const auto end = asked.about(w);
  const DecodedPath way = *end->decoded->way;
  w.decoding = {.strategy = DecodingStrategy::Greedy, .seed = 77};  // of now
  for (int place : {0, 2, 1}) {
    const std::size_t length =
        place ? way.tokens[static_cast<std::size_t>(place) - 1].end : way.from.text.size();
    commands::goToPrefix(way.to.substr(0, length)).apply(w);
    const auto back = asked.about(w);
    const SeenDraw drawn = drawIn(*back);
    INFO("place " << place);
    CHECK((drawn == seen[static_cast<std::size_t>(place)]));
    CHECK(static_cast<int>((*back->pass->measurements)[sampled::by](0)) ==
          static_cast<int>(ChosenBy::Sampling));
    CHECK(way.tokens[static_cast<std::size_t>(place)].by == ChosenBy::Sampling);
    const auto q = (*way.measurements)["way.drawn"](place);
    const auto last = (*back->pass->measurements)[chain::probability];
    CHECK(q == Approx(last(last.extent[0] - 1, drawn.chosen)).margin(1e-5));
  }
  commands::decodeAgainFrom(w.text).apply(w);
  CHECK(drawIn(*asked.about(w)).chosen == -1);
}

TEST_CASE("a text that was written has no draw, and a forced token is no draw either") {
  Asked asked;
  Workspace w = decodingFrom("Once there was", DecodingStrategy::Sampling);
  w.view = "next_token", w.settings.pictures["next_token"] = "sampling";
  w.selection.query = 0;
  auto shown = asked.about(w);
  CHECK(static_cast<int>((*shown->pass->measurements)[sampled::by](0)) == -1);
  CHECK(drawIn(*shown).chosen == shown->pass->trace->tokens()[1]);
  w.selection.query = -1;
  commands::forceToken("Once there was", " a", "a").apply(w);
  shown = asked.about(w);
  REQUIRE(shown->decoded->way);
  CHECK(shown->decoded->way->tokens.front().by == ChosenBy::Hand);
  CHECK(std::isnan((*shown->decoded->way->measurements)["way.drawn"](0)));
}

TEST_CASE("every token of the strip has both probabilities, and all of it one ln P") {
  Asked asked;
  Workspace w = decodingFrom("The old man saw", DecodingStrategy::Sampling);
  w.decoding.stages = {{"temperature", 0.6f}, {"top-k", 3}};
  const auto first = asked.about(w);
  const int token = first->decoded->continuation.front();
  commands::appendText(w.text, first->model->bytesOf(std::span(&token, 1)), ChosenBy::Sampling).apply(w);
  const auto now = asked.about(w);
  LivePass pass(stories().transformer);
  std::vector<int> text = stories().tokenizer->encodeIds("The old man saw");
  double total = 0;
  std::vector<int> all{token};
  all.insert(all.end(), now->decoded->continuation.begin(), now->decoded->continuation.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<float> logits = nextTokenLogits(pass)(text);
    const TensorSet& set =
        i == 0 ? *now->decoded->way->measurements : *now->decoded->continuationMeasurements;
    const std::string of = i == 0 ? "way" : "continuation";
    const int at = i == 0 ? 0 : static_cast<int>(i) - 1;
    const double p = std::exp(logSoftmax(logits)[static_cast<std::size_t>(all[i])]);
    CHECK(set[of + ".probability"](at) == Approx(p).margin(1e-5));
    const double q = probabilityOf(narrowed(candidatesOf(logits, text), w.decoding.stages), all[i]);
    CHECK(set[of + ".drawn"](at) == Approx(q).margin(1e-5));
    const OpenPasses open = set.across(of + ".drawn", {at});
    REQUIRE(open);
    CHECK(open().derivation.value() == Approx(q).margin(1e-5));
    total += std::log(p);
    text.push_back(all[i]);
  }
  REQUIRE(now->decoded->total);
  CHECK((*now->decoded->total)["strip.total"](0) == Approx(total).margin(1e-4));
}

TEST_CASE("a continuation that stops in a dead end says where and why, in a beam as well") {
  for (const DecodingStrategy strategy : {DecodingStrategy::Greedy, DecodingStrategy::Beam}) {
    Workspace w = decodingFrom("The dog was", strategy);
    w.decoding.constraint = {"old and ☃", "The dog was", {}};
    const auto known = stories().tokenizer->encodeIds(" ☃");
    w.decoding.constraint.banned = {known.front()};
    for (const int token : stories().tokenizer->encodeIds("☃")) w.decoding.constraint.banned.push_back(token);
    std::ranges::sort(w.decoding.constraint.banned);
    const auto snapshot = latestFor(w);
    REQUIRE(snapshot->decoded->deadEnd);
    const DeadEnd& end = *snapshot->decoded->deadEnd;
    CHECK(end.step == static_cast<int>(snapshot->decoded->continuation.size()) + 1);
    CHECK(end.written.starts_with("old and"));
    CHECK(end.wanted == "a space");
    CHECK(end.banned > 0);
    w.decoding.constraint = {"old and tired\\.", "The dog was", {}};
    w.decoding.depth = 12;
    CHECK_FALSE(latestFor(w)->decoded->deadEnd);  // whole, and so done
  }
}

// A model with the same entries is shown beside what the one before has decoded, until that is decoded anew.
TEST_CASE("numbers of a decoding open when its model is shown no longer") {
  std::vector<std::weak_ptr<const Transformer>> loaded;
  const auto copied = [&](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    LoadedModel model = stories();
    model.name = name;
    model.transformer = std::make_shared<const Transformer>(model.transformer->config(),
                                                            model.transformer->parameters().copy());
    loaded.push_back(model.transformer);
    return model;
  };
  Workspace w = decodingFrom("The dog went to", DecodingStrategy::Beam);
  std::shared_ptr<const Decoded> decoded;
  {
    Engine engine(
        copied, [] {}, neededFor);
    engine.request(w, 1);
    engine.finish();
    decoded = engine.latest()->decoded;
  }
  REQUIRE(loaded.size() == 1);
  REQUIRE(decoded->beam);
  CHECK_FALSE(loaded.front().expired());
  for (const TensorSet* set : {decoded->beamMeasurements.get(), decoded->continuationMeasurements.get()}) {
    const char* name =
        set == decoded->beamMeasurements.get() ? "beam.probability" : "continuation.probability";
    const OpenPasses open = set->across(name, {1});
    REQUIRE(open);
    CHECK(open().derivation.value() == Approx((*set)[name](1)));
  }
  decoded.reset();
  CHECK(loaded.front().expired());
}
