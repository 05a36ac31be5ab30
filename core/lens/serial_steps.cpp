#include "core/lens/serial_steps.h"

#include <functional>

#include "core/lens/path_length.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

constexpr int noStep = -1;  // to wait for

// Which state of the block before a state waits for, the latest of those that it sees.
int latestSeen(const ModelConfig& config, const TensorView& before, int t) {
  int latest = noStep;
  for (int s = 0; s < before.extent[0]; ++s)
    if (stepsInBlock(config, t, s) && (latest < 0 || before(s) > before(latest))) latest = s;
  return latest;
}

// What a state waits for last: one of the block before, the one before it in the same block, or the memory
// across; null where nothing takes a step.
Cell awaited(const ModelConfig& config, const TensorView* before, const TensorView& own, int t, Cell memory) {
  Cell last = memory;
  const auto wait = [&](Cell cell) {
    if (!last || *cell > *last) last = cell;
  };
  if (config.mixing == Mixing::Recurrence) {
    if (before) wait(&(*before)(t));
    if (t > 0) wait(&own(t - 1));
  } else if (const int s = before ? latestSeen(config, *before, t) : noStep; s != noStep) {
    wait(&(*before)(s));
  }
  return last;
}

// 1 + what is waited for.
Derivation oneStepBehind(Cell last) {
  Derivation step;
  if (last) step.terms.push_back({last});
  step.terms.push_back({nullptr, nullptr, 1});
  return step;
}

// Of the states that each block leaves, [L, T]: what each waits for last, by the block's config and, where it
// looks across, by the memory.
using BlockConfig = std::function<ModelConfig(int layer)>;
using Memory = std::function<Cell(int layer)>;
TensorSet::DerivationOf stepsMadeOf(const TensorView& steps, BlockConfig block, Memory memory) {
  return [steps, block = std::move(block), memory = std::move(memory)](const Index& at) {
    const auto [layer, t] = std::pair{at[0], at[1]};
    const TensorView before = layer > 0 ? steps[layer - 1] : TensorView(), own = steps[layer];
    return oneStepBehind(awaited(block(layer), layer > 0 ? &before : nullptr, own, t, memory(layer)));
  };
}

// Block by block, and in a block from the first token on, as they are waited for.
void addSteps(TracePoint point, int layers, int tokens, BlockConfig block, Memory memory, TensorSet& set) {
  Tensor steps({layers, tokens});
  const auto made = stepsMadeOf(steps.view(), std::move(block), std::move(memory));
  for (int layer = 0; layer < layers; ++layer)
    for (int t = 0; t < tokens; ++t) steps(layer, t) = static_cast<float>(made({layer, t})->value());
  set.add(std::move(point), std::move(steps), made);
}

Cell latestOf(const TensorView& row) {
  int latest = 0;
  for (int t = 1; t < row.extent[0]; ++t)
    if (row(t) > row(latest)) latest = t;
  return &row(latest);
}

}  // namespace

void measureSerialSteps(const ModelConfig& config, int tokens, int source, TensorSet& measurements,
                        std::string_view suffix) {
  const char* equation = config.mixing == Mixing::Recurrence
                             ? "1 + the later of the state below and the one before"
                             : "1 + the latest of the states below that it sees";
  const int encoderBlocks = config.isEncoderDecoder() && source > 0 ? config.encoderBlocks() : 0;
  const std::string encoder = "lens.encoder_steps" + std::string(suffix);
  if (encoderBlocks > 0)
    addSteps(
        {encoder, "LS", "the fewest steps in series until this state of the encoder is there", equation,
         Stream::Source, Stream::Source},
        encoderBlocks, source, [config](int layer) { return config.ofEncoderLayer(layer); },
        [](int) { return nullptr; }, measurements);
  const TensorView read = encoderBlocks > 0 ? measurements[encoder] : TensorView();
  const bool isSame = config.crossMemory == CrossMemory::SameLayer;
  addSteps(
      {"lens.serial_steps" + std::string(suffix), "LT",
       "the fewest steps in series until this state is there", equation, Stream::Text, Stream::Text},
      config.layers, tokens, [config](int layer) { return config.ofLayer(layer); },
      [=](int layer) { return read.data ? latestOf(read[isSame ? layer : encoderBlocks - 1]) : nullptr; },
      measurements);
}

}  // namespace glassformer
