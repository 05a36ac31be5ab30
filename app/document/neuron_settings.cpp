#include "app/document/neuron_settings.h"

#include <algorithm>

#include "app/document/intervention_list.h"
#include "app/document/switches.h"
#include "app/document/text_commands.h"
#include "app/document/workspace.h"

namespace glassformer::commands {

Command openExample(TabText writing, int token, bool inSource) {
  return {[open = newTab(std::move(writing)), token, inSource](Workspace& w) {
            open.apply(w);
            (inSource ? w.selection.source : w.selection.query) = token;
          },
          "opening an example", ""};
}

Command toggleNeuron(const std::string& point, int neuron) {
  return {[off = neuronOff(point, neuron), neuron](Workspace& w) {
            toggleIntervention(w, off);
            w.settings.choose(neuronChoice, std::to_string(neuron));
          },
          "switching the neuron", ""};
}

}  // namespace glassformer::commands
