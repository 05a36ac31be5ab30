#include "app/views/cost/unrolled_scene.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/document/unrolled_settings.h"
#include "app/document/view_commands.h"
#include "app/drawing/place_names.h"
#include "app/drawing/view_header.h"
#include "app/scene/format.h"
#include "app/views/cost/unrolled_network.h"
#include "core/lens/path_length.h"
#include "core/lens/serial_steps.h"

namespace glassformer {

namespace {

constexpr const char* besideSuffix = ".beside";

// The same network but for what mixes its tokens; nothing where none is chosen, or it is the model's own.
std::optional<ModelConfig> configBeside(const ViewSettings& settings, ModelConfig config) {
  for (const Mixing mixing : {Mixing::Attention, Mixing::Recurrence, Mixing::Convolution})
    if (settings.chosen(besideChoice) == mixingName(mixing, false) && mixing != config.mixing) {
      config.mixing = mixing;
      return config;
    }
  return std::nullopt;
}

// After how many steps it is looked at; -1: at the end.
int shownWave(const ViewSettings& settings) {
  const std::string_view chosen = settings.chosen(waveChoice);
  int wave = -1;
  std::from_chars(chosen.data(), chosen.data() + chosen.size(), wave);
  return std::max(wave, -1);
}

// One network, or two above each other, over the same tokens.
class UnrolledPicture {
 public:
  explicit UnrolledPicture(const SceneInput& input)
      : input_(input), theme_(input.theme), config_(input.config()), site_(ownSite(input.config())) {
    const ViewSettings& settings = input.workspace.settings;
    scene_.size = input.size;
    scene_.sources = input.sources();
    networks_.push_back({config_});
    const auto beside = configBeside(settings, config_);
    if (beside && scene_.sources.contains(std::string("lens.serial_steps") + besideSuffix))
      networks_.push_back({*beside, mixingName(beside->mixing, false) + " ",
                           std::string("lens.serial_steps") + besideSuffix,
                           std::string("lens.path_length") + besideSuffix});
    look_.tokens = input_.tokenCount();
    look_.to = input_.query();
    look_.from = std::clamp(input.workspace.selection.keyAt(site_), 0, look_.tokens - 1);
    look_.most = 0;
    for (const UnrolledNetwork& network : networks_)
      look_.most = std::max(look_.most, *valueOf(scene_.sources, lastState(scene_.sources, network)));
    look_.wave = shownWave(settings);
    if (look_.wave >= static_cast<int>(look_.most)) look_.wave = -1;
  }

  Scene drawn() {
    const float margin = marginOf(input_, scene_.size.x);
    float least = 2 * margin + mostHeader(input_) + tokensHeight;
    for (const UnrolledNetwork& network : networks_) least += wordsHeight + gapAbove + leastHeightOf(network);
    scene_.size.y = std::max(scene_.size.y, least);
    Box area = contentOf(input_, scene_.size);
    addHeader(area);
    const Box tokens = area.takeBottom(tokensHeight);
    const float each = area.height / static_cast<float>(networks_.size());
    for (const UnrolledNetwork& network : networks_) {
      Box own = area.takeTop(each);
      own.takeTop(gapAbove);
      const Box words = own.takeBottom(wordsHeight);
      const float states =
          unrolledLabels + statesWidth({own.x, own.y, own.width - unrolledLabels, 0}, look_.tokens);
      addWords({words.x, words.y, std::min(std::max(states, leastWords), words.width), words.height},
               network);
      addUnrolledNetwork(scene_, input_, own, network, look_);
    }
    Box states = area;
    states.takeLeft(unrolledLabels);
    const auto label = [&](int t) { return input_.label(t); };
    const auto chosen = [&](int t) { return t == look_.to || t == look_.from; };
    addLabels(scene_, input_,
              {{states.x, tokens.y - 1, statesWidth(states, look_.tokens), 1},
               Side::Bottom,
               look_.tokens,
               tokensHeight - 8,
               label,
               chosen});
    return std::move(scene_);
  }

 private:
  static constexpr float tokensHeight = 80, wordsHeight = 24, gapAbove = 8, leastWords = 480;

  void addHeader(Box& area) {
    ViewHeader header;
    header.title = "Unrolled graph";
    header.about = "Sequential operations until each state is computed";
    header.choices = {besideChoices(), waveChoices()};
    addViewHeader(scene_, input_, area, header);
  }

  std::vector<Choice> besideChoices() const {
    const bool isAlone = networks_.size() == 1;
    std::vector<Choice> all{{"Alone", "Only this network", isAlone, commands::choose(besideChoice, "")}};
    for (const Mixing mixing : {Mixing::Attention, Mixing::Recurrence, Mixing::Convolution}) {
      const std::string name = mixingName(mixing, false);
      if (mixing == config_.mixing) continue;
      all.push_back({"+ " + mixingName(mixing, true), "the same network with " + name + " below it",
                     !isAlone && networks_.back().config.mixing == mixing,
                     commands::choose(besideChoice, name)});
    }
    return all;
  }

  std::vector<Choice> waveChoices() const {
    const auto most = static_cast<int>(look_.most);
    const auto go = [](int wave) {
      return commands::choose(waveChoice, wave < 0 ? "" : std::to_string(wave));
    };
    const int back = std::max(0, (look_.wave < 0 ? most : look_.wave) - 1),
              on = look_.wave < 0 ? 0 : look_.wave + 1;
    return {{"All states", "All states", look_.wave < 0, go(-1)},
            {"Earlier", "States computed one step earlier", false, go(back)},
            {"Later", "States computed one step later", false, go(on < most ? on : -1)}};
  }

  void addWords(const Box& box, const UnrolledNetwork& network) {
    const TextStyle strong = theme_.strong();
    std::string serial = serialWords(scene_.sources, network, look_.wave);
    if (networks_.size() > 1) serial = mixingName(network.config.mixing, false) + ": " + serial;
    const float y = box.y + 12;
    Text& words = addText(scene_, {box.x, y}, serial, strong);
    const float most = box.width * 0.58f;
    words.maxWidth = most;
    if (look_.wave < 0) words.value = lastState(scene_.sources, network);
    const TensorRef length{network.pathLength, {look_.to, look_.from}};
    const float steps = valueOf(scene_.sources, length).value_or(NAN);
    const std::string ends = "“" + input_.label(look_.from) + "” to “" + input_.label(look_.to) + "”";
    const float room =
        box.width - std::min(most, input_.metrics.width(serial, strong.face, strong.size)) - 16;
    const std::string way = std::isnan(steps)
                                ? "no path from " + ends
                                : ends + ": " + formattedFixed(steps, 0) + (steps == 1 ? " step" : " steps");
    const bool hasRoom = input_.metrics.width("path from " + way, strong.face, strong.size) <= room;
    Text& path = addText(scene_, {box.right(), y}, (hasRoom && !std::isnan(steps) ? "path from " : "") + way,
                         strong, Align::End);
    if (!std::isnan(steps)) path.value = length;
    path.maxWidth = room;
  }

  const SceneInput& input_;
  const Theme& theme_;
  const ModelConfig& config_;
  AttentionSite site_;
  Scene scene_;
  std::vector<UnrolledNetwork> networks_;
  UnrolledLook look_;
};

void measureUnrolled(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  const int tokens = pass.trace.tokenCount(), source = static_cast<int>(pass.trace.source().size());
  const auto measure = [&](const ModelConfig& config, const char* suffix) {
    measureSerialSteps(config, tokens, source, set, suffix);
    measurePathLength(config, tokens, set, suffix);
  };
  measure(pass.config(), "");
  if (const auto beside = configBeside(pass.workspace.settings, pass.config()))
    measure(*beside, besideSuffix);
}

}  // namespace

namespace needs {
const Need unrolledNetwork{
    .name = "unrolled network", .onPass = measureUnrolled, .reads = readChoices<besideChoice>};
}  // namespace needs

Scene unrolledScene(const SceneInput& input) {
  const Snapshot& snapshot = input.snapshot;
  if (!snapshot.model->config) return emptyScene(input, "No model loaded", snapshot.standing.error);
  if (!snapshot.pass->hasTrace())
    return emptyScene(input, "No graph to unroll", snapshot.standing.errorOr("Type in the Text box."));
  if (!input.sources().contains("lens.serial_steps"))
    return emptyScene(input, "Unrolled graph", waitingWords(input));
  return UnrolledPicture(input).drawn();
}

}  // namespace glassformer
