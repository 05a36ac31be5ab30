#pragma once
#include <future>
#include <memory>
#include <vector>

#include "app/document/pin.h"
#include "app/explain/other_passes.h"
#include "app/panels/ui.h"

namespace glassformer {

/// Numbers that compare passes, each opened into these on a thread beside the window, which never waits for
/// one. The last few are kept for as long as the pass that is shown has the same number there.
class OpenedPasses {
 public:
  /// Of the open text, or of what it is compared with. Null while the passes run, which keeps frames coming,
  /// and where nothing is compared there.
  const OpenedAcross* of(Ui& ui, Target::Source side, const TensorRef& cell);
  /// The pass that a pin is of; null while it runs, and where there is none any more.
  const Snapshot* passOf(Ui& ui, const Pin& pin);

 private:
  struct Opening {
    Target::Source side = Target::Source::This;
    TensorRef cell;
    std::shared_ptr<const Trace> trace = {};
    float value = 0;
    std::future<OpenedAcross> running = {};
    std::shared_ptr<const OpenedAcross> done = {};
    int frame = 0;  // in which it was last asked for
  };
  static constexpr std::size_t kept = 4;

  void forgetOld(int frame);
  void abandon(Opening& opening);

  std::vector<Opening> openings_;
  std::vector<std::future<OpenedAcross>> abandoned_;  // waiting for one would stop the window
};

}  // namespace glassformer
