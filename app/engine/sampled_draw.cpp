#include "app/engine/sampled_draw.h"

#include <algorithm>

#include "app/document/workspace.h"
#include "app/engine/decoder.h"
#include "app/engine/measurements.h"
#include "app/engine/open_model.h"
#include "core/decode/sampling_chain.h"

namespace glassformer {

namespace {

// Where a draw is looked at.
struct Place {
  int position = 0;
  std::span<const int> read;  // the tokens up to there, with it
  std::string text;           // which they are
};

Place placeAt(const MeasuredPass& pass, int position) {
  const auto read = std::span(pass.trace.tokens()).first(static_cast<std::size_t>(position) + 1);
  const auto signs = static_cast<std::size_t>(signsAround(*pass.tokenizer, pass.config()).before);
  return {position, read, pass.tokenizer->decode(read.subspan(std::min(signs, read.size())))};
}

// The token that stands behind a place, in the text or further on the way; −1: none does.
int tokenBehind(const MeasuredPass& pass, const Place& place) {
  const std::vector<int>& tokens = pass.trace.tokens();
  const auto next = static_cast<std::size_t>(place.position) + 1;
  if (next < tokens.size()) return tokens[next];
  if (!pass.workspace.way.leadsThrough(place.text, pass.workspace.source)) return -1;
  for (const Token& piece : pass.tokenizer->encode(pass.workspace.way.to))
    if (static_cast<std::size_t>(piece.begin) == place.text.size()) return piece.id;
  return -1;
}

void addNumbers(int place, int which, int chosen, int by, TensorSet& set) {
  const auto one = [](int number) { return Tensor({1}, {static_cast<float>(number)}); };
  set.add(
      {chain::which, "1", "index of the random number that chooses the token", "one for each token decoded"},
      one(which));
  set.add({sampled::place, "1", "position of the token that the draw follows", ""}, one(place));
  set.add({sampled::chosen, "1", "next token of the text there; -1: none yet", ""}, one(chosen));
  set.add({sampled::by, "1",
           "origin of the choice: 0 greedy, 1 sampling, 2 beam search, 3 a person; -1: none", ""},
          one(by));
}

}  // namespace

PlaceOfDraw placeOfDraw(const Snapshot& snapshot) {
  const ShownPass& pass = *snapshot.pass;
  const int last = pass.trace->tokenCount() - 1;
  const bool isMeasured = pass.measurements && pass.measurements->contains(sampled::place);
  const int position = isMeasured ? static_cast<int>((*pass.measurements)[sampled::place](0)) : last;
  if (position >= last) return {last, pass.text};
  return {position, pass.text.substr(0, pass.tokens[static_cast<std::size_t>(position)].end)};
}

void measureSampledDraw(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  if (pass.config().stack == Stack::EncoderOnly) return;
  const Place place = placeAt(pass, selectedPosition(pass.workspace, pass.trace));
  const TensorView row = pass.trace["logits"][place.position];
  const std::span<const float> logits(row.data, static_cast<std::size_t>(row.extent[0]));
  const DecodedStretch* const gone = pass.workspace.way.goneOnBehind(place.text, pass.workspace.source);
  const Decoding& decoding = gone ? gone->decoding : pass.workspace.decoding;
  const SamplingSettings settings = samplingSettings(
      DecodingStrategy::Sampling, decoding,
      constraintOn(decoding, pass.tokenizer, place.text, pass.config(), static_cast<int>(place.read.size())));
  const int drawn = decodedBefore(pass.workspace.way, {place.text, pass.workspace.source}, *pass.tokenizer);
  measureSamplingChain(logits, place.read, {}, settings, randomBehind(decoding.seed, drawn).uniform01(), set);
  addNumbers(place.position, drawn + 1, tokenBehind(pass, place), gone ? static_cast<int>(gone->by) : -1,
             set);
}

}  // namespace glassformer
