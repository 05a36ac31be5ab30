#pragma once
#include <optional>
#include <string>

#include "app/document/decode_history.h"
#include "app/panels/panel.h"
#include "app/panels/scene_pane.h"

namespace glassformer {

/// The bottom region: how the text goes on. The decoding strategy with its settings, the strip of tokens, and
/// buttons that append one token or all of them.
class TimelinePanel : public Panel {
 public:
  TimelinePanel() : Panel("Timeline") {}

 protected:
  void content(Ui& ui, const Box& area) override;

 private:
  void showDecoding(Ui& ui, Box& rest);
  void showStrategies(Ui& ui, Box& row);
  void showButtons(Ui& ui, Box& row);
  void showPlaces(Ui& ui, Box& row);

  ScenePane strip_{"Token strip"};
};

/// What "Step" appends: the drawn token when sampling, else the most probable one; empty when nothing can
/// follow.
std::string nextBytes(const Ui& ui);
/// What chooses that.
ChosenBy stepChoosesBy(const Ui& ui);
/// The text at the place of the decoded text that lies so many tokens further; nothing where there is none,
/// the first or last one for more than there are.
std::optional<std::string> prefixBeside(const Ui& ui, int by);
inline constexpr int toTheEnd = 1 << 20;
/// Everything that the strip shows; empty while it is being decoded.
std::string continuationBytes(const Ui& ui);

}  // namespace glassformer
