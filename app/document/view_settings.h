#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "app/document/attention_settings.h"
#include "app/document/beam_tree_settings.h"
#include "app/document/influence_settings.h"
#include "app/document/landscape_settings.h"
#include "app/document/list_window.h"
#include "app/document/next_token_settings.h"
#include "app/document/positions_settings.h"
#include "app/document/residual_settings.h"
#include "app/document/training_settings.h"

namespace glassformer {

/// Settings of single views.
struct ViewSettings {
  /// The id of the picture that each view shows, in app/views/views.cpp; without one it is the view's first.
  std::map<std::string, std::string, std::less<>> pictures;
  /// What else a view remembers, by its id and a name of its own: "cost.tokens".
  std::map<std::string, std::string, std::less<>> choices;
  /// "" where nothing was chosen.
  std::string_view chosen(std::string_view choice) const {
    const auto found = choices.find(choice);
    return found == choices.end() ? std::string_view() : std::string_view(found->second);
  }
  /// "" takes the choice back.
  void choose(std::string_view choice, std::string_view value) {
    if (value.empty())
      choices.erase(std::string(choice));
    else
      choices[std::string(choice)] = value;
  }
  AttentionSettings attention;
  PositionsSettings positions;
  ResidualSettings residual;
  NextTokenSettings nextToken;
  InfluenceSettings influence;
  TrainingSettings training;
  LandscapeSettings landscape;
  BeamTreeSettings beam;
  ListWindow tokens;    ///< the list of the tokens view
  int prunedShown = 2;  ///< branches of each node of the beam tree that were pruned

  bool operator==(const ViewSettings&) const = default;
};

}  // namespace glassformer
