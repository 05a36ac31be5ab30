#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/model/config.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// Steps from s to t inside one block; nothing where the one does not see the other. Without a residual
/// connection a token that may not look at itself forgets itself.
std::optional<int> stepsInBlock(const ModelConfig& config, int t, int s);

/// A shortest way from token s to what is predicted at t among the first `tokens` of a text: at which token
/// it is before the first block, and behind each; empty where there is none. It stays where it is as long as
/// that costs nothing.
std::vector<int> shortestWay(const ModelConfig& config, int tokens, int t, int s);

/// Adds lens.path_length [T, S] for the first `tokens` positions of a text: the smallest number of steps from
/// position to position in which token s can reach what is predicted at t (Vaswani et al. 2017, table 1), as
/// the config lets it. 0 for the token itself. Attention takes one step wherever the mask allows; recurrence
/// as many as tokens lie between, t − s; a convolution of J taps ⌈(t − s) / (J − 1)⌉. Every block allows one
/// step, recurrence as many as it likes. NaN: t cannot be reached, and does not depend on s at all.
///
/// Depends on the config alone: what the weights make of a path is another question. In an encoder-decoder it
/// is about the text that is written; paths through the source carry nothing of it. `suffix` is put behind
/// the name: of a network beside the model's own.
void measurePathLength(const ModelConfig& config, int tokens, TensorSet& measurements,
                       std::string_view suffix = "");

/// Adds lens.path_length_by_distance [X] from what measurePathLength() added: the mean over all pairs with
/// s = t − distance between which there is a way; NaN where there is none.
void measurePathLengthByDistance(int distances, TensorSet& measurements);

}  // namespace glassformer
