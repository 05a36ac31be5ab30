#include "app/views/training/answers_picture.h"

#include "app/document/text_edit.h"
#include "app/scene/format.h"
#include "core/text/tokenizer.h"

namespace glassformer {

std::string aroundQuestion(const TextMetrics& metrics, const std::string& words, TextStyle style,
                           float room) {
  const std::size_t gap = words.find(Tokenizer::maskName);
  const std::size_t end = gap == std::string::npos ? words.size() : gap + Tokenizer::maskName.size();
  std::string before = words.substr(0, end);
  bool isCut = false;
  const auto fits = [&] {
    return metrics.width((isCut ? "… " : "") + before, style.face, style.size) <= room;
  };
  for (std::size_t space = 0; !fits() && (space = before.find(' ')) != std::string::npos; isCut = true)
    before.erase(0, space + 1);
  return (isCut ? "… " : "") + before + words.substr(end);
}

namespace {

constexpr float answerRowHeight = 28, headHeight = 32;

struct Columns {
  float prompt, given, right, mark;  // where they begin
  float end;
};

void addCell(TrainingPicture& picture, float x, float end, float y, const std::string& words,
             TextStyle style) {
  addText(picture.scene, {x, y}, words, style).maxWidth = end - x - 16;
}

void addAnswer(TrainingPicture& picture, const Columns& columns, const Box& row, const Answered& answered) {
  const Theme& theme = picture.theme;
  const float y = row.center().y;
  const TextStyle mono = theme.mono(), quiet = theme.quietMono();
  const std::string source = answered.example.source.empty() ? "" : answered.example.source + " → ";
  const std::string asked = displayable(source + answered.example.prompt);
  addCell(picture, columns.prompt, columns.given, y,
          aroundQuestion(picture.input.metrics, asked, quiet, columns.given - columns.prompt - 16), quiet);
  const bool silent = answered.given.empty();
  addCell(picture, columns.given, columns.right, y, silent ? "nothing" : displayable(answered.given),
          silent ? theme.note() : mono);
  addCell(picture, columns.right, columns.mark, y, displayable(answered.example.answer), quiet);
  addText(picture.scene, {columns.mark, y}, answered.right ? "✓" : "✗",
          {FontFace::Ui, Theme::body, answered.right ? theme.attention : theme.feedForward});
  picture.scene.add(Line{{{row.x, row.bottom()}, {row.right(), row.bottom()}}, theme.line, 1, false});
}

}  // namespace

void drawAnswersPicture(TrainingPicture& picture, Box area) {
  const Snapshot& snapshot = picture.input.snapshot;
  const bool past = snapshot.training->step != picture.run.step;
  addTrainingHeader(picture, area,
                    past && snapshot.training->answers
                        ? "after step " + std::to_string(snapshot.training->step) + ", " +
                              formattedPercent(static_cast<float>(shareRight(*snapshot.training->answers))) +
                              " right"
                        : "");
  const bool asks = !picture.side.answers.empty();
  const std::shared_ptr<const std::vector<Answered>>& answers = snapshot.training->answers;
  if (!asks || !answers) {
    addText(picture.scene, area.center(),
            asks ? "Held-out answers at step " + std::to_string(snapshot.training->step) + "? Evaluating…"
                 : "This task has no questions with one correct answer. See the other views.",
            picture.theme.note(), Align::Middle)
        .maxWidth = area.width;
    return;
  }
  const Columns columns{area.x, area.x + area.width * 0.5f, area.x + area.width * 0.71f, area.right() - 24,
                        area.right()};
  const Box head = area.takeTop(headHeight);
  const TextStyle strong = picture.theme.strong();
  addCell(picture, columns.prompt, columns.given, head.center().y, "Never seen in training", strong);
  addCell(picture, columns.given, columns.right, head.center().y, "Prediction", strong);
  addCell(picture, columns.right, columns.mark, head.center().y, "Target", strong);
  for (const Answered& answered : *answers) {
    if (area.height < answerRowHeight) break;
    addAnswer(picture, columns, area.takeTop(answerRowHeight), answered);
  }
}

}  // namespace glassformer
