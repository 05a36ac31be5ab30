#pragma once
#include <string>
#include <vector>

#include "app/views/steps/step_picture.h"

namespace glassformer {

/// Pixels per row, or per column, of all matrices of an equation: what counts the same is as long everywhere.
struct EquationUnits {
  static constexpr float leastThickness = 10;

  float row = 1, column = 1, inner = 1, entry = 1;
  float vector = leastThickness;  ///< how thick one is, which has a single row or column

  float of(Along along) const;
  EquationUnits atLeast(float least) const;
  EquationUnits times(float scale) const;
};

/// How large the matrices of a step's equation are side by side, and what is named beside them: tokens get
/// rows that can be read, as far as there is room, and all else shares what is left.
class EquationSizes {
 public:
  static constexpr float signGap = 8, edge = 20, symbolHeight = 24;

  /// Of a result with very many columns a part is in the equation then.
  explicit EquationSizes(const StepPicture& picture);
  /// Chooses all sizes for an area.
  void measure(const Box& area);

  const StepEquation& equation() const { return equation_; }
  /// The table of which the result's rows are rows; nullptr: there is none.
  const StepOperand* table() const;
  /// Which of its rows are shown: all, or where they are too many those that are read.
  const std::vector<int>& entries() const { return entries_; }
  int placeOfEntry(int entry) const;
  std::string entryLabel(int i) const;
  /// With the row that it reads, where it reads a table's.
  std::string tokenLabel(int t) const;

  int countOf(Along along) const;
  int columnsOf(const StepOperand& operand) const;
  char letterOf(Along along) const;
  bool countsTokens(Along along) const { return letterOf(along) == 'T' || letterOf(along) == 'S'; }

  const EquationUnits& across() const { return across_; }
  const EquationUnits& down() const { return down_; }
  float enlarged() const { return enlarged_; }  ///< how much larger cells are than their numbers need
  float widthOf(const StepOperand& operand) const;
  float heightOf(const StepOperand& operand) const;
  float widthOfSign(const std::string& sign) const;
  float widthOf(const std::string& label) const;
  /// A matrix whose rows are summed over has its size beside it; what a table's rows become, its tokens and
  /// where they come from.
  float gapBefore(const StepOperand& operand) const;
  float labels() const { return labels_; }                 ///< the width of the names at the left edge
  float tokens() const { return tokens_; }                 ///< the width of the tokens' names
  float topLabels() const { return topLabels_; }           ///< the height of what is above the matrices
  bool hasScales() const { return foot_ > symbolHeight; }  ///< whether there is room for them below

 private:
  // How many rows and columns there are of what, beside and below each other.
  struct Counts {
    float tokensAcross = 0, columnsAcross = 0, innerAcross = 0, tokensDown = 1, othersDown = 1;
  };

  void window();
  void windowed(StepOperand& operand, int first) const;
  void chooseEntries(float height);
  Counts counted(float& width) const;
  void chooseUnits(const Box& area);
  void widenForNumbers(float room, float height);
  void enlarge(float room, float height);
  float widthOfTokens() const;
  float widthOfEntries() const;
  float widthOfMatrices() const;
  float widthOfSigns() const;

  const StepPicture& picture_;
  StepEquation equation_;
  EquationUnits across_, down_;
  std::vector<int> entries_;
  float enlarged_ = 1, labels_ = 0, tokens_ = 0, topLabels_ = 0, foot_ = symbolHeight;
  int rowCount_ = 0, columnCount_ = 0, innerCount_ = 1;
};

}  // namespace glassformer
