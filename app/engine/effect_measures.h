#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/engine/causal_map.h"

namespace glassformer {

/// A number of which mean and spread over many texts are told, beside that of the open text. All of a measure
/// stand in cells: a row for every attention (causalRows()), and in it a column for each of its parts
/// (causalPart()) or for each of tokenClasses().
struct EffectMeasure {
  enum class Columns { Parts, Tokens };

  std::string id;      ///< in settings, files and on the command line: "direct"
  std::string family;  ///< on screen; neighbours of one family are told apart by their names
  std::string name;
  std::string meaning;  ///< "what each part itself adds to ..."
  std::function<std::string(const ModelConfig& config)> equation;
  Columns columns = Columns::Parts;
  bool isShare = false;  ///< from 0 to 1
  /// The cells of one pass, row by row; NaN where there is no such part, or nothing to be said. Empty where
  /// it was stopped. Null: of what changes when a part is left out.
  std::function<std::vector<float>(const Transformer& model, const Trace& trace, const Watch& watch)> of;
  /// Why a model has none; empty where it has.
  std::function<std::string(const ModelConfig& config)> whyNot;

  // Tensors [Y, Z].
  std::string mean() const { return "effects." + id; }
  std::string spread() const { return "effects." + id + "_spread"; }
  std::string here() const { return "effects." + id + "_here"; }
};

/// The table: what leaving out does to loss and logits, what parts add themselves, how much of their
/// attention heads put where each stock hypothesis says, and what rollout and flow put on each class of
/// tokens.
std::span<const EffectMeasure> effectMeasures();
/// One of them; the first where there is none of that id.
const EffectMeasure& effectMeasure(std::string_view id);

int columnsOf(const EffectMeasure& measure, const ModelConfig& config);
/// "head L2H0", "L2: previous token"; empty where there is no such part.
std::string nameOfCell(const EffectMeasure& measure, const ModelConfig& config, int cell);
/// "L2", "cross.L2".
std::string nameOf(const CausalRow& row);

/// What every part that can be left out adds to an attribution over parts, in the cells of everyPartOff():
/// all heads with the output's bias. NaN where that is not known, as of an encoder.
std::vector<float> directOfCells(const Transformer& model, const std::vector<float>& contributions);

}  // namespace glassformer
