#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/engine/training.h"
#include "app/panels/kept_runs.h"
#include "app/panels/overlay.h"
#include "core/train/training_numbers.h"

namespace glassformer {

/// Sets up a training run: the task, every number of it, the model, and what a second run has otherwise; or
/// opens one of those kept on disk. What is shown is what will be used; what the recipe, or for the run
/// beside it the first run, has otherwise is marked, and put back with a click.
class TrainingPanel : public Overlay {
 public:
  TrainingPanel() : Overlay("Train a model") {}

  /// Shows what the workspace sets up, or the plan of its run, and the runs that are kept.
  void begin(const Training& training);
  static TrainingPlan planOf(const Workspace& workspace);
  /// The run that is to be deleted, once; empty in most frames.
  std::string takeDeleted() { return kept_.takeDeleted(); }

 protected:
  Box place(const Ui& ui, Point window) const override;
  Point leastWindow() const override { return {1040, 640}; }
  void content(Ui& ui, const Box& area) override;

 private:
  /// Which of two runs the page is of.
  void sides(Ui& ui, Box row);
  void presets(Ui& ui, const Box& row);
  void tasks(Ui& ui, Box area);
  void taskRow(Ui& ui, const Box& box, const std::string& id, const std::string& title,
               const std::string& about);
  /// Reads the recipe of the plan, and what the plan makes of it.
  void readRecipe(const Ui& ui);
  void details(Ui& ui, Box area);
  void textFields(Ui& ui, Box row);
  void runColumn(Ui& ui, Box& rest);
  void modelColumn(Ui& ui, Box rest);
  void heading(Ui& ui, Box& rest, std::string_view words);
  void numbers(Ui& ui, Box& rest, TrainingSection section);
  void number(Ui& ui, Box row, const TrainingNumber& number);
  void schedule(Ui& ui, Box row);
  void blocks(Ui& ui, Box row);
  void choice(Ui& ui, Box row, const std::string& field);
  void comparison(Ui& ui, Box rest);
  /// "name   <  value  >"; returns which is chosen: `own` is the recipe's.
  int cycle(Ui& ui, Box row, const std::string& name, const std::vector<std::string>& labels, int chosen,
            int own, const std::string& tip);
  /// The mark of what the recipe has otherwise. True where it is put back.
  bool puttingBack(Ui& ui, Box& row, const std::string& name, bool changed, const std::string& own);
  void foot(Ui& ui, Box box);
  void start(Ui& ui);
  /// Why the plan cannot be trained; empty where it can.
  std::string problem() const;

  TrainingPlan plan_;      // as it is in the workspace, and as it is changed in this frame
  bool isBeside_ = false;  // the page is of the second run
  TrainingPlan page_;      // what the run that it is of has otherwise than own_
  Recipe own_, used_;
  std::string refused_;  // what of used_ cannot be; empty where nothing
  float rowHeight_ = 36;
  KeptRuns kept_;
};

}  // namespace glassformer
