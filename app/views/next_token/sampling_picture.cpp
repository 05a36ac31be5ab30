#include "app/views/next_token/sampling_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/document/decoding_commands.h"
#include "app/scene/format.h"
#include "app/views/next_token/next_token_picture.h"
#include "app/views/views.h"
#include "core/decode/sampling.h"
#include "core/decode/sampling_chain.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr int mostChainRows = 14, mostSegments = 96;
constexpr float chainHeading = 52, chainNameLine = 18, chainGap = 12, chainFoot = 60, leastChainRow = 20,
                mostChainRow = 34, chainDraw = 92;

// The number of a stage, or "off".
std::string stageNumber(const SamplingStage& stage, const StageNumbers& numbers) {
  const float number = numbers.of(stage);
  return number == stage.off ? "off" : formattedFixed(number, stage.decimals);
}

// Switches a stage off, or on with the number that is usual.
Command toggleStage(const SamplingStage& stage, Decoding decoding) {
  const bool isOn = decoding.stages.of(stage) != stage.off;
  decoding.stages.set(stage, isOn ? stage.off : stage.usual);
  return commands::setDecoding(decoding, std::string(stage.name) + (isOn ? " off" : " on"));
}

// Moves a stage to another place of the order.
Command moveStage(const SamplingStage& stage, Decoding decoding, int place) {
  decoding.stages = moved(decoding.stages, stage, place);
  return commands::setDecoding(decoding, std::string(stage.name) + " as stage " + std::to_string(place + 1),
                               "order of " + std::string(stage.id));
}

class SamplingPicture {
 public:
  explicit SamplingPicture(const SceneInput& input)
      : picture_(input),
        scene_(picture_.scene),
        input_(input),
        theme_(input.theme),
        probability_(*scene_.sources.find(chain::probability)),
        before_(*scene_.sources.find(chain::before)),
        order_(*scene_.sources.find(chain::stage)),
        seen_(*scene_.sources.find(chain::seen)),
        stages_(probability_.extent[0]) {}

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    const int position = std::clamp(input_.query(), 0, input_.tokenCount() - 1);
    addNextTokenHeader(picture_, area, "Sampling after " + picture_.quoted(position), aboutWords());
    area.takeTop(8);
    const Box draw = area.takeBottom(chainDraw);
    labels_ = area.takeLeft(std::clamp(area.width * 0.14f, 72.0f, 132.0f));
    placeColumns(area);
    isStaggered_ = !namesFit();
    area.takeTop(isStaggered_ ? chainNameLine : 0);
    for (Box& column : columns_) column = {column.x, area.y, column.width, area.height};
    listRows(area);
    for (int stage = 0; stage < stages_; ++stage) addStage(stage, columns_[static_cast<std::size_t>(stage)]);
    addNames(area);
    addDraw(draw);
    return std::move(scene_);
  }

 private:
  ChainLink linkOf(int i) const { return chainLink(order_, i); }
  bool isOn(int i) const {
    const SamplingStage* stage = linkOf(i).stage;
    return !stage || decoding().stages.of(*stage) != stage->off;
  }
  // Before the first stage stand the model and, where there is one, the constraint.
  int firstStage() const { return linkOf(1).stage ? 1 : 2; }
  const Decoding& decoding() const { return input_.workspace.decoding; }
  float p(int stage, int token) const { return probability_(stage, token); }
  bool isLeft(int stage, int token) const { return std::isfinite(before_(stage, token)); }
  TensorRef cell(const char* tensor, int i, int j = 0) const { return {tensor, {i, j}}; }
  int drawnToken() const { return static_cast<int>(*valueOf(scene_.sources, cell(chain::drawn, 0))); }

  bool isBanned(int token) const { return std::ranges::binary_search(decoding().constraint.banned, token); }
  // "red|green", "2 banned", "the model's own".
  std::string constraintWords() const {
    const Constraint& c = decoding().constraint;
    if (c.isOff()) return "the model's own";
    const std::string banned = c.banned.empty() ? "" : std::to_string(c.banned.size()) + " banned";
    return c.pattern + (c.pattern.empty() || banned.empty() ? "" : ", ") + banned;
  }
  // Of a stage whose tokens the model's config names, and nobody can lift.
  std::string aboutConstraint() const {
    if (!decoding().constraint.isOff())
      return "Constraint: only tokens that the text may go on with, " + constraintWords() +
             "\na click lifts it";
    const auto named = [&](int token) {
      return inQuotes(input_.snapshot.model->tokenizer->tokenLabel(token));
    };
    std::string words = "Constraint: the model's config says what its texts go on with";
    if (input_.config().neverToken >= 0) words += "\nnever with " + named(input_.config().neverToken);
    if (input_.config().lastToken >= 0)
      words += "\nwhere the context ends, with " + named(input_.config().lastToken);
    return words;
  }

  std::string aboutWords() const {
    return decoding().strategy == DecodingStrategy::Sampling
               ? "what each stage leaves of the distribution, and the draw; click a stage to switch it, drag "
                 "it to act earlier or later, click a token to ban it"
               : "what sampling would do; choose Sampling below to go on by it";
  }

  // The model's likeliest tokens, and in any case the one that is drawn.
  void listRows(const Box& area) {
    const float height = area.height - chainHeading - chainFoot;
    tokens_ = likeliest(0, std::clamp(static_cast<int>(height / leastChainRow), 1, mostChainRows));
    row_ = std::clamp(height / static_cast<float>(tokens_.size()), leastChainRow, mostChainRow);
    letters_ = row_ > 28 ? Theme::body : Theme::small;
    if (drawnToken() >= 0 && std::ranges::find(tokens_, drawnToken()) == tokens_.end())
      tokens_.back() = drawnToken();
  }
  std::vector<int> likeliest(int stage, int count) const {
    std::vector<int> order(static_cast<std::size_t>(probability_.extent[1]));
    std::iota(order.begin(), order.end(), 0);
    const auto kept = std::min(order.size(), static_cast<std::size_t>(count));
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
        [&](int a, int b) { return p(stage, a) != p(stage, b) ? p(stage, a) > p(stage, b) : a < b; });
    order.resize(kept);
    return order;
  }

  // Stages that are off change nothing: they take half of the room.
  void placeColumns(Box area) {
    constexpr float off = 0.5f;
    float shares = 0;
    for (int stage = 0; stage < stages_; ++stage) shares += isOn(stage) ? 1 : off;
    const float width = area.width / shares;
    for (int stage = 0; stage < stages_; ++stage)
      columns_.push_back(area.takeLeft(isOn(stage) ? width : off * width));
  }
  bool namesFit() const {
    for (int stage = 0; stage < stages_; ++stage)
      if (nameWidth(stage) > columns_[static_cast<std::size_t>(stage)].width - chainGap) return false;
    return true;
  }
  float nameWidth(int stage) const {
    return input_.metrics.width(linkOf(stage).name(), nameStyle(stage).face, Theme::small);
  }
  TextStyle nameStyle(int stage) const {
    return {isOn(stage) ? FontFace::Strong : FontFace::Ui, Theme::small,
            isOn(stage) ? theme_.text : theme_.quiet};
  }
  // Where names are wider than their columns, every other one stands a line higher, and each has the room of
  // two.
  void addStageName(int stage, const Box& column) {
    const bool isRaised = isStaggered_ && stage % 2 == 1;
    const std::size_t next = static_cast<std::size_t>(stage) + (isStaggered_ ? 2 : 1);
    const float end = next < columns_.size() ? columns_[next].x - chainGap / 2 : scene_.size.x;
    const float y = column.y + 12 - (isRaised ? chainNameLine : 0);
    addText(scene_, {column.x, y}, std::string(linkOf(stage).name()), nameStyle(stage)).maxWidth =
        end - column.x;
  }

  // Where the other stages stand: what is dragged beyond so many of them acts after them.
  std::vector<float> placesBut(int moving) const {
    std::vector<float> places;
    for (int stage = firstStage(); stage < stages_; ++stage)
      if (stage != moving) places.push_back(columns_[static_cast<std::size_t>(stage)].center().x);
    return places;
  }

  Box rowsOf(const Box& column) const {
    return {column.x, column.y + chainHeading, column.width, row_ * static_cast<float>(tokens_.size())};
  }

  void addNames(const Box& area) {
    const Box rows = rowsOf(area);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const bool isDrawn = tokens_[i] == drawnToken();
      addText(scene_, {labels_.right() - 12, rows.y + (static_cast<float>(i) + 0.5f) * row_},
              input_.entryLabel(tokens_[i]),
              {isDrawn ? FontFace::Strong : FontFace::Mono, letters_,
               isDrawn || input_.hover.entry == tokens_[i] ? theme_.text : theme_.quiet},
              Align::End)
          .maxWidth = labels_.width - 12;
    }
  }

  void addStage(int stage, Box column) {
    column.width -= chainGap;
    addStageHeading(stage, column);
    const Box rows = rowsOf(column);
    const float most = std::max(p(0, tokens_.front()), p(stage, likeliest(stage, 1).front()));
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      addEntry(stage, tokens_[i], {rows.x, rows.y + static_cast<float>(i) * row_, rows.width, row_}, most);
    addFoot(stage, {column.x, rows.bottom() + 4, column.width, chainFoot});
  }

  void addStageHeading(int stage, const Box& column) {
    const ChainLink link = linkOf(stage);
    const std::string number = link.stage          ? stageNumber(*link.stage, decoding().stages)
                               : link.isConstraint ? constraintWords()
                                                   : "softmax";
    const bool on = isOn(stage);
    addStageName(stage, column);
    addText(scene_, {column.x, column.y + 32}, number,
            {FontFace::Mono, Theme::small, on ? theme_.accent : theme_.quiet})
        .maxWidth = column.width;
    if (link.isModel()) return;
    HitRegion hit;
    hit.box = {column.x - 4, column.y, column.width + 8, 44};
    hit.name = "stage " + std::string(link.id());
    if (link.isConstraint) {
      hit.target.text = aboutConstraint();
      if (!decoding().constraint.isOff())
        hit.click = [change = commands::liftConstraint(decoding())](const Target&) { return change; };
      scene_.hits.push_back(std::move(hit));
      return;
    }
    hit.target.text = std::string(link.name()) + ": " + std::string(link.stage->meaning) +
                      (on ? "\na click switches it off" : "\na click switches it on") +
                      "; dragged sideways it acts earlier or later";
    hit.click = [change = toggleStage(*link.stage, decoding())](const Target&) { return change; };
    const auto to = [moving = link.stage, from = decoding()](int place) {
      return moveStage(*moving, from, place);
    };
    hit.pan = [to, places = placesBut(stage), center = column.center().x, width = hit.box.width](Point by) {
      return to(static_cast<int>(std::ranges::lower_bound(places, center + by.x * width) - places.begin()));
    };
    hit.arrows = [to, at = stage - firstStage()](int right, int) { return to(std::max(0, at + right)); };
    scene_.hits.push_back(std::move(hit));
  }

  // The stage's bar over that of the stage before.
  void addEntry(int stage, int token, Box row, float most) {
    const TensorRef now = cell(chain::probability, stage, token);
    const bool on = isOn(stage), remains = isLeft(stage, token), was = stage > 0 && isLeft(stage - 1, token);
    const Box whole = row;
    if (input_.hover.entry == token) scene_.add(Rect{whole, theme_.raised, {0, 0, 0, 0}, 3, 1});
    const bool hasWords = on && row.width > 7 * letters_;  // else the bar tells more
    const Box words = hasWords ? row.takeRight(4.4f * letters_) : Box{};
    const Box bar = row.inset(0, row_ * 0.2f);
    const Rgba color = colorAt(ColorMap::Sequential, 0.7f, theme_.dark);
    if (was && on)
      scene_.add(Bar{bar,
                     cell(chain::probability, stage - 1, token),
                     {0, most},
                     mix(theme_.ground, theme_.quiet, 0.3f),
                     false,
                     2});
    if (remains)
      scene_.add(Bar{bar.inset(0, was && on ? bar.height * 0.25f : 0), now, {0, most}, color, false, 2});
    if (remains && hasWords)
      addText(scene_, {words.right() - 2, words.center().y}, formattedPercent(p(stage, token)),
              {FontFace::Mono, letters_ - 1, theme_.text}, Align::End)
          .value = now;
    else if (hasWords)
      addText(scene_, {words.right() - 2, words.center().y}, was ? "out" : "",
              {FontFace::Ui, letters_ - 1, theme_.feedForward}, Align::End);
    HitRegion hit;
    hit.box = whole;
    hit.target.cell = now, hit.target.entry = token, hit.target.token = input_.query();
    hit.target.text = "“" + input_.entryLabel(token) + "”" + wordsOf(stage, token);
    hit.click = [change = commands::banOrAllow(token, input_.entryLabel(token), decoding())](const Target&) {
      return change;
    };
    hit.name = stage == 0 ? "candidate " + input_.entryLabel(token) : "";
    scene_.hits.push_back(std::move(hit));
  }

  std::string wordsOf(int stage, int token) const {
    const int times = static_cast<int>(seen_(token));
    if (stage == 0)
      return " as the model has it" + (times == 0 ? std::string(", not yet in the text")
                                       : times == 1
                                           ? ", once in the text already"
                                           : ", " + std::to_string(times) + " times in the text already");
    const ChainLink link = linkOf(stage);
    const std::string after = " after " + std::string(link.name());
    if (isLeft(stage, token)) return after;
    if (!isLeft(stage - 1, token)) return after + ": out already";
    if (link.isConstraint)
      return after + (isBanned(token) ? ": out, it is banned" : ": out, the text may not go on with it");
    if (!link.stage->reason) return after + ": out already";
    RankedCandidate candidate;
    candidate.probability = p(stage - 1, token);
    candidate.before = before_(stage - 1, token);
    candidate.largest = p(stage - 1, likeliest(stage - 1, 1).front());
    candidate.entropy = *valueOf(scene_.sources, cell(chain::entropy, stage - 1));
    for (int other = 0; other < probability_.extent[1]; ++other)
      candidate.rank += p(stage - 1, other) > p(stage - 1, token) ||
                        (p(stage - 1, other) == p(stage - 1, token) && other < token);
    return after + ": out, " + link.stage->reason(candidate, decoding().stages.of(*link.stage));
  }

  // How many are left, what was taken out, and how undecided that is.
  void addFoot(int stage, const Box& box) {
    int left = 0;
    double taken = 0;
    for (int token = 0; token < probability_.extent[1]; ++token) {
      left += isLeft(stage, token);
      if (stage > 0 && !isLeft(stage, token)) taken += p(stage - 1, token);
    }
    const TextStyle quiet{FontFace::Mono, Theme::small - 1, theme_.quiet};
    scene_.add(Line{{{box.x, box.y}, {box.right(), box.y}}, theme_.line, 1, false});
    if (!isOn(stage)) return;
    const auto line = [&](float y, const std::string& words) -> Text& {
      Text& text = addText(scene_, {box.x, box.y + y}, words, quiet);
      text.maxWidth = box.width;
      return text;
    };
    const bool wide = box.width > 80;
    line(12, std::to_string(left) + (wide ? " left" : ""));
    if (taken > 0)
      line(48, (wide ? "" : "−") + formattedPercent(static_cast<float>(taken)) + (wide ? " out" : ""));
    const TensorRef entropy = cell(chain::entropy, stage);
    line(30, "H " + formattedFixed(*valueOf(scene_.sources, entropy), 2) + (wide ? " nats" : "")).value =
        entropy;
    HitRegion hit;
    hit.box = {box.x, box.y + 22, box.width, 18}, hit.target.cell = entropy, hit.tabStop = false;
    hit.target.text = "How undecided it still is";
    hit.name = stage + 1 == stages_ ? "entropy at the end" : "";
    scene_.hits.push_back(std::move(hit));
  }

  // Which of the seed's random numbers it is: each decoded token took one.
  std::string numberWords() const {
    const int which = static_cast<int>(*valueOf(scene_.sources, cell(chain::which, 0)));
    const std::string seed = " of seed " + std::to_string(decoding().seed);
    return which > 1 ? ", number " + std::to_string(which) + seed : seed;
  }
  // The dead end is told of the place where decoding stands.
  std::string whyNothing() const {
    const Decoded& decoded = *input_.snapshot.decoded;
    const bool isHere = input_.snapshot.isDecoded() && decoded.deadEnd && decoded.deadEnd->step == 1 &&
                        input_.query() == input_.tokenCount() - 1;
    return isHere ? describe(*decoded.deadEnd) : "there is nothing that the text may go on with";
  }

  // What is left, end to end, and the random number that points into it.
  void addDraw(Box area) {
    const float u = *valueOf(scene_.sources, cell(chain::draw, 0));
    const Box words = area.takeTop(28);
    addText(scene_, {words.x, words.center().y}, "The draw", theme_.strong());
    const std::string chosen = drawnToken() < 0 ? whyNothing()
                                                : "u = " + formattedFixed(u, 3) + numberWords() + " draws “" +
                                                      input_.entryLabel(drawnToken()) + "”";
    addText(scene_, {words.x + 76, words.center().y}, chosen, theme_.mono()).maxWidth = words.width - 76;
    area.takeTop(12);
    const Box bar = area.takeTop(28);
    const int last = stages_ - 1;
    float end = 0;
    bool isEven = false;
    for (const int token : likeliest(last, mostSegments)) {
      if (p(last, token) <= 0 || p(last, token) * bar.width < 1) break;
      addSegment(token, bar, isEven = !isEven);
      end = before_(last, token) + p(last, token);
    }
    if (end < 0.999f) addRest(bar, end);
    const float x = bar.x + u * bar.width;
    scene_.add(Line{{{x, bar.y - 8}, {x, bar.bottom() + 8}}, theme_.text, 2.5f, false});
    HitRegion hit;
    hit.box = {x - 5, bar.y - 10, 10, bar.height + 20};
    hit.target.cell = cell(chain::draw, 0), hit.target.text = chosen, hit.name = "the draw";
    scene_.hits.push_back(std::move(hit));
  }

  void addSegment(int token, const Box& bar, bool isEven) {
    const int last = stages_ - 1;
    const float from = before_(last, token), share = p(last, token);
    const Box box{bar.x + from * bar.width, bar.y, share * bar.width, bar.height};
    const bool isDrawn = token == drawnToken();
    const Rgba color = isDrawn ? theme_.attention : mix(theme_.ground, theme_.quiet, isEven ? 0.35f : 0.22f);
    scene_.add(Bar{box, cell(chain::probability, last, token), {0, share}, color, false, 0});
    if (box.width > 28)
      addText(scene_, box.center(), input_.entryLabel(token),
              {FontFace::Mono, Theme::small - 1, inkOn(color)}, Align::Middle)
          .maxWidth = box.width - 4;
    HitRegion hit;
    hit.box = box;
    hit.target.cell = cell(chain::probability, last, token), hit.target.entry = token;
    hit.target.text = "“" + input_.entryLabel(token) + "” is drawn from " + formattedFixed(from, 3) + " to " +
                      formattedFixed(from + share, 3);
    hit.tabStop = false;
    scene_.hits.push_back(std::move(hit));
  }
  // Those that are too narrow to be seen apart.
  void addRest(const Box& bar, float from) {
    const Box box{bar.x + from * bar.width, bar.y, (1 - from) * bar.width, bar.height};
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line, 0, 1});
    if (box.width > 60)
      addText(scene_, box.center(), "the others", {FontFace::Ui, Theme::small - 1, theme_.quiet},
              Align::Middle)
          .maxWidth = box.width - 4;
  }

  NextTokenPicture picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  TensorView probability_, before_, order_, seen_;
  std::vector<Box> columns_;
  bool isStaggered_ = false;
  int stages_;
  float row_ = leastChainRow, letters_ = Theme::small;
  std::vector<int> tokens_;
  Box labels_;
};

}  // namespace

Scene samplingScene(const SceneInput& input) {
  if (auto empty = withoutPrediction(input)) return std::move(*empty);
  if (!input.snapshot.model->continues())
    return emptyScene(input, "Nothing is drawn", "this model fills gaps; it does not write on");
  if (!input.sources().contains(chain::probability))
    return emptyScene(input, "Sampling", waitingWords(input));
  return SamplingPicture(input).drawn();
}

}  // namespace glassformer
