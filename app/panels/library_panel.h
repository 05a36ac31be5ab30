#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/engine/model_info.h"
#include "app/engine/model_library.h"
#include "app/engine/training.h"
#include "app/panels/overlay.h"

namespace glassformer {

/// The models that ship, those that were trained here and those that were open lately: what each is for, what
/// it is made of, what it reached, from its config and its card. Opens one, as it was trained or with random
/// weights.
class LibraryPanel : public Overlay {
 public:
  LibraryPanel() : Overlay("Library") {}

  /// Runs that are not through, and recent paths that are no model folders, are passed over; `open` is the
  /// model that is open, `training` null where nothing can be trained.
  void begin(const std::vector<ModelLibrary::Entry>& builtIn, const Training* training,
             const std::vector<std::filesystem::path>& recent, const std::string& open);

 protected:
  Box place(const Ui& ui, Point window) const override;
  Point leastWindow() const override { return {800, 520}; }
  void content(Ui& ui, const Box& area) override;

 private:
  void list(Ui& ui, Box area);
  const char* headingAt(std::size_t i) const;
  void row(Ui& ui, const Box& box, std::size_t i);
  void details(Ui& ui, Box area, const ModelInfo& model);
  void facts(Ui& ui, Box& rest, const ModelInfo& model) const;
  void buttons(Ui& ui, Box box, const ModelInfo& model);
  void openModel(Ui& ui, const ModelInfo& model, bool random);

  std::vector<ModelInfo> models_;
  std::size_t builtIn_ = 0, trained_ = 0;  // as many of them ship, and come after these from runs
  std::size_t chosen_ = 0;
  int first_ = 0;  // model shown at the top of the list
};

}  // namespace glassformer
