#include "core/io/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "core/io/safetensors.h"

namespace glassformer {
namespace {

// The parts of a state, each laid out like the weights.
struct Part {
  std::string prefix;
  const float* values;
};

TensorView like(const Parameters& parameters, int i, const float* values) {
  TensorView view = parameters.view(i);
  view.data = values + parameters.offset(i);
  return view;
}

}  // namespace

Status writeCheckpoint(const std::filesystem::path& path, const Trainer& trainer,
                       std::map<std::string, std::string> recipe) {
  const Parameters& parameters = trainer.model().parameters();
  std::vector<NamedTensor> tensors;
  for (int i = 0; i < parameters.count(); ++i)
    tensors.push_back({"weight." + parameters.spec(i).name, parameters.view(i)});
  for (const Part& part : {Part{"first_moment.", trainer.state().firstMoment.data()},
                           Part{"second_moment.", trainer.state().secondMoment.data()}})
    for (int i = 0; i < parameters.count(); ++i)
      tensors.push_back({part.prefix + parameters.spec(i).name, like(parameters, i, part.values)});
  recipe["step"] = std::to_string(trainer.state().step);
  return writeSafetensors(path, tensors, recipe);
}

Status readCheckpoint(const std::filesystem::path& path, Trainer& trainer,
                      const std::map<std::string, std::string>& recipe) {
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
  const auto step = stored->metadata().find("step");
  if (step == stored->metadata().end() ||
      std::from_chars(step->second.data(), step->second.data() + step->second.size(), state.step).ec !=
          std::errc{})
    return Error{"no step number in the metadata", file, "this is not a checkpoint of a training run"};

  Parameters& parameters = trainer.model().parameters();
  AlignedVector weights(parameters.values().size());
  state.firstMoment.resize(weights.size());
  state.secondMoment.resize(weights.size());
  for (const auto& [prefix, target] : {std::pair{std::string("weight."), &weights},
                                       std::pair{std::string("first_moment."), &state.firstMoment},
                                       std::pair{std::string("second_moment."), &state.secondMoment}})
    for (int i = 0; i < parameters.count(); ++i) {
      const std::string name = prefix + parameters.spec(i).name;
      const StoredTensor* tensor = stored->find(name);
      if (!tensor || tensor->type != "F32" || tensor->valueCount() != parameters.view(i).size())
        return Error{"tensor " + name + " is missing or of another shape", file, "delete it to start afresh"};
      std::ranges::copy(tensor->converted(),
                        target->begin() + static_cast<std::ptrdiff_t>(parameters.offset(i)));
    }
  std::ranges::copy(weights, parameters.values().begin());
  trainer.restore(std::move(state));
  return success();
}

}  // namespace glassformer
