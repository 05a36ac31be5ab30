#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/engine/training.h"
#include "app/panels/kept_runs.h"
#include "app/panels/number_field.h"
#include "app/panels/overlay.h"

namespace glassformer {

/// Sets up a training run: the task, the model, the schedule, and what a second run has otherwise; or opens
/// one of those kept on disk.
class TrainingPanel : public Overlay {
 public:
  TrainingPanel() : Overlay("Train a model") {}

  /// Shows the plan of the workspace, and the runs that are kept.
  void begin(TrainingPlan plan, const Training& training);
  /// A text file dropped onto the window becomes what is to be learned.
  void takeText(const std::filesystem::path& file);
  /// The run that is to be deleted, once; empty in most frames.
  std::string takeDeleted() { return kept_.takeDeleted(); }

 protected:
  Box place(const Ui& ui, Point window) const override;
  void content(Ui& ui, const Box& area) override;

 private:
  /// A value that is chosen among a few, or left to the recipe.
  struct Option {
    std::string value, label;
  };

  void presets(Ui& ui, const Box& row);
  void tasks(Ui& ui, Box area);
  void taskRow(Ui& ui, const Box& box, const std::string& id, const std::string& title,
               const std::string& about);
  void details(Ui& ui, Box area);
  void textFields(Ui& ui, Box& rest);
  void numbers(Ui& ui, Box& rest);
  void schedule(Ui& ui, Box& rest);
  void modelFields(Ui& ui, Box& rest);
  void comparison(Ui& ui, Box& rest);
  void foot(Ui& ui, Box box);
  void start(Ui& ui);
  /// "name   <  value  >"; returns which is chosen.
  int cycle(Ui& ui, Box& rest, const char* name, const std::vector<std::string>& labels, int chosen,
            const char* tip);
  float number(Ui& ui, Box& rest, const char* name, float value, widgets::NumberOptions options);
  void choose(Ui& ui, Box& rest, const char* name, const char* field, std::span<const Option> options,
              const char* tip);
  /// A number of the config; 0 leaves it to the recipe.
  void count(Ui& ui, Box& rest, const char* name, const char* field, widgets::NumberOptions options);
  /// An empty value leaves it to the recipe.
  void setChange(const char* field, const std::string& value);

  TrainingPlan plan_;
  KeptRuns kept_;
};

}  // namespace glassformer
