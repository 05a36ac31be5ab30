#pragma once
#include <cstdio>
#include <memory>

#include "app/engine/engine.h"
#include "app/engine/model_library.h"

namespace glassformer {

struct Workspace;

/// Everything that the window would show of one workspace after the other, computed to its end by the same
/// engine, which keeps the model open from one to the next. What could not be computed the snapshot says.
class Computer {
 public:
  explicit Computer(const ModelLibrary& library);
  std::shared_ptr<const Snapshot> operator()(const Workspace& workspace);
  const Engine& engine() const { return engine_; }

 private:
  Engine engine_;
  std::uint64_t revision_ = 0;
};

/// The same of one workspace alone; an error where anything could not be computed. `progress`: where lines go
/// that say how far it is; null: nowhere.
Result<std::shared_ptr<const Snapshot>> computed(const ModelLibrary& library, const Workspace& workspace,
                                                 std::FILE* progress = nullptr);

}  // namespace glassformer
