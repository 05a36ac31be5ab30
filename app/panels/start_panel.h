#pragma once
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/engine/training.h"
#include "app/panels/overlay.h"
#include "app/panels/row_list.h"

namespace glassformer {

/// Where one begins, and begins again: lessons and lectures, the models with what each is for, and what was
/// opened, saved and trained lately. What is not a lesson closes the one that is open.
class StartPanel : public Overlay {
 public:
  StartPanel() : Overlay("Start") {}

  /// Recent paths that are gone are passed over; `training` is null where nothing can be trained.
  void begin(const LessonShelf& lessons, const std::vector<ModelLibrary::Entry>& models,
             const std::vector<std::filesystem::path>& recent, const Training* training);
  /// The file or folder that was chosen since the last call; empty: none.
  std::filesystem::path take() { return std::exchange(taken_, {}); }

 protected:
  Box place(const Ui& ui, Point window) const override;
  Point leastWindow() const override { return {1000, 640}; }
  void content(Ui& ui, const Box& area) override;

 private:
  /// One thing to begin with.
  struct Offer {
    std::string id, title;
    std::string words;   // below the title; may be empty
    std::string detail;  // at its end
    std::function<void(Ui&)> open;
    std::shared_ptr<const Lesson> lesson = {};  // whose progress is its detail; null: it is none
    std::optional<ModelConfig> config = {};     // of the model that is drawn beside it
  };
  struct Column {
    const char *heading, *none;
    float rowHeight;
    std::vector<Offer> offers = {};
    RowList rows = {};
  };

  void offerLessons(std::size_t column, const std::vector<std::shared_ptr<const Lesson>>& lessons);
  void offerModels(const std::vector<ModelLibrary::Entry>& models, const LessonShelf& lessons);
  void offerRecent(const std::vector<std::filesystem::path>& recent);
  void offerRuns(const Training& training);
  void head(Ui& ui, Box box);
  void foot(Ui& ui, Box box);
  void moveSideways();
  void show(Ui& ui, std::size_t i, Box area);
  void row(Ui& ui, const Offer& offer, const Box& box, bool chosen);

  std::array<Column, 4> columns_;
  std::size_t at_ = 0;  // the one that the keys are in
  std::filesystem::path taken_;
};

}  // namespace glassformer
