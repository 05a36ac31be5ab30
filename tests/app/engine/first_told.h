#pragma once
#include <functional>

#include "app/engine/open_model.h"
#include "tests/app/engine/latest_for.h"

namespace glassformer {

/// A model that ships, read over a text, and measurements that follow behind: how much they compute before
/// there is something to see, whatever the clock says.
class FirstTold {
 public:
  explicit FirstTold(Workspace workspace)
      : workspace_(std::move(workspace)),
        library_(SOURCE_FOLDER "/build"),
        open_(openModel(workspace_.model, *library_.load(workspace_.model))) {
    Workspace plain = workspace_;
    plain.view = "attention", plain.settings.pictures.clear();
    snapshot_ = *latestFor(plain);
    snapshot_.model = open_.shown;
  }

  /// How often a measurement asks whether to go on before it shows something of which this holds; −1: it
  /// shows no such thing.
  int askedBefore(BackgroundJob& measurement, const std::function<bool(const TensorSet&)>& isTold) {
    int asked = 0, told = -1;
    const ModelLoader loader = [this](const std::string& name, const ProgressCallback& watch) {
      return library_.load(name, watch);
    };
    const std::shared_ptr<const Transformer> none;
    const MeasuredModel of{workspace_, open_, none, loader};
    const StartJob begin = [&](const std::string&) -> ProgressCallback {
      return [&](int, int) { return ++asked, told < 0; };
    };
    measurement.prepare(of, snapshot_, begin);
    measurement.measure(of, snapshot_, begin, [&] {
      Snapshot shown = snapshot_;
      measurement.show(of, shown);
      if (told < 0 && shown.kept.measured && isTold(*shown.kept.measured)) told = asked;
    });
    return told;
  }

 private:
  Workspace workspace_;
  ModelLibrary library_;
  OpenModel open_;
  Snapshot snapshot_;
};

}  // namespace glassformer
