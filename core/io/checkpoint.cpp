#include "core/io/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "core/io/config_file.h"
#include "core/io/safetensors.h"
#include "core/text/json_text.h"

namespace glassformer {
namespace {

// The parts of a state, each laid out like the weights.
template <typename Float>
struct PartOfState {
  std::string prefix;
  Float* values;
};
using Part = PartOfState<const float>;

// Of the metadata: the shape of the model, as a config.json.
constexpr const char* configName = "config";
constexpr const char* weightsPrefix = "weight.";

TensorView like(const Parameters& parameters, int i, const float* values) {
  TensorView view = parameters.view(i);
  view.data = values + parameters.offset(i);
  return view;
}

// What a run has reported, by the names it has in a file.
template <typename History, typename Visit>
void eachCurve(History& history, Visit visit) {
  visit("history.loss", history.loss);
  visit("history.gradient_norm", history.gradientNorm);
  visit("history.learning_rate", history.learningRate);
  visit("history.group_gradient", history.groupGradient);
  visit("history.group_update", history.groupUpdate);
}
constexpr const char* headsName = "history.heads_apart";  // files of earlier days are without
constexpr const char* heldOutName = "history.held_out";  // [3 · reports]: step, loss, share of right answers

std::vector<float> heldOutNumbers(const TrainingHistory& history) {
  std::vector<float> numbers;
  for (const HeldOutReport& report : history.heldOut)
    for (const double number : {static_cast<double>(report.step), report.loss, report.rightShare})
      numbers.push_back(static_cast<float>(number));
  return numbers;
}

bool isFiniteValue(float value) { return std::isfinite(value); }

TensorView row(const std::vector<float>& values) {
  return {values.data(), {static_cast<int>(values.size())}};
}

Status readHistory(const StoredTensors& stored, const std::string& file, int steps,
                   TrainingHistory& history) {
  TrainingHistory read{.groups = history.groups};
  const auto damaged = [&](const std::string& name) {
    return Error{"tensor " + name + " is missing or of another length", file, "delete it to start afresh"};
  };
  std::string missing;
  const auto take = [&](const char* name, std::vector<float>& values) {
    const StoredTensor* tensor = stored.find(name);
    auto read = tensor && tensor->type == "F32" ? tensor->converted() : Error{"", "", ""};
    if (read)
      values = *std::move(read);
    else
      missing = name;
  };
  eachCurve(read, take);
  std::vector<float> heldOut;
  take(heldOutName, heldOut);
  if (!missing.empty()) return damaged(missing);
  if (stored.find(headsName)) take(headsName, read.headsApart);
  const auto perStep = static_cast<std::size_t>(steps),
             perGroup = perStep * static_cast<std::size_t>(read.groups);
  eachCurve(read, [&](const char* name, const std::vector<float>& values) {
    const bool grouped = &values == &read.groupGradient || &values == &read.groupUpdate;
    if (values.size() != (grouped ? perGroup : perStep)) missing = name;
  });
  if (heldOut.size() % 3 != 0) missing = heldOutName;
  if (read.headsApart.size() != perStep) read.headsApart.assign(perStep, NAN);  // not known
  if (!missing.empty()) return damaged(missing);
  for (std::size_t i = 0; i < heldOut.size(); i += 3)
    read.heldOut.push_back({static_cast<int>(heldOut[i]), static_cast<double>(heldOut[i + 1]),
                            static_cast<double>(heldOut[i + 2])});
  history = std::move(read);
  return success();
}

Result<int> stepOf(const StoredTensors& stored, const std::string& file) {
  const auto found = stored.metadata().find("step");
  const std::string digits = found == stored.metadata().end() ? "" : found->second;
  int step = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), step).ec == std::errc{}) return step;
  return Error{"no step number in the metadata", file, "this is not a checkpoint of a training run"};
}

Error missingPart(const std::string& name, const std::string& file) {
  return {"tensor " + name + " is missing or of another shape", file, "delete it to start afresh"};
}

bool hasPart(const StoredTensors& stored, const std::string& name, std::int64_t count) {
  const StoredTensor* tensor = stored.find(name);
  return tensor && tensor->type == "F32" && tensor->valueCount() == count;
}

// Into a state that is laid out as `parameters` are.
Status readPart(const StoredTensors& stored, const std::string& file, const PartOfState<float>& part,
                const Parameters& parameters) {
  for (int i = 0; i < parameters.count(); ++i) {
    const std::string name = part.prefix + parameters.spec(i).name;
    if (!hasPart(stored, name, parameters.view(i).size())) return missingPart(name, file);
    const std::span values(part.values + parameters.offset(i),
                           static_cast<std::size_t>(parameters.view(i).size()));
    if (Status read = stored.find(name)->read(values); !read) return read;
    if (!std::ranges::all_of(values, isFiniteValue))
      return Error{"tensor " + name + " contains NaN or infinity", file, "delete it to start afresh"};
  }
  return success();
}

// Whether all weights are there, before room is made for them.
Status checkWeights(const StoredTensors& stored, const std::string& file,
                    const std::vector<ParameterSpec>& specs) {
  for (const ParameterSpec& spec : specs) {
    std::int64_t count = 1;
    for (const int extent : spec.extent) count *= extent;
    if (const std::string name = weightsPrefix + spec.name; !hasPart(stored, name, count))
      return missingPart(name, file);
  }
  return success();
}

}  // namespace

Status writeCheckpoint(const std::filesystem::path& path, const Trainer& trainer,
                       std::map<std::string, std::string> recipe, const TrainingHistory* history) {
  const Parameters& parameters = trainer.model().parameters();
  for (int i = 0; i < parameters.count(); ++i)
    if (!std::ranges::all_of(parameters.view(i).copy(), isFiniteValue))
      return Error{"is not written: " + parameters.spec(i).name + " is no longer a number at step " +
                       std::to_string(trainer.state().step),
                   path.string(), "the previous checkpoint is unchanged"};
  std::vector<NamedTensor> tensors;
  for (int i = 0; i < parameters.count(); ++i)
    tensors.push_back({weightsPrefix + parameters.spec(i).name, parameters.view(i)});
  for (const Part& part : {Part{"first_moment.", trainer.state().firstMoment.data()},
                           Part{"second_moment.", trainer.state().secondMoment.data()}})
    for (int i = 0; i < parameters.count(); ++i)
      tensors.push_back({part.prefix + parameters.spec(i).name, like(parameters, i, part.values)});
  std::vector<float> heldOut;
  if (history) {
    eachCurve(*history, [&](const char* name, const std::vector<float>& values) {
      tensors.push_back({name, row(values)});
    });
    tensors.push_back({headsName, row(history->headsApart)});
    heldOut = heldOutNumbers(*history);
    tensors.push_back({heldOutName, row(heldOut)});
  }
  recipe["step"] = std::to_string(trainer.state().step);
  recipe["schedule"] = trainer.options().schedule.description();
  recipe[configName] = modelConfigJson(trainer.model().config(), -1);
  return writeSafetensors(path, tensors, recipe);
}

Status readCheckpoint(const std::filesystem::path& path, Trainer& trainer,
                      const std::map<std::string, std::string>& recipe, TrainingHistory* history) {
  const auto stored = StoredTensors::open(path);
  if (!stored) return stored.error();
  const std::string file = path.string();
  for (const auto& [key, value] : recipe) {
    const auto found = stored->metadata().find(key);
    const std::string made = found == stored->metadata().end() ? "" : found->second;
    if (made != value)
      return Error{"the checkpoint was made with " + key + " " + (made.empty() ? "unsaid" : made) +
                       ", this run has " + (value.empty() ? "none" : value),
                   file, "delete it to start afresh"};
  }
  Trainer::State state;
  const auto step = stepOf(*stored, file);
  if (!step) return step.error();
  state.step = *step;
  Parameters& parameters = trainer.model().parameters();
  AlignedVector weights(parameters.values().size());
  state.firstMoment.resize(weights.size());
  state.secondMoment.resize(weights.size());
  for (const auto& [prefix, target] : {std::pair{std::string(weightsPrefix), &weights},
                                       std::pair{std::string("first_moment."), &state.firstMoment},
                                       std::pair{std::string("second_moment."), &state.secondMoment}})
    if (Status read = readPart(*stored, file, {prefix, target->data()}, parameters); !read) return read;
  if (history)
    if (Status status = readHistory(*stored, file, state.step, *history); !status) return status;
  std::ranges::copy(weights, parameters.values().begin());
  if (const auto text = stored->metadata().find("schedule"); text != stored->metadata().end())
    if (const auto schedule = Schedule::parse(text->second)) trainer.setSchedule(*schedule);
  trainer.restore(state);
  return success();
}

Result<ModelOfStep> readCheckpointModel(const std::filesystem::path& path) {
  const auto stored = StoredTensors::open(path);
  if (!stored) return stored.error();
  const std::string file = path.string();
  const auto step = stepOf(*stored, file);
  if (!step) return step.error();
  const auto text = stored->metadata().find(configName);
  if (text == stored->metadata().end())
    return Error{"has no shapes of its model", file, "resume its run: the next checkpoint has them"};
  const auto json = parseJson(text->second, file);
  if (!json) return json.error();
  const auto config = modelConfigFrom(*json, file);
  if (!config) return config.error();
  const auto specs = parameterSpecs(*config);
  if (Status there = checkWeights(*stored, file, specs); !there) return there.error();
  ModelOfStep model{*step, *config, Parameters(specs)};
  const Status read =
      readPart(*stored, file, {weightsPrefix, model.parameters.values().data()}, model.parameters);
  if (!read) return read.error();
  return model;
}

}  // namespace glassformer
