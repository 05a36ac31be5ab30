#pragma once
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "app/engine/engine.h"
#include "app/engine/model_library.h"

namespace glassformer {

struct Workspace;

/// A model that a command has opened already, by the name that it was asked for.
struct OpenedModel {
  std::string asked;
  LoadedModel model;
};

/// Everything that the window would show of one workspace after the other, computed to its end by the same
/// engine, which keeps the model open from one to the next. What could not be computed the snapshot says.
class Computer {
 public:
  explicit Computer(const ModelLibrary& library, std::optional<OpenedModel> opened = std::nullopt);
  std::shared_ptr<const Snapshot> operator()(const Workspace& workspace);
  const Engine& engine() const { return engine_; }

 private:
  Engine engine_;
  std::uint64_t revision_ = 0;
};

/// The same of one workspace alone; an error where anything could not be computed. `progress`: where lines go
/// that say how far it is; null: nowhere. `opened` is not opened again.
Result<std::shared_ptr<const Snapshot>> computed(const ModelLibrary& library, const Workspace& workspace,
                                                 std::FILE* progress = nullptr,
                                                 std::optional<OpenedModel> opened = std::nullopt);

}  // namespace glassformer
