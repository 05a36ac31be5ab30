#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/overlay.h"
#include "core/lens/attention_rule.h"
#include "core/lens/head_id.h"

namespace glassformer {

/// A hypothesis of where the selected head looks: typed in the language of core/lens/attention_rule.h or
/// taken from the stock, held against the head on the open text, and put in its pattern's place.
class HypothesisPanel : public Overlay {
 public:
  HypothesisPanel() : Overlay("Hypothesis") {}
  void begin(const Workspace& workspace, const Snapshot& snapshot);

 protected:
  Box place(const Ui& ui, Point window) const override;
  bool veils() const override { return false; }
  void content(Ui& ui, const Box& area) override;

 private:
  // A hypothesis of the stock, or the typed one, with what it shares with the head; NaN: it says nothing.
  struct Row {
    std::string id, meaning;
    float agreement = 0;
  };
  void showField(Ui& ui, Box& rest);
  void showStock(Ui& ui, Box& rest);
  void showRow(Ui& ui, const Row& row, const Box& box);
  void showElsewhere(Ui& ui, Box row);
  void showActions(Ui& ui, Box row);
  void type(std::string text);
  void say(Ui& ui, std::string text);
  void look(const Ui& ui);
  float agreementOf(const AttentionRule& hypothesis, const Ui& ui) const;
  HeadId head(const Ui& ui) const;

  std::string typed_, problem_;  // the problem: what was meant, where the typed one says nothing
  std::optional<AttentionRule> read_;
  float agreement_ = 0;  // of the typed one
  std::vector<Row> stock_;
  // What they were measured on.
  std::shared_ptr<const Trace> trace_;
  HeadId measured_{-1, -1};
  std::string measuredText_;
};

}  // namespace glassformer
