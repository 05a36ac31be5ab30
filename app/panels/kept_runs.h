#pragma once
#include <string>
#include <utility>
#include <vector>

#include "app/engine/training.h"
#include "app/panels/ui.h"

namespace glassformer {

/// The runs on disk: a click opens one, a cross takes it off the disk, after a second click.
class KeptRuns {
 public:
  static constexpr float rowHeight = 28;

  /// Looks what is there.
  void begin(const Training& training);
  std::size_t count() const { return runs_.size(); }
  /// The newest first, in pages where there is little room. Returns the run that is to be opened; empty in
  /// most frames.
  std::string show(Ui& ui, Box area);
  /// The run that is to be deleted, once; empty in most frames.
  std::string takeDeleted() { return std::exchange(deleted_, {}); }

 private:
  struct Run {
    std::string name;
    KeptSize size;
    std::string otherwise;  // than its task's recipe
  };

  void showPaging(Ui& ui, const Box& row, std::size_t end);
  bool showRun(Ui& ui, Box row, const Run& run);
  void askToDelete(Ui& ui, Box row, const Run& run);

  std::vector<Run> runs_;
  std::size_t first_ = 0;  // on the page that is shown
  std::string asked_;      // whether to delete it
  std::string deleted_;
};

}  // namespace glassformer
