#include "app/engine/past_answers.h"

#include <utility>

#include "core/train/answers.h"

namespace glassformer {

namespace {

constexpr std::size_t remembered = 64;

// Whose answers have to be asked for: those of the newest step are in its report.
bool isPast(const Snapshot& snapshot) {
  return snapshot.training->run && snapshot.training->side &&
         snapshot.training->step != snapshot.training->run->step && !snapshot.training->side->answers.empty();
}

StepRing::Values weightsOf(const Snapshot& snapshot) {
  return snapshot.training->side->weights->at(snapshot.training->step);
}

std::vector<Example> questionsOf(const RunVariant& side) {
  std::vector<Example> questions;
  for (const Answered& answered : side.answers) questions.push_back(answered.example);
  return questions;
}

}  // namespace

PastAnswers::Place PastAnswers::placeOf(const Snapshot& snapshot) {
  const bool other =
      snapshot.training->run->other && snapshot.training->side.get() == &*snapshot.training->run->other;
  return {snapshot.training->run->name, other ? 1 : 0, snapshot.training->step};
}

PastAnswers::Answers PastAnswers::find(const Snapshot& snapshot) const {
  const auto found = known_.find(placeOf(snapshot));
  const bool same = found != known_.end() && found->second.weights.lock() == weightsOf(snapshot);
  return same ? found->second.answers : nullptr;
}

void PastAnswers::show(const MeasuredModel&, Snapshot& snapshot) const {
  if (isPast(snapshot)) snapshot.training = withAnswers(snapshot);
  if (snapshot.other && isPast(*snapshot.other))
    snapshot.other = with(*snapshot.other, &Snapshot::training, withAnswers(*snapshot.other));
}

std::shared_ptr<const ShownTraining> PastAnswers::withAnswers(const Snapshot& snapshot) const {
  auto training = std::make_shared<ShownTraining>(*snapshot.training);
  training->answers = find(snapshot);
  return training;
}

// Both sides of a comparison show the same step.
bool PastAnswers::prepare(const MeasuredModel&, const Snapshot& snapshot, const StartJob&) {
  const std::optional<Place> place = isPast(snapshot) ? std::optional(placeOf(snapshot)) : std::nullopt;
  return place != std::exchange(asked_, place);
}

void PastAnswers::measure(const MeasuredModel&, const Snapshot& snapshot, const StartJob& begin,
                          const std::function<void()>& more) {
  const bool here = askSide(snapshot, begin), there = snapshot.other && askSide(*snapshot.other, begin);
  if (here || there) more();
}

// False where there is nothing new.
bool PastAnswers::askSide(const Snapshot& snapshot, const StartJob& begin) {
  if (!isPast(snapshot) || find(snapshot)) return false;
  const std::vector<Example> questions = questionsOf(*snapshot.training->side);
  auto answers = answer(snapshot.training->side->modelAt(snapshot.training->step),
                        *snapshot.training->run->tokenizer, questions, threads_, begin(doing));
  if (answers.size() < questions.size()) return false;  // stopped
  const Place place = placeOf(snapshot);
  if (order_.size() == remembered) known_.erase(order_.front()), order_.erase(order_.begin());
  std::erase(order_, place);
  order_.push_back(place);
  known_[place] = {weightsOf(snapshot), std::make_shared<const std::vector<Answered>>(std::move(answers))};
  return true;
}

}  // namespace glassformer
