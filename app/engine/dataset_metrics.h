#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/engine/ablation_map.h"
#include "core/lens/token_losses.h"
#include "core/train/held_out_texts.h"
#include "core/watch.h"

namespace glassformer {

/// One of the texts of which something is told.
struct MeasuredText {
  LivePass& pass;
  const Trace& trace;
  const Interventions& standing;       ///< what the trace went through
  const TokenText* partner = nullptr;  ///< the other text of a pair that was given; null: there is none
  int signs = 0;                       ///< so many tokens before the text are signs that nobody wrote
  const ProgressCallback& watch;
  const CountedTokens& counted;  ///< means over the tokens that come are over these
};

/// One of them, to run again for a number of its own.
struct TextAgain {
  std::string name;  ///< "text 7"; empty: the open one
  std::shared_ptr<const Transformer> model;
  TokenText text;
  Interventions standing;
  std::optional<TokenText> partner = std::nullopt;
  int signs = 0;

  ReplayedPass whole() const;
  ReplayedPass without(const Intervention& off) const { return with(leftOutWords(off), {off}); }
  /// With more interventions, called `change`.
  ReplayedPass with(const std::string& change, const Interventions& more) const;
};

/// A number with mean and spread over many texts, beside that of the open text. All of a measure stand in
/// cells: a row for every attention (causalRows()), and in it a column for each of its parts (causalPart()),
/// or of patchPlaces.
struct DatasetMetric {
  enum class Columns { Parts, Places };

  std::string id;      ///< in settings, files and on the command line: "direct"
  std::string family;  ///< on screen; neighbours of one family are told apart by their names
  std::string name;
  std::string meaning;  ///< "what each part itself adds to ..."
  std::function<std::string(const ModelConfig& config)> equation;
  Columns columns = Columns::Parts;
  bool isShare = false;  ///< from 0 to 1
  /// The cells of one text, row by row; NaN where there is no such part, or nothing to be said. Empty where
  /// it was stopped. Null: of what changes in each token that comes when a part is left out.
  std::function<std::vector<float>(const MeasuredText& text)> of;
  /// Why a model has none; empty where it has.
  std::function<std::string(const ModelConfig& config)> whyNot;
  /// What made the cell of one text; null, or empty: not told.
  std::function<OpenPasses(const TextAgain& text, int cell)> made = nullptr;

  // Tensors [Y, Z].
  std::string mean() const { return "effects." + id; }
  std::string spread() const { return "effects." + id + "_spread"; }
  std::string here() const { return "effects." + id + "_here"; }
  std::string texts() const { return "effects." + id + "_texts"; }  ///< [C, Y, Z]: of each
};

/// The table: what ablation does to loss and logits, direct logit attribution; and, of the prediction of each
/// text, what ablation does to it, which heads a smallest set that changes it has, and what patches do. A
/// measure over many texts takes one line of it.
std::span<const DatasetMetric> datasetMetrics();
/// One of them; the first where there is none of that id.
const DatasetMetric& effectMeasure(std::string_view id);

std::vector<std::string> rowNames(const ModelConfig& config);
std::vector<std::string> columnNames(const DatasetMetric& measure, const ModelConfig& config);
/// How many cells there are.
std::size_t cellsOf(const DatasetMetric& measure, const ModelConfig& config);
/// "head L2H0", "L2: previous token"; empty where there is no such part.
std::string nameOfCell(const DatasetMetric& measure, const ModelConfig& config, int cell);
/// "L2", "cross.L2".
std::string nameOf(const CausalRow& row);

/// What every part that can be left out adds to an attribution over parts, in the cells of everyPartOff():
/// all heads with the output's bias. NaN where that is not known, as of an encoder.
std::vector<float> directOfCells(const Transformer& model, const std::vector<float>& contributions);

}  // namespace glassformer
