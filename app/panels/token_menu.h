#pragma once
#include <string>
#include <vector>

#include "app/panels/overlay.h"
#include "core/decode/candidates.h"

namespace glassformer {

/// What can be done to one token of the text, beside it: put another one in its place, before or after it
/// (one of those the model finds most probable there, or anything typed), delete it, move it.
class TokenMenu : public Overlay {
 public:
  TokenMenu() : Overlay("Token menu") {}
  /// Opens for a token of the snapshot's text; closes when that text is no longer the one shown.
  void begin(const TokenPlace& token, const Snapshot& snapshot);

 protected:
  Box place(const Ui& ui, Point window) const override;
  bool veils() const override { return false; }
  void content(Ui& ui, const Box& area) override;

 private:
  enum class Purpose { Replace, Before, After };

  void choose(Purpose purpose, const Snapshot& snapshot);
  void suggest(const Snapshot& snapshot);
  void showPurposes(Ui& ui, Box row);
  void showSuggestions(Ui& ui, Box& rest);
  void showSuggestion(Ui& ui, int i, const Box& row);
  void showActions(Ui& ui, Box row);
  void handleKeys(Ui& ui);
  void put(Ui& ui, const std::string& bytes);
  void finish(Ui& ui, Command command);

  TokenPlace token_;
  std::string text_;   // whose token it is
  std::string typed_;  // what is to be put in
  Purpose purpose_ = Purpose::Replace;
  Candidates suggestions_;
  int chosen_ = -1;  // of the suggestions; -1: what was typed
};

}  // namespace glassformer
