#pragma once
#include <filesystem>
#include <fstream>
#include <string>

#include "app/lesson/lesson.h"
#include "tests/ui/ui_driver.h"

namespace glassformer {

inline const std::filesystem::path lessonsFolder =
    std::filesystem::path(SOURCE_FOLDER) / "assets" / "lessons";

// The window on a lesson, with the models that ship.
inline UiDriver::Options withLessons(const std::string& lesson, bool wide = false, bool dark = true) {
  static const ModelLibrary library(std::filesystem::path(SOURCE_FOLDER) / "app");
  UiDriver::Options options;
  options.loader = [](const std::string& name, const ProgressCallback& watch) {
    return library.load(name, watch);
  };
  options.lessons = lessonsFolder;
  options.lesson = lesson;
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  if (wide) options.width = 1920, options.height = 1080;
  return options;
}

inline std::string textFile(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

// Predicts, whatever the question is, and whether or not it is right.
inline void answer(UiDriver& ui, const LessonQuestion& question) {
  using Kind = LessonQuestion::Kind;
  if (question.kind == Kind::Choice) ui.click("A: " + question.choices.front().words() + "##choice");
  if (question.kind == Kind::Token) ui.click(ui.snapshot().pass->tokens.front().label + "##token 0");
  if (question.kind == Kind::Bars) ui.click(question.choices.front().words() + "##bar 0", 0.3f, 0.5f);
  if (question.kind == Kind::Cell) ui.click("attention", 0.02f, 0.5f);
  if (question.kind == Kind::Number) ui.click("more##Your guess");
  if (question.kind == Kind::Bars || question.kind == Kind::Number || question.kind == Kind::Cell)
    ui.click("Check##lesson");
}

}  // namespace glassformer
