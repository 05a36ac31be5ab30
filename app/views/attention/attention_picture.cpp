#include "app/views/attention/attention_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/document/steps.h"
#include "app/document/switches.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"

namespace glassformer {

namespace {

TokenPair pairIn(const AttentionPicture& picture) {
  const auto isPair = [&](int query, int key) {
    return query >= 0 && query < picture.queries && key >= 0 && key < picture.keys;
  };
  const Target& hover = picture.input.hover;
  const bool here = hover.queries == picture.asking && hover.keys == picture.lookedAt;
  if (here && isPair(hover.query, hover.key)) return {hover.query, hover.key};
  const Selection& chosen = picture.input.workspace.selection;
  const TokenPair pair{chosen.queryIn(picture.asking), chosen.keyAt(picture.site)};
  return hover.query == Target::none && isPair(pair.query, pair.key) ? pair : TokenPair{};
}

const char* wordsFor(AttentionSite site) {
  if (site == AttentionSite::Encoder) return "inside the source, every token sees every other";
  return site == AttentionSite::Cross ? "from the target to the source" : "within the target";
}

AttentionPlane withQuantity(AttentionPlane plane, AttentionQuantity quantity) {
  plane.quantity = quantity;
  return plane;
}

bool isSigned(const AttentionPlane& plane) {
  return plane.fold == HeadFold::Difference || plane.quantity == AttentionQuantity::ValueWeightedExcess;
}

// One scale with and without the mask, so that masking changes nothing but what it takes away.
Coloring scoreScale(const AttentionPicture& picture, const AttentionPlane& plane) {
  const auto found = [&](AttentionQuantity quantity) {
    return rangeOf(picture.scene.sources, refOf(withQuantity(plane, quantity)));
  };
  return {ColorMap::Diverging,
          symmetric(unionOf(found(AttentionQuantity::Scores), found(AttentionQuantity::Masked)))};
}

// The first step of what stands in attention's place, in the selected block.
std::string mixingStep(const SceneInput& input) {
  const auto steps = stepsOf(input.model());
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
    const bool mixes = step.part == StepPart::Recurrence || step.part == StepPart::Convolution;
    return mixes && step.layer == input.layer();
  });
  return nameOf(*found);
}

Scene withoutAttention(const SceneInput& input) {
  const bool recurs = input.config().mixing == Mixing::Recurrence;
  Scene scene =
      emptyScene(input, "This model has no attention",
                 recurs ? "A state passes from token to token." : "Every token reads its neighbors.");
  const std::vector<Choice> elsewhere{{"Its steps",
                                       recurs ? "Input of every token to the state, and the term carried over"
                                              : "Input of every tap from the neighboring tokens",
                                       false, commands::setStep(mixingStep(input))},
                                      {"Weighted values", "Output added to the residual stream, by block",
                                       false, commands::setView("residual")}};
  const Point middle{input.size.x / 2, input.size.y / 2};
  addChoices(scene, input, {middle.x + widthOf(input, elsewhere) / 2, middle.y + 40}, elsewhere);
  return scene;
}

}  // namespace

std::optional<Scene> AttentionPicture::empty(const SceneInput& input) {
  if (!input.snapshot.pass->hasTrace() || !input.snapshot.model->config)
    return emptyScene(input, "No text yet", input.snapshot.standing.errorOr("Type in the Text box."));
  if (!input.config().hasAttention()) return withoutAttention(input);
  return std::nullopt;
}

AttentionPicture::AttentionPicture(const SceneInput& sceneInput)
    : input(sceneInput),
      theme(sceneInput.theme),
      config(sceneInput.config()),
      settings(sceneInput.workspace.settings.attention),
      selected(selectedHead(sceneInput.workspace, config)),
      mask(config.maskOf(selected.layer)),
      site(selected.site),
      asking(queriesOf(site)),
      lookedAt(keysOf(site)),
      queries(sceneInput.countOf(asking)),
      keys(sceneInput.countOf(lookedAt)) {
  pair = pairIn(*this);
  scene.size = input.pictureSize();
  scene.sources = input.sources();
  const bool large = scene.size.y >= 700 && scene.size.x >= 1000;
  labelSize = large && std::max(queries, keys) <= 20 ? Theme::body : Theme::small;
}

AttentionPlane inTextOrder(AttentionPlane plane) {
  plane.order = RowOrder::Text;
  plane.key = 0;
  return plane;
}

std::vector<Choice> siteChoices(const SceneInput& input) {
  const std::vector<AttentionSite> sites = sitesOf(input.config());
  if (sites.size() < 2) return {};
  struct Words {
    const char *label, *tip;
  };
  const auto words = [](AttentionSite site) -> Words {
    if (site == AttentionSite::Encoder) return {"Encoder", "Self-attention of the source"};
    if (site == AttentionSite::Cross)
      return {"Cross", "Attention from the target to the source (cross-attention)"};
    return {"Decoder", "Self-attention of the target"};
  };
  const AttentionSite shown = shownSite(input.workspace, input.config());
  std::vector<Choice> choices;
  for (const AttentionSite site : sites)
    choices.push_back({words(site).label, words(site).tip, shown == site, commands::selectSite(site)});
  return choices;
}

TensorRef refOf(const AttentionPlane& plane) {
  if (isTraced(plane)) return {tensorOf(plane), {plane.heads.front().head, 0, 0}, 1, 2, -1, -1};
  return {tensorOf(plane), {}, 0, 1, -1, -1};
}

bool isThere(const AttentionPicture& picture, const AttentionPlane& plane) {
  return picture.scene.sources.contains(tensorOf(plane));
}

Coloring scaleOf(const AttentionPicture& picture, const AttentionPlane& plane) {
  if (plane.quantity == AttentionQuantity::Scores || plane.quantity == AttentionQuantity::Masked)
    return scoreScale(picture, plane);
  const TensorRef ref = refOf(plane);
  const auto found = [&] { return rangeOf(picture.scene.sources, ref); };
  if (isSigned(plane)) {
    const float largest = symmetric(found()).high;
    const float most = largest > 1e-5f ? roundedUp(largest) : 1;  // two heads may well agree everywhere
    return {ColorMap::Diverging, {-most, most}};
  }
  const bool wholeShares = plane.quantity == AttentionQuantity::Pattern && plane.fold == HeadFold::One;
  if (wholeShares && !plane.normalized)
    return coloring(picture.input, {ref}, {ColorMap::Sequential, rangeOfShares(picture)});
  const Range sizes{0, plane.normalized ? 1 : roundedUp(found().high)};
  return coloring(picture.input, {ref}, {ColorMap::Sequential, sizes});
}

Range rangeOfShares(const AttentionPicture& picture) {
  constexpr int mostLinear = 512;  // keys: an even share is 1/512, as dark as nothing
  const ShareScale scale = picture.settings.scale;
  const bool isLinear =
      scale == ShareScale::Linear || (scale == ShareScale::Fitting && picture.keys <= mostLinear);
  if (isLinear) return {0, 1};
  return {1 / (8 * static_cast<float>(picture.keys)), 1, true};
}

void addScaleWords(AttentionPicture& picture, Point at, const Range& range, Align align) {
  if (range.logarithmic && picture.input.shows(BesidePicture::Scale))
    addText(picture.scene, at, "log scale", picture.theme.note(), align);
}

void waitForNothing(AttentionPicture& picture) {
  if (!picture.input.isStill()) picture.scene.sources.makeNothing();
}

namespace {

// A single head, whose softmax an argmax has replaced.
bool isHardAlone(const AttentionPicture& picture, const AttentionPlane& plane) {
  return plane.fold == HeadFold::One && isHard(picture.input.workspace.interventions, plane.heads.front());
}

}  // namespace

std::string titleOf(const AttentionPicture& picture, const AttentionPlane& plane) {
  if (plane.fold == HeadFold::One)
    return headWords(plane.heads.front()) + (isHardAlone(picture, plane) ? ", argmax" : "");
  if (plane.fold == HeadFold::Difference)
    return nameOf(plane.heads.front()) + " − " + nameOf(plane.heads.back());
  const std::string what = plane.fold == HeadFold::Average ? "Average of " : "Maximum of ";
  if (picture.settings.heads.empty())
    return what + "block " + std::to_string(picture.selected.layer) + "’s heads";
  return what + std::to_string(plane.heads.size()) + " heads";
}

std::string relationOf(const AttentionPlane& plane, const std::string& query, const std::string& key) {
  if (plane.quantity == AttentionQuantity::Scores) return query + " compared with " + key;
  if (plane.quantity == AttentionQuantity::ValueWeighted) return query + " reads from " + key;
  return query + " attends to " + key;
}

Choice settingChoice(const char* label, const char* tip, bool on,
                     std::function<void(AttentionSettings&)> change) {
  return {label, tip, on,
          commands::changeSettings([change = std::move(change)](ViewSettings& s) { change(s.attention); })};
}

std::vector<Choice> stageChoices(AttentionStage shown) {
  return {stageChoice("Pattern", "Attention weights: softmax of the masked scores; each row sums to 1",
                      AttentionStage::Pattern, shown),
          stageChoice("Value-weighted",
                      "Attention weight times the norm of the value's output to the residual stream",
                      AttentionStage::Moved, shown)};
}

Choice stageChoice(const char* label, const char* tip, AttentionStage stage, AttentionStage shown) {
  return settingChoice(label, tip, shown == stage, [=](AttentionSettings& s) { s.stage = stage; });
}

// ", s = mask(q · kᵀ / √K)": the scores of a pattern, as this model computes them.
static std::string scoresEquation(const AttentionPicture& picture, const AttentionPlane& plane) {
  const bool isPattern = plane.quantity == AttentionQuantity::Pattern && plane.fold == HeadFold::One;
  const HeadId head = plane.heads.front();
  const TracePoint* scores =
      isPattern ? picture.scene.sources.point(attentionPoint(head.layer, head.site, "hook_attn_scores"))
                : nullptr;
  if (!scores || scores->equation.empty()) return "";
  std::string equation = scores->equation;
  constexpr std::string_view projected = "q · kᵀ";  // without projections both are the tokens as they are
  const std::size_t at = equation.find(projected);
  if (picture.config.similarity == Similarity::Plain && at != std::string::npos)
    equation.replace(at, projected.size(), "x · xᵀ");
  return ",  " + equation;
}

void addHeader(AttentionPicture& picture, Box& area, const AttentionPlane& plane, const std::string& title,
               std::vector<std::vector<Choice>> choices) {
  const TracePoint* point = picture.scene.sources.point(tensorOf(plane));
  std::string equation = point ? point->equation : "";
  if (picture.input.isPresented()) equation += scoresEquation(picture, plane);
  if (const std::size_t soft = equation.find("softmax");
      soft != std::string::npos && isHardAlone(picture, plane))
    equation.replace(soft, 7, "argmax");
  addHeader(picture, area, equation, title, std::move(choices));
}

void addHeader(AttentionPicture& picture, Box& area, const std::string& equation, const std::string& title,
               std::vector<std::vector<Choice>> choices) {
  picture.scene.title = title, picture.scene.about = equation;
  addViewTitle(picture.scene, picture.input, area, title);
  if (picture.input.isHeadedApart()) {
    addChoices(picture.scene, picture.input, {}, siteChoices(picture.input));
    for (const auto& group : choices) addChoices(picture.scene, picture.input, {}, group);
    return;
  }
  constexpr float leastHeight = 400;  // in less a line is worth more to the picture
  const bool isAbove = area.height >= leastHeight &&
                       needsOwnLine(picture.input, equation, FontFace::Mono, choices, area.width);
  if (isAbove)
    addText(picture.scene, {area.x, area.takeTop(24).center().y + 4}, equation, picture.theme.quietMono())
        .maxWidth = area.width;
  const Box box = area.takeTop(Theme::control + 16);
  float left = box.right();
  const float y = box.y + 8;
  const bool several = sitesOf(picture.config).size() > 1, roomy = box.width >= 900;
  if (several && roomy) {
    std::vector<std::vector<Choice>> all{siteChoices(picture.input)};
    all.insert(all.end(), choices.begin(), choices.end());
    choices = std::move(all);
  } else if (several) {
    const Box row = area.takeTop(Theme::control + 8);
    const Box sites =
        addChoices(picture.scene, picture.input, {row.right(), row.y}, siteChoices(picture.input));
    addText(picture.scene, {row.x, row.y + Theme::control / 2}, wordsFor(picture.site), picture.theme.note())
        .maxWidth = sites.x - row.x - 16;
  }
  for (auto group = choices.rbegin(); group != choices.rend(); ++group)
    if (!group->empty()) left = addChoices(picture.scene, picture.input, {left, y}, *group).x - 8;
  constexpr float leastWords = 64;  // with less room the equation is left to the caption
  if (isAbove || left - box.x - 8 < leastWords) return;
  addText(picture.scene, {box.x, y + Theme::control / 2}, equation, picture.theme.quietMono()).maxWidth =
      left - box.x - 8;
}

float labelDepth(const AttentionPicture& picture, const Box& area) {
  const float widest = std::max(picture.input.widestLabel(picture.asking, picture.labelSize),
                                picture.input.widestLabel(picture.lookedAt, picture.labelSize));
  if (picture.input.isPresented()) return std::clamp(widest + 12, 64.0f, 120.0f);
  return std::clamp(std::ceil((widest + 16) / 16) * 16, 80.0f, area.width < 800 ? 88.0f : 120.0f);
}

float columnWidth(const AttentionPicture& picture) {
  if (!picture.input.shows(BesidePicture::Heads) && !picture.input.shows(BesidePicture::Bars)) return 0;
  constexpr float leastBesideGrid = 600;  // beside another one the matrix has all of the room
  if (picture.input.isHeadedApart() && picture.scene.size.x < leastBesideGrid) return 0;
  const bool wide = picture.scene.size.x >= 1200;
  return std::clamp(20 + 14 * static_cast<float>(picture.config.heads), wide ? 264.0f : 152.0f, 264.0f);
}

Box takeColumn(const AttentionPicture& picture, Box& area) {
  const float width = columnWidth(picture);
  if (!picture.input.headsFirst()) return area.takeRight(width);
  const Box column = area.takeLeft(width);
  if (width > 0) area.takeLeft(24);
  return column;
}

std::string windowText(const AttentionPicture& picture, const PlaneWindow& window) {
  const auto words = [](const char* what, int first, int shown, int all) {
    return what + std::to_string(first) + " to " + std::to_string(first + shown - 1) + " of " +
           std::to_string(all);
  };
  if (window.queries >= picture.queries && window.keys >= picture.keys) return "";
  if (!picture.isAcross()) return words("tokens ", window.firstKey, window.keys, picture.keys);
  return words("target ", window.firstQuery, window.queries, picture.queries) +
         words(", source ", window.firstKey, window.keys, picture.keys);
}

}  // namespace glassformer
