#include "app/document/command.h"

namespace glassformer {

Workspace initialWorkspace() {
  Workspace workspace;
  workspace.text = "The animal didn't cross the street because it was too tired.";
  return workspace;
}

namespace commands {

Command setText(std::string text, std::string mergeKey) {
  return {[text = std::move(text)](Workspace& w) { w.text = text; }, "typing", std::move(mergeKey)};
}

Command appendText(std::string base, std::string added) {
  return {[base = std::move(base), added = std::move(added)](Workspace& w) {
            if (w.text == base) w.text += added;
          },
          "continuation", ""};
}

Command setModel(std::string model) {
  return {[model = std::move(model)](Workspace& w) { w.model = model; }, "model", ""};
}

Command setDecoding(Decoding decoding) {
  return {[decoding](Workspace& w) { w.decoding = decoding; }, "decoding", "decoding"};
}

Command addIntervention(Intervention intervention) {
  return {[intervention = std::move(intervention)](Workspace& w) { w.interventions.push_back(intervention); },
          "intervention", ""};
}

Command clearInterventions() {
  return {[](Workspace& w) { w.interventions.clear(); }, "interventions", ""};
}

Command setView(std::string view) {
  return {[view = std::move(view)](Workspace& w) { w.view = view; }, "", ""};
}

Command setStep(int step) {
  return {[step](Workspace& w) { w.step = step, w.view = "step"; }, "", ""};
}

Command select(Selection selection) {
  return {[selection](Workspace& w) { w.selection = selection; }, "", ""};
}

Command selectHead(int layer, int head) {
  return {[=](Workspace& w) { w.selection.layer = layer, w.selection.head = head; }, "", ""};
}

Command selectCell(int query, int key) {
  return {[=](Workspace& w) { w.selection.query = query, w.selection.key = key; }, "", ""};
}

Command selectQuery(int position) {
  return {[=](Workspace& w) { w.selection.query = position; }, "", ""};
}

Command selectDimension(int dimension) {
  return {[=](Workspace& w) { w.selection.dimension = dimension; }, "", ""};
}

Command setAttentionStage(AttentionStage stage) {
  return {[=](Workspace& w) { w.settings.attention = stage; }, "", ""};
}

Command setPositionsPart(PositionsPart part) {
  return {[=](Workspace& w) { w.settings.positions = part; }, "", ""};
}

Command setPrunedShown(int count) {
  return {[=](Workspace& w) { w.settings.prunedShown = count; }, "", ""};
}

Command setAppearance(Appearance appearance) {
  return {[appearance](Workspace& w) { w.appearance = appearance; }, "", ""};
}

}  // namespace commands
}  // namespace glassformer
