#pragma once
#include <filesystem>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "app/engine/long_work.h"
#include "app/figure/figure_formats.h"
#include "app/panels/figure_preview.h"
#include "app/panels/overlay.h"

namespace glassformer {

/// The dialog that saves the open view as a figure: format, size, look, caption and place, beside the figure
/// as it will be. Enter saves. Its settings are the workspace's; files are written on another
/// thread and never over one that exists.
class ExportPanel : public Overlay {
 public:
  ExportPanel() : Overlay("Export") {}
  ~ExportPanel() override { work_.stop(); }  // before what is being saved is waited for

  /// The files that were written since the last call.
  std::vector<std::filesystem::path> takeSaved() { return std::exchange(justSaved_, {}); }

 protected:
  Box place(const Ui& ui, Point window) const override;
  Point leastWindow() const override { return {860, 640}; }
  void content(Ui& ui, const Box& area) override;
  void reset() override;

 private:
  using Outcome = Result<std::vector<WrittenFigure>>;

  FigureSize sheet(const Ui& ui) const;
  void showPicture(Ui& ui, const Box& area);
  void showTables(Ui& ui, Box area) const;
  void showChoices(Ui& ui, Box& rest);
  void showSize(Ui& ui, Box& rest);
  void showPrinted(Ui& ui, Box line);
  void showParts(Ui& ui, Box& rest);
  void showSequence(Ui& ui, Box& rest);
  void showCaption(Ui& ui, Box& rest);
  void showPlace(Ui& ui, Box& rest);
  void showOutcome(Ui& ui, Box rest);
  void handleKeys(const Ui& ui);

  const FigureFormat& format() const;
  bool isNumbers() const { return format().isNumbers(); }
  std::filesystem::path target() const;
  bool isFilm() const { return settings_.moves && format().film; }
  void save(const Ui& ui);
  void saveSequence(const Ui& ui);
  void finishSaving();

  FigureSettings settings_;  // as shown in this frame; what changed becomes one command
  FigurePreview preview_;
  std::string name_, nameFor_;  // of the file, without its ending; suggested for that view
  std::string caption_, captionFor_;
  LongWork work_;
  std::future<Outcome> saving_;  // after what it uses
  std::string error_;
  std::vector<WrittenFigure> saved_;
  std::vector<std::filesystem::path> justSaved_;
};

}  // namespace glassformer
