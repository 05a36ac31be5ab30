#include "app/views/next_token/sampling_draw.h"

#include <array>

#include "app/drawing/parts.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr int mostSegments = 96;
constexpr float wordsOfDraw = 112, drawTickHeight = 18, pointSize = 9;

class DrawPainter {
 public:
  DrawPainter(Scene& scene, const SceneInput& input, const ShownChain& chain)
      : scene_(scene), input_(input), theme_(input.theme), chain_(chain) {}

  void paint(Box area) {
    const Box words = area.takeTop(28);
    addText(scene_, {words.x, words.center().y}, "Sampled token", theme_.strong());
    addText(scene_, {words.x + wordsOfDraw, words.center().y}, sentence(), theme_.mono()).maxWidth =
        words.width - wordsOfDraw;
    area.takeTop(14);
    bar_ = area.takeTop(28);
    addSegments();
    addTicks(area.takeTop(drawTickHeight));
    if (chain_.isDrawn() && chain_.drawn() >= 0) addPoint();
  }

 private:
  std::string quoted(int token) const { return "“" + input_.entryLabel(token) + "”"; }
  // Which of the seed's random numbers it is: each decoded token took one.
  std::string number() const {
    const std::string seed = " of seed " + std::to_string(chain_.decoding().seed);
    const std::string u = "u = " + formattedFixed(chain_.u(), 3);
    return chain_.number() > 1 ? u + ", number " + std::to_string(chain_.number()) + seed : u + seed;
  }
  // The dead end belongs to the place where decoding stands.
  std::string whyNothing() const {
    const Decoded& decoded = *input_.snapshot.decoded;
    const bool isHere = input_.snapshot.isDecoded() && decoded.deadEnd && decoded.deadEnd->step == 1 &&
                        chain_.place() == input_.tokenCount() - 1;
    return isHere ? describe(*decoded.deadEnd) : "no token may follow";
  }
  std::string sentence() const {
    if (chain_.isPast()) return past();
    if (chain_.drawn() < 0) return whyNothing();
    if (chain_.isDrawn()) return number() + " draws " + quoted(chain_.drawn());
    const bool greedy = chain_.by() == ChosenBy::Greedy;
    return std::string(greedy ? "Greedy decoding" : "Beam search") +
           " draws no random number. Sampling would choose " + quoted(chain_.drawn()) + " with " + number();
  }
  std::string past() const {
    const std::string token = quoted(chain_.chosen());
    if (!chain_.by()) return token + " is in the text; no token was drawn";
    switch (*chain_.by()) {
      case ChosenBy::Greedy:
        return "Greedy decoding took " + token + "; no token was drawn";
      case ChosenBy::Beam:
        return "Beam search took " + token + "; no token was drawn";
      case ChosenBy::Hand:
        return token + " was forced by hand; no token was drawn";
      case ChosenBy::Sampling:
        break;
    }
    if (chain_.drawn() == chain_.chosen()) return number() + " drew " + token;
    return token + " was drawn by another model; " + number() + " would draw " +
           (chain_.drawn() < 0 ? "nothing" : quoted(chain_.drawn()));
  }

  void addSegments() {
    float end = 0;
    int piece = 0;
    for (const int token : chain_.likeliest(chain_.last(), mostSegments)) {
      const float p = chain_.p(chain_.last(), token);
      if (p <= 0 || p * bar_.width < 1) break;
      addSegment(token, piece++);
      end = chain_.before(chain_.last(), token) + p;
    }
    if (end < 0.999f) addRest(end);
  }
  void addSegment(int token, int piece) {
    const int last = chain_.last();
    const float from = chain_.before(last, token), share = chain_.p(last, token);
    const Box box{bar_.x + from * bar_.width, bar_.y, share * bar_.width, bar_.height};
    const Rgba color = token == chain_.taken()
                           ? theme_.attention
                           : mix(theme_.ground, theme_.quiet, piece % 2 == 0 ? 0.35f : 0.22f);
    const TensorRef cell = ShownChain::cell(chain::probability, last, token);
    scene_.add(Bar{box, cell, {0, share}, color, false, 0});
    if (box.width > 28)
      addText(scene_, box.center(), input_.entryLabel(token),
              {FontFace::Mono, Theme::small - 1, inkOn(color)}, Align::Middle)
          .maxWidth = box.width - 4;
    HitRegion& hit = addHitRegion(scene_, box, cell, "piece " + std::to_string(piece));
    hit.target.entry = token;
    hit.target.text = quoted(token) + " is drawn where u is from " + formattedFixed(from, 3) + " to " +
                      formattedFixed(from + share, 3);
    hit.isCandidate = true, hit.tabStop = false;
  }
  // Those that are too narrow to be seen apart.
  void addRest(float from) {
    const Box box{bar_.x + from * bar_.width, bar_.y, (1 - from) * bar_.width, bar_.height};
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    if (box.width > 60)
      addText(scene_, box.center(), "the others", {FontFace::Ui, Theme::small - 1, theme_.quiet},
              Align::Middle)
          .maxWidth = box.width - 4;
  }

  // The cumulated probability.
  void addTicks(const Box& below) {
    const std::array ticks{"0 %", "25 %", "50 %", "75 %", "100 %"};
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      const float x = bar_.x + bar_.width * static_cast<float>(i) / 4;
      scene_.add(Line{{{x, bar_.bottom()}, {x, bar_.bottom() + 4}}, theme_.quiet});
      addText(scene_, {x, below.y + 12}, ticks[i], {FontFace::Mono, Theme::small - 2, theme_.quiet},
              i == 0       ? Align::Start
              : i + 1 == 5 ? Align::End
                           : Align::Middle);
    }
  }

  void addPoint() {
    const float x = bar_.x + chain_.u() * bar_.width, r = pointSize / 2;
    scene_.add(Line{{{x, bar_.y - 6}, {x, bar_.bottom() + 4}}, theme_.text, 2});
    scene_.add(Rect{{x - r, bar_.y - 6 - pointSize, pointSize, pointSize}, theme_.text, {0, 0, 0, 0}, r});
    HitRegion& hit = addHitRegion(scene_, {x - 6, bar_.y - 6 - pointSize, 12, 5 + pointSize}, {},
                                  "the draw");  // above the pieces
    hit.target.cell = ShownChain::cell(chain::draw, 0), hit.target.text = sentence();
  }

  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  const ShownChain& chain_;
  Box bar_;
};

}  // namespace

void addSamplingDraw(Scene& scene, const SceneInput& input, const ShownChain& chain, Box area) {
  DrawPainter(scene, input, chain).paint(area);
}

}  // namespace glassformer
