#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/engine/need.h"
#include "app/engine/searched_texts.h"

namespace glassformer {

/// Which pass something is measured on.
struct PassKey {
  std::shared_ptr<const Transformer> model;
  std::shared_ptr<const Trace> trace;
  Interventions interventions;
  bool operator==(const PassKey&) const = default;
};

/// The texts that a model reads where many are asked about.
struct CorpusKey {
  std::shared_ptr<const Transformer> model;
  Corpus corpus;
  bool operator==(const CorpusKey&) const = default;
};

/// One of the texts that are looked at: the open one, or the one that it is compared with.
struct JobSide {
  const MeasuredModel& of;
  const Snapshot& snapshot;
  std::shared_ptr<const Transformer> model;  ///< that reads it
  Interventions interventions;
  const Snapshot* beside = nullptr;  ///< of the text compared with; null: there is none
  bool isOpen = true;

  const Workspace& workspace() const { return of.workspace; }
  const ModelConfig& config() const { return model->config(); }
  /// Whether training moves its weights on.
  bool isMoving() const;
  /// Its pass; nothing where there is none, or where its weights move.
  std::optional<PassKey> pass() const;
  /// The texts that are asked for; nothing where its weights move.
  std::optional<CorpusKey> corpus() const;
};

/// Both sides, the open text first. A trace from elsewhere has no weights to measure with and is no side.
std::vector<JobSide> jobSides(const MeasuredModel& of, const Snapshot& snapshot);

/// A measurement that follows its picture. Its key names all that it depends on: for one key it starts once,
/// continues where it was stopped, and is dropped when nobody asks for that key any longer. It measures both
/// sides of a comparison, once where their keys are equal.
template <typename Key, typename State>
class Job : public BackgroundJob {
 public:
  void show(const MeasuredModel& of, Snapshot& snapshot) const final {
    const std::vector<JobSide> sides = jobSides(of, snapshot);
    const JobResult here = resultOf(sides.front()),
                    there = sides.size() > 1 ? resultOf(sides.back()) : JobResult{};
    put(snapshot, here, there,
        snapshot.difference ? difference(here, there, snapshot.difference->sides->alignments) : JobResult{});
  }

  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) final {
    std::vector<Known> asked;
    bool isNew = false;
    for (const JobSide& side : jobSides(of, snapshot)) {
      std::optional<Key> key = this->key(side);
      if (!key || stateOf(asked, *key)) continue;
      std::shared_ptr<State> state = stateOf(known_, *key);
      if (!state) state = start(*key, side, begin), isNew = true;
      if (!state) continue;
      isNew |= follow(*state, side);
      asked.push_back({*std::move(key), std::move(state)});
    }
    if (!asked.empty() || isNew) known_ = std::move(asked);
    return isNew;
  }

  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) final {
    for (const JobSide& side : jobSides(of, snapshot))
      if (const std::optional<Key> key = this->key(side))
        if (const auto state = stateOf(known_, *key))
          if (!goOn(*key, *state, side, begin, more)) return;
  }

 protected:
  /// What is asked for on a side; nothing where there is nothing to measure.
  virtual std::optional<Key> key(const JobSide& side) const = 0;
  /// Why there is nothing.
  virtual std::string missing(const JobSide&) const { return ""; }
  /// Nothing is measured yet; null where it was stopped.
  virtual std::unique_ptr<State> start(const Key& key, const JobSide& side, const StartJob& begin) = 0;
  /// Takes up what of it is looked at: the selected head, the number that is shown. True where that is
  /// something else than before.
  virtual bool follow(State&, const JobSide&) { return false; }
  /// Until all is there; false where it was stopped. Calls `more` whenever there is more to show.
  virtual bool goOn(const Key& key, State& state, const JobSide& side, const StartJob& begin,
                    const std::function<void()>& more) = 0;
  /// As far as it is measured, for what the side looks at.
  virtual JobResult result(const Key& key, const State& state, const JobSide& side) const = 0;
  /// Of both sides' results.
  virtual JobResult difference(const JobResult&, const JobResult&, const Alignments&) const { return {}; }

 private:
  struct Known {
    Key key;
    std::shared_ptr<State> state;
  };
  static std::shared_ptr<State> stateOf(const std::vector<Known>& known, const Key& key) {
    for (const Known& each : known)
      if (each.key == key) return each.state;
    return nullptr;
  }
  JobResult resultOf(const JobSide& side) const {
    if (const std::optional<Key> key = this->key(side))
      if (const auto state = stateOf(known_, *key)) return result(*key, *state, side);
    return {.missing = missing(side)};
  }

  std::vector<Known> known_;
};

/// A job whose state does the work: State(key, side, threads), bool goOn(begin, more), JobResult result().
template <typename Key, typename State>
class JobOfState : public Job<Key, State> {
 public:
  explicit JobOfState(int threads) : threads_(threads) {}

 protected:
  std::unique_ptr<State> start(const Key& key, const JobSide& side, const StartJob&) override {
    return std::make_unique<State>(key, side, threads_);
  }
  bool goOn(const Key&, State& state, const JobSide&, const StartJob& begin,
            const std::function<void()>& more) final {
    return state.goOn(begin, more);
  }
  JobResult result(const Key&, const State& state, const JobSide&) const final { return state.result(); }

 private:
  int threads_;
};

/// A job that is done in one piece.
template <typename Key>
class WholeJob : public Job<Key, std::optional<JobResult>> {
 protected:
  using Result = std::optional<JobResult>;
  /// Nothing where it was stopped.
  virtual Result measureAll(const Key& key, const JobSide& side, const StartJob& begin) = 0;

 private:
  std::unique_ptr<Result> start(const Key&, const JobSide&, const StartJob&) final {
    return std::make_unique<Result>();
  }
  bool goOn(const Key& key, Result& state, const JobSide& side, const StartJob& begin,
            const std::function<void()>& more) final {
    if (state) return true;
    state = measureAll(key, side, begin);
    if (state) more();
    return state.has_value();
  }
  JobResult result(const Key&, const Result& state, const JobSide&) const final {
    return state.value_or(JobResult{});
  }
};

/// A job over many texts, whose state does the work: State(key, texts, side, threads), bool goOn(side, begin,
/// more). Its key is a CorpusKey, or more.
template <typename Key, typename State>
class JobOverTexts : public Job<Key, State> {
 public:
  explicit JobOverTexts(int threads) : threads_(threads) {}

 protected:
  std::unique_ptr<State> start(const Key& key, const JobSide& side, const StartJob& begin) final {
    auto texts = textsRead(key.corpus, side.of.model, begin);
    return texts ? std::make_unique<State>(key, std::move(texts), side, threads_) : nullptr;
  }
  bool goOn(const Key&, State& state, const JobSide& side, const StartJob& begin,
            const std::function<void()>& more) final {
    return state.goOn(side, begin, more);
  }

 private:
  int threads_;
};

/// What both results have of the tensors that are compared, here minus there. Nothing without both.
JobResult differenceOf(const JobResult& here, const JobResult& there, const Alignments& alignments,
                       bool (*isCompared)(std::string_view name));

}  // namespace glassformer
