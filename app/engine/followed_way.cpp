#include "app/engine/followed_way.h"

#include <algorithm>
#include <cmath>

#include "app/engine/decoded_numbers.h"
#include "app/engine/decoder.h"
#include "app/engine/text_passes.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

class WayFollower {
 public:
  WayFollower(const WayReader& reader, const DecodeHistory& way, std::vector<int> read,
              const DecodedPath* known)
      : reader_(reader),
        way_(way),
        read_(std::move(read)),
        pieces_(reader.tokenizer->encode(way.to)),
        known_(known) {
    signs_ = read_.size() - std::min(read_.size(), pieces_.size());
    const auto isDecoded = [&](const Token& piece) {
      return static_cast<std::size_t>(piece.begin) >= way.from.text.size();
    };
    const auto before = std::ranges::find_if(pieces_, isDecoded) - pieces_.begin();
    first_ = std::min(std::max<std::size_t>(signs_ + static_cast<std::size_t>(before), 1), read_.size());
  }

  // What each token was drawn from is row t − 1 of one pass.
  std::shared_ptr<const DecodedPath> followed() {
    const auto trace = reader_.pass.run(read_, reader_.interventions, reader_.source);
    path_ = {way_.from, way_.to, way_.stretches, {}, nullptr};
    for (std::size_t t = first_; t < read_.size(); ++t)
      note(t, (*trace)["logits"][static_cast<int>(t) - 1].copy());
    path_.measurements = measured();
    return std::make_shared<const DecodedPath>(std::move(path_));
  }

 private:
  void note(std::size_t t, const std::vector<float>& logits) {
    const Token& piece = pieces_[t - signs_];
    const DecodedStretch* const stretch = way_.stretchAt(static_cast<std::size_t>(piece.begin));
    path_.tokens.push_back(
        {piece.id, static_cast<std::size_t>(piece.end), stretch ? std::optional(stretch->by) : std::nullopt});
    numbers_.logProbability.push_back(logSoftmax(logits)[static_cast<std::size_t>(piece.id)]);
    numbers_.entropy.push_back(static_cast<float>(entropyOf(candidatesOf(logits))));
    numbers_.drawn.push_back(NAN);
    settings_.push_back({});
    if (!stretch || stretch->by != ChosenBy::Sampling) return;
    settings_.back() = samplingOf(stretch->decoding, t);
    if (const auto drawn = drawnBefore(piece, *stretch)) {
      numbers_.drawn.back() = *drawn;
      return;
    }
    const double q = probabilityOf(drawnFrom(logits, before(t), {}, *settings_.back()), piece.id);
    if (q > 0) numbers_.drawn.back() = static_cast<float>(q);
  }

  // The known number of the last token noted, where all up to it is the same.
  std::optional<float> drawnBefore(const Token& piece, const DecodedStretch& stretch) const {
    const std::size_t i = path_.tokens.size() - 1, end = static_cast<std::size_t>(piece.end);
    if (!known_ || i >= known_->tokens.size() || known_->from != way_.from) return std::nullopt;
    if (known_->tokens[i] != path_.tokens[i] || known_->to.compare(0, end, way_.to, 0, end) != 0)
      return std::nullopt;
    const DecodeHistory before{known_->from, known_->to, "", false, known_->stretches};
    const DecodedStretch* const then = before.stretchAt(static_cast<std::size_t>(piece.begin));
    if (!then || then->by != stretch.by || then->decoding != stretch.decoding) return std::nullopt;
    return (*known_->measurements)["way.drawn"](static_cast<int>(i));
  }

  std::span<const int> before(std::size_t t) const { return std::span(read_).first(t); }
  SamplingSettings samplingOf(const Decoding& decoding, std::size_t t) const {
    const auto begin = static_cast<std::size_t>(pieces_[t - signs_].begin);
    return samplingSettings(DecodingStrategy::Sampling, decoding,
                            constraintOn(decoding, reader_.tokenizer, way_.to.substr(0, begin),
                                         reader_.pass.model().config(), static_cast<int>(t)));
  }

  std::shared_ptr<const TensorSet> measured() const {
    const TextPasses passes(reader_.pass.sharedModel(), reader_.interventions, reader_.source);
    const auto upTo = [read = read_, first = first_](int i) {
      return std::vector<int>(read.begin(), read.begin() + static_cast<std::ptrdiff_t>(first) + i + 1);
    };
    const auto byModel = [=](const Index& at) { return passes.probability(upTo(at[0])); };
    const auto byDraw = [=, settings = settings_, first = static_cast<int>(first_),
                         drawn = numbers_.drawn](const Index& at) -> OpenPasses {
      const auto i = static_cast<std::size_t>(at[0]);
      if (std::isnan(drawn[i])) return nullptr;
      return passes.drawnProbability(upTo(at[0]), first + at[0], *settings[i]);
    };
    return measureDecoded("way", numbers_, byModel, byDraw);
  }

  const WayReader& reader_;
  const DecodeHistory& way_;
  std::vector<int> read_;
  Tokenization pieces_;
  const DecodedPath* known_;
  std::size_t signs_ = 0, first_ = 0;  // special tokens in front; the first token that was decoded
  DecodedPath path_;
  DecodedNumbers numbers_;
  std::vector<std::optional<SamplingSettings>> settings_;  // of each token that was sampled
};

}  // namespace

std::shared_ptr<const DecodedPath> followedWay(const WayReader& reader, const DecodeHistory& way,
                                               std::vector<int> read, const DecodedPath* known) {
  return WayFollower(reader, way, std::move(read), known).followed();
}

}  // namespace glassformer
