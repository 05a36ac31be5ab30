#pragma once
#include "app/document/intervention_list.h"
#include "app/panels/panel.h"
#include "app/panels/scene_pane.h"
#include "app/panels/text_field.h"

namespace glassformer {

/// The left region: the text with its tokens, of a model that reads a source both, and the map of the model.
class InputPanel : public Panel {
 public:
  InputPanel() : Panel("Input") {}
  /// Which tensors an opened number is made of: the map outlines where they come about.
  void outline(std::vector<std::string> made) { made_ = std::move(made); }
  /// Where its two halves stood when it was drawn last.
  const Box& texts() const { return texts_; }
  const Box& map() const { return mapBox_; }
  /// Of a model that reads a source, to that.
  void focusText(bool reads) { (reads ? source_ : field_).focus(); }
  /// The same, and what was typed before.
  void writeText(bool reads, std::string_view typed) { (reads ? source_ : field_).write(typed); }
  /// Whether one writes in a text.
  bool isWriting() const { return field_.editing() || source_.editing() || target_.editing(); }
  void leaveText() { field_.leave(), source_.leave(), target_.leave(); }

 protected:
  void content(Ui& ui, const Box& area) override;
  static void showModelButtons(Ui& ui, Box model);

 private:
  std::string status(const Ui& ui, Stream stream) const;
  void showBeyond(Ui& ui, Stream stream, Box& rest) const;
  void showTexts(Ui& ui, Box& rest);
  void showTabs(Ui& ui, Box row);
  void showComparison(Ui& ui, Box row);
  void showInterventions(Ui& ui, Box& rest);
  void showPaging(Ui& ui, std::size_t earlier, const Box& row);
  void showSwitch(Ui& ui, std::size_t i, bool acts, const Box& box);
  void showIntervention(Ui& ui, std::size_t i, const ListedIntervention& listed, Box& rest);
  void showNumber(Ui& ui, std::size_t i, Intervention changed, Box row);

  TextField field_{"Text", Stream::Text, "Type a sentence"};
  TextField source_{"Source", Stream::Source, "Type a sentence to translate"};
  TextField target_{"Target", Stream::Text, "Nothing written yet"};
  ScenePane map_{"Model map"};
  std::size_t listed_ = 0;         // interventions, when it was drawn last
  std::size_t newer_ = 0;          // than those in sight
  std::vector<std::string> made_;  // see outline()
  Box texts_, mapBox_;
};

}  // namespace glassformer
