#pragma once
#include <string>
#include <vector>

#include "app/drawing/parts.h"
#include "core/model/config.h"

namespace glassformer {

/// A network whose states wait for one another, and where that is measured: lens.serial_steps [L, T] and
/// lens.path_length [T, S].
struct UnrolledNetwork {
  ModelConfig config;
  std::string name = {};  ///< what its states are found by, where it is not the model's own: "recurrence "
  std::string serialSteps = "lens.serial_steps", pathLength = "lens.path_length";
};

/// What is looked at of it.
struct UnrolledLook {
  int tokens = 0, from = 0, to = 0;  ///< the way from one to the other
  int wave = -1;                     ///< states that are there after so many steps in series; -1: all of them
  float most = 1;                    ///< steps at the end of the colour scale
};

/// How many steps in series its last state takes.
TensorRef lastState(const TensorSources& sources, const UnrolledNetwork& network);
/// "4 steps in series for 52 states", or how many of these are there when the wave has come so far.
std::string serialWords(const TensorSources& sources, const UnrolledNetwork& network, int wave);

/// Blocks upwards, tokens across, into the box: a cell per state with the steps that it takes, lines to those
/// that it waits for, and a shortest way from one token to the other.
void addUnrolledNetwork(Scene& scene, const SceneInput& input, const Box& box, const UnrolledNetwork& network,
                        const UnrolledLook& look);
/// The height that it needs at least, and the width of what stands at the left of its states.
float leastHeightOf(const UnrolledNetwork& network);
inline constexpr float unrolledLabels = 72;
/// How wide its states are in a box.
float statesWidth(const Box& box, int tokens);

}  // namespace glassformer
