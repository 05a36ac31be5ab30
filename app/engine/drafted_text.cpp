#include "app/engine/drafted_text.h"

#include <algorithm>
#include <cmath>

#include "app/document/draft_settings.h"
#include "app/engine/ablation_map.h"
#include "app/engine/open_model.h"
#include "core/model/model_size.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

constexpr const char* noDraft = "No smaller model has the same tokens, and this one has a single block.";

// Nothing but the first half of a model's blocks adds to the stream.
Interventions withoutSecondHalf(const ModelConfig& config) {
  Interventions off;
  for (const CausalRow& row : causalRows(config)) {
    if (row.site == AttentionSite::Encoder || row.layer < (config.layers + 1) / 2) continue;
    const int heads = causalColumns(config) - 2;
    for (int column = heads; column < heads + 2; ++column)
      if (const auto part = causalPart(config, row, column)) off.push_back(zeroAblation(*part));
  }
  return off;
}

float shareOf(const Candidates& candidates, int token) {
  return static_cast<float>(probabilityOf(candidates, token));
}

// Of p and q: NaN where the model was never asked; nothing was proposed where q is.
std::optional<Derivation> smaller(Cell p, Cell q) {
  if (std::isnan(*p) || std::isnan(*q)) return std::nullopt;
  return Derivation{.terms = {{*p < *q ? p : q}}};
}
std::optional<Derivation> excess(Cell p, Cell q) {
  if (std::isnan(*p)) return std::nullopt;
  if (std::isnan(*q)) return Derivation{.terms = {{p}}};
  return Derivation{.form = Form::Function,
                    .terms = {{p}, {q, nullptr, -1}},
                    .function = [](double difference) { return std::max(0.0, difference); },
                    .functionName = "positive part of "};
}

}  // namespace

Decoding DraftedText::read(Decoding decoding) {
  if (decoding.strategy != DecodingStrategy::Greedy) decoding.strategy = DecodingStrategy::Sampling;
  return decoding;
}

void DraftedText::read(const ViewSettings& from, ViewSettings& to) {
  readChoices<draftChoice, proposalsChoice>(from, to);
}

// Models of at most this share of the open one's parameters: what costs as much saves nothing.
bool DraftingJob::findSmaller(const MeasuredModel& of, const ProgressCallback& watch) {
  constexpr double mostShare = 0.5;
  if (smallerThan_ == of.model.loaded) return true;
  smaller_.clear();
  const auto all = static_cast<double>(parameterCount(of.model.config()));
  for (const std::string& name : of.model.shipped) {
    if (name == of.model.asked) continue;
    if (!watch(0, 0)) return false;
    const auto loaded = of.loader(name, watch);
    if (!loaded || !sharesTokens(*loaded->tokenizer, *of.model.shown->tokenizer) ||
        loaded->transformer->config().stack != of.model.config().stack)
      continue;
    const std::int64_t parameters = parameterCount(loaded->transformer->config());
    if (static_cast<double>(parameters) <= all * mostShare)
      smaller_.push_back({name, loaded->transformer, parameters});
  }
  std::ranges::stable_sort(smaller_, {}, &SmallerModel::parameters);
  smallerThan_ = of.model.loaded;
  return true;
}

std::unique_ptr<DraftedText> DraftingJob::start(const ContinuationKey& key, const JobSide& side,
                                                const StartJob& begin) {
  if (!findSmaller(side.of, begin("looking for a draft"))) return nullptr;
  auto drafted = ContinuationJob::start(key, side, begin);
  drafted->begin(smaller_);
  return drafted;
}

JobResult DraftedText::result() const {
  std::vector<OfferedModel> offered;
  for (const SmallerModel& model : smaller_) {
    const int blocks = model.transformer->config().layers;
    offered.push_back({model.name, std::to_string(blocks) + (blocks == 1 ? " block, " : " blocks, ") +
                                       std::to_string(model.parameters) + " parameters"});
  }
  return {events_.empty() ? nullptr : asTensors(), missing_, std::move(offered)};
}

// Why nobody drafts; "" where somebody does.
std::string DraftedText::chooseDraft() {
  const std::string_view chosen = settings_.chosen(draftChoice);
  if (chosen != draftByHalf && !smaller_.empty()) {
    const auto found = std::ranges::find(smaller_, chosen, &SmallerModel::name);
    draft_ = (found == smaller_.end() ? smaller_.begin() : found)->transformer;
  }
  if (!draft_ && config().layers < 2) return noDraft;
  if (!draft_) {
    draft_ = model_, draftInterventions_ = interventions_;
    for (const Intervention& off : withoutSecondHalf(config())) draftInterventions_.push_back(off);
  }
  draftPass_ = std::make_unique<LivePass>(draft_, threads_);
  return "";
}

void DraftedText::begin(std::vector<SmallerModel> smaller) {
  smaller_ = std::move(smaller);
  missing_ = chooseDraft();
  if (missing_.empty())
    speculation_.emplace(trace_->tokens(), sampling(decoding_.strategy), proposalsAtOnce(settings_),
                         decoding_.depth, std::min(config().context, draft_->config().context), endOfText_);
}

bool DraftedText::goOn(const StartJob& begin, const std::function<void()>& more) {
  if (!speculation_ || speculation_->isDone()) return true;
  const ProgressCallback watch = begin(doing);
  const LogitsOfPrefixes model = logitsOfPrefixes(*pass_, interventions_, trace_->source());
  const NextTokenLogits draft = nextTokenLogits(*draftPass_, draftInterventions_, trace_->source());
  const auto heard = [&](std::vector<Candidates>& by, std::span<const float> logits,
                         std::span<const int> text) {
    by.push_back(speculation_->distribution(logits, text));
  };
  const LogitsOfPrefixes heardModel = [&](std::span<const int> tokens, int count) {
    auto logits = model(tokens, count);
    for (int i = 0; i < count; ++i)
      heard(said_, logits[static_cast<std::size_t>(i)],
            tokens.first(tokens.size() - static_cast<std::size_t>(count - 1 - i)));
    return logits;
  };
  const NextTokenLogits heardDraft = [&](std::span<const int> tokens) {
    std::vector<float> logits = draft(tokens);
    heard(drafted_, logits, tokens);
    return logits;
  };
  const std::size_t before = trace_->tokens().size();
  while (!speculation_->isDone()) {
    if (!watch(static_cast<int>(speculation_->text().size() - before), decoding_.depth)) return false;
    said_.clear(), drafted_.clear();
    std::vector<int> text = speculation_->text();
    const SpeculativeRound round = speculation_->advance(heardModel, heardDraft);
    ++passes_, draftCalls_ += static_cast<int>(drafted_.size());
    note(round, std::move(text));
    more();
  }
  return true;
}

// `text` is what the draft went on with.
void DraftedText::note(const SpeculativeRound& round, std::vector<int> text) {
  const std::size_t before = text.size();
  const auto add = [&](Drafted fate, int token, std::size_t place, float u) {
    Event event{.fate = fate, .round = passes_ - 1, .token = token, .u = u};
    event.text.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(before + place));
    const bool proposed = fate != Drafted::Corrected && fate != Drafted::Own;
    if (place < said_.size() && fate != Drafted::Dropped) event.p = said_[place];
    if (place < drafted_.size()) event.q = drafted_[place];
    event.draft = proposed ? shareOf(event.q, token) : NAN;
    event.target = fate != Drafted::Dropped ? shareOf(event.p, token) : NAN;
    events_.push_back(std::move(event));
    if (proposed) text.push_back(token);
  };
  std::size_t place = 0;
  for (const Proposal& proposal : round.proposals)
    add(proposal.accepted ? Drafted::Accepted : Drafted::Refused, proposal.token, place++,
        static_cast<float>(proposal.u));
  for (std::size_t i = 0; i < round.dropped.size(); ++i)
    add(Drafted::Dropped, round.dropped[i], place + i, NAN);
  if (round.token < 0) return;
  if (round.isCorrection)
    add(Drafted::Corrected, round.token, place - 1, NAN);
  else
    add(Drafted::Own, round.token, place, NAN);
}

// What either model was asked about, to be asked again.
struct DraftedText::Opened {
  TextPasses model, draft;
  SamplingSettings settings;
  int prompt = 0;                       // tokens of the open text
  std::vector<std::vector<int>> texts;  // before each token

  const std::vector<int>& before(int event) const { return texts[static_cast<std::size_t>(event)]; }
  std::pair<ReplayedPass, TensorView> byModel(int event) const {
    return model.drawnFrom("the model itself, all before it", before(event), prompt, settings);
  }
  std::pair<ReplayedPass, TensorView> byDraft(int event) const {
    return draft.drawnFrom("the draft, all before it", before(event), prompt, settings);
  }
  // q or p of one token.
  MultiPassDerivation probability(int event, bool ofDraft, int token) const {
    auto [pass, drawn] = ofDraft ? byDraft(event) : byModel(event);
    return {{.terms = {{&drawn(token)}}}, {std::move(pass)}};
  }
  // Σ min(p, q): of each token the smaller one.
  MultiPassDerivation overlap(int event) const {
    auto [model, p] = byModel(event);
    auto [draft, q] = byDraft(event);
    Derivation sum;
    for (int v = 0; v < p.extent[0]; ++v)
      if (p(v) > 0 || q(v) > 0) sum.terms.push_back({p(v) < q(v) ? &p(v) : &q(v)});
    return {std::move(sum), {std::move(model), std::move(draft)}};
  }
};

DraftedText::Opened DraftedText::opened() const {
  Opened opened{passes(),
                {draft_, draftInterventions_, trace_->source()},
                sampling(decoding_.strategy),
                trace_->tokenCount(),
                {}};
  for (const Event& event : events_) opened.texts.push_back(event.text);
  return opened;
}

std::shared_ptr<const TensorSet> DraftedText::asTensors() const {
  const int count = static_cast<int>(events_.size());
  const auto line = [&] { return Tensor({count}); };
  const auto table = [&] {
    return Tensor({count, drafting::listed},
                  std::vector<float>(static_cast<std::size_t>(count) * drafting::listed, NAN));
  };
  Tensor round = line(), fate = line(), token = line(), draft = line(), target = line(), ratio = line(),
         number = line(), shared = line(), candidate = table(), q = table(), p = table(), both = table(),
         more = table();
  int proposed = 0, accepted = 0;
  for (int i = 0; i < count; ++i) {
    const Event& event = events_[static_cast<std::size_t>(i)];
    round(i) = static_cast<float>(event.round), fate(i) = static_cast<float>(event.fate);
    token(i) = static_cast<float>(event.token), number(i) = event.u;
    draft(i) = event.draft, target(i) = event.target;
    ratio(i) = event.draft > 0 ? event.target / event.draft : NAN;
    shared(i) = event.p.empty() || event.q.empty() ? NAN : static_cast<float>(overlap(event.p, event.q));
    proposed +=
        event.fate == Drafted::Accepted || event.fate == Drafted::Refused || event.fate == Drafted::Dropped;
    accepted += event.fate == Drafted::Accepted;
    // The likeliest for either.
    std::vector<std::pair<float, int>> likeliest;
    for (const Candidates* candidates : {&event.p, &event.q})
      for (std::size_t c = 0; c < std::min<std::size_t>(drafting::listed, candidates->size()); ++c) {
        const int id = (*candidates)[c].token;
        if (std::ranges::find(likeliest, id, &std::pair<float, int>::second) == likeliest.end())
          likeliest.emplace_back(std::max(shareOf(event.p, id), shareOf(event.q, id)), id);
      }
    std::ranges::stable_sort(likeliest, std::greater{}, &std::pair<float, int>::first);
    for (int c = 0; c < std::min(drafting::listed, static_cast<int>(likeliest.size())); ++c) {
      const int id = likeliest[static_cast<std::size_t>(c)].second;
      const float ofDraft = shareOf(event.q, id), ofModel = shareOf(event.p, id);
      candidate(i, c) = static_cast<float>(id);
      if (!event.q.empty()) q(i, c) = ofDraft;
      if (!event.p.empty()) p(i, c) = ofModel;
      if (event.p.empty()) continue;
      both(i, c) = std::min(ofDraft, ofModel), more(i, c) = std::max(0.0f, ofModel - ofDraft);
    }
  }
  Tensor counts({4});
  counts(drafting::Passes) = static_cast<float>(passes_);
  counts(drafting::DraftCalls) = static_cast<float>(draftCalls_);
  counts(drafting::Proposed) = static_cast<float>(proposed);
  counts(drafting::AcceptedCount) = static_cast<float>(accepted);
  auto set = std::make_shared<TensorSet>();
  const auto opened = std::make_shared<const Opened>(this->opened());
  const TensorView tokens = token.view(), candidates = candidate.view(), overlaps = shared.view();
  const auto ofToken = [=](bool ofDraft) -> TensorSet::AcrossOf {
    return [=](const Index& at) -> OpenPasses {
      return [=] { return opened->probability(at[0], ofDraft, static_cast<int>(tokens(at[0]))); };
    };
  };
  const auto ofCandidate = [=](bool ofDraft) -> TensorSet::AcrossOf {
    return [=](const Index& at) -> OpenPasses {
      if (std::isnan(candidates(at[0], at[1]))) return nullptr;
      return [=] { return opened->probability(at[0], ofDraft, static_cast<int>(candidates(at[0], at[1]))); };
    };
  };
  set->add({drafting::round, "N", "pass of the model that decided it", ""}, std::move(round));
  set->add({drafting::fate, "N", "accepted, rejected or discarded", "accepted where u < p / q"},
           std::move(fate));
  set->add({drafting::token, "N", "a token", ""}, std::move(token));
  set->addAcross({drafting::draft, "N", "probability by the draft, after the filters", "q"}, std::move(draft),
                 ofToken(true));
  set->addAcross({drafting::target, "N", "probability by the model, after the filters", "p"},
                 std::move(target), ofToken(false));
  set->add({drafting::ratio, "N", "with which random numbers it is accepted: those below", "p / q"},
           std::move(ratio),
           [p = (*set)[drafting::target],
            q = (*set)[drafting::draft]](const Index& at) -> std::optional<Derivation> {
             if (!(q(at[0]) > 0) || std::isnan(p(at[0]))) return std::nullopt;
             return Derivation{.form = Form::Quotient, .terms = {{&p(at[0])}, {&q(at[0])}}};
           });
  set->add({drafting::number, "N", "the random number that decides", "u < p / q"}, std::move(number));
  set->addAcross({drafting::overlap, "N", "probability that a proposal is accepted", "β = Σ min(p, q)"},
                 std::move(shared), [=](const Index& at) -> OpenPasses {
                   if (std::isnan(overlaps(at[0]))) return nullptr;
                   return [=] { return opened->overlap(at[0]); };
                 });
  set->add({drafting::counts, "4", "passes of the model, calls of the draft, proposals, accepted ones", ""},
           std::move(counts),
           [rounds = (*set)[drafting::round], count](const Index& at) -> std::optional<Derivation> {
             if (at[0] != drafting::Passes || count == 0) return std::nullopt;
             return Derivation{.terms = {{&rounds(count - 1)}, {nullptr, nullptr, 1}}};  // counted from 0
           });
  set->add({drafting::candidate, "NC", "the top tokens of draft or model", ""}, std::move(candidate));
  set->addAcross({drafting::q, "NC", "probability of each by the draft", "q"}, std::move(q),
                 ofCandidate(true));
  set->addAcross({drafting::p, "NC", "probability of each by the model", "p"}, std::move(p),
                 ofCandidate(false));
  const TensorView ofModel = (*set)[drafting::p], ofDraft = (*set)[drafting::q];
  set->add({drafting::both, "NC", "probability of the token by accepted proposals", "min(p, q)"},
           std::move(both),
           [=](const Index& at) { return smaller(&ofModel(at[0], at[1]), &ofDraft(at[0], at[1])); });
  set->add({drafting::beyond, "NC", "probability of the token by corrections", "(p − q)⁺"}, std::move(more),
           [=](const Index& at) { return excess(&ofModel(at[0], at[1]), &ofDraft(at[0], at[1])); });
  return set;
}

}  // namespace glassformer
