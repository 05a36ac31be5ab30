#pragma once
#include <functional>
#include <string>

#include "app/scene/views.h"
#include "tests/small_model.h"

namespace glassformer {

/// Widths close to those of the real fonts, so that layouts can be tested without any.
class PlainMetrics : public TextMetrics {
 public:
  float width(std::string_view text, FontFace face, float size) const override {
    int letters = 0;
    for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return static_cast<float>(letters) * size * (face == FontFace::Mono ? 0.6f : 0.55f);
  }
};

/// What the engine publishes for a workspace, with a small random model.
inline std::shared_ptr<const Snapshot> snapshotOf(const Workspace& workspace, int layers = 3, int heads = 4) {
  const auto load = [=](const std::string& name) -> Result<LoadedModel> {
    return makeSmallModel(name, layers, heads, 128);
  };
  Engine engine(load, [] {});
  engine.request(workspace, 1);
  engine.finish();
  return engine.latest();
}

struct ViewCase {
  std::string name;
  const SceneInput& input;
  Scene scene;
};

/// Every view with texts of one, some and as many tokens as the model takes, a small and a deep model, in a
/// small and a large stage, with nothing and with something under the pointer, in each of its settings.
inline void forEachView(const std::function<void(const ViewCase&)>& check) {
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  std::string manyWords;
  for (int i = 0; i < 40; ++i) manyWords += "The animal didn't cross the street. ";
  const std::string sentence = initialWorkspace().text;
  struct Kind {
    std::string text;
    int layers, heads;
  };
  for (const auto& [text, layers, heads] :
       {Kind{"The", 3, 4}, Kind{sentence, 3, 4}, Kind{sentence, 12, 12}, Kind{manyWords, 3, 4}}) {
    Workspace workspace = initialWorkspace();
    workspace.text = text;
    workspace.selection.layer = 1, workspace.selection.head = 2, workspace.selection.dimension = 5;
    const auto snapshot = snapshotOf(workspace, layers, heads);
    Target pointed;
    pointed.query = snapshot->trace->tokenCount() - 1, pointed.key = 0, pointed.dimension = 3;
    for (const Target& hover : {Target{}, pointed})
      for (const Point size : {Point{656, 512}, Point{1296, 872}})
        for (const View& view : views())
          for (int setting = 0; setting < 3; ++setting) {
            workspace.settings.attention = static_cast<AttentionStage>(setting);
            workspace.settings.positions = static_cast<PositionsPart>(setting % 2);
            workspace.step = 3 + 14 + setting;
            const SceneInput input{workspace, *snapshot, size, theme, metrics, hover};
            check({std::string(view.id) + " setting " + std::to_string(setting) + ", " +
                       std::to_string(snapshot->trace->tokenCount()) + " tokens, " + std::to_string(layers) +
                       " layers, " + std::to_string(static_cast<int>(size.x)) + " wide" +
                       (hover.empty() ? "" : ", pointed"),
                   input, view.scene(input)});
          }
  }
}

}  // namespace glassformer
