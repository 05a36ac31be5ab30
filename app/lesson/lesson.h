#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace glassformer {

/// A lesson: a few words, a question, and the real instrument in a state that the step asks for. One Markdown
/// file each; lesson_file.h says how it is written.

/// A piece of a paragraph in one style. Math is TeX, as equation.h sets it; Break ends the line, Cell begins
/// another column of a row.
struct Span {
  enum class Style { Plain, Strong, Token, Math, Break, Link, Cell };
  Style style = Style::Plain;
  std::string text;
  std::string target = {};  ///< of a link: "04_positions.md#curves"; of a picture: its file
};

struct Paragraph {
  /// Code, Row (of a table) and Picture are in pages of the manual only.
  enum class Kind { Text, Heading, Item, Code, Row, Picture };
  Kind kind = Kind::Text;
  std::vector<Span> spans = {};
  int depth = 0;          ///< in how many lists it stands
  std::string mark = {};  ///< of an item: "•", or its number, "3."
  int level = 0;          ///< of a page's heading: 1 to 3; of a row: 1 for the head of a table

  /// Without styles; an equation as TeX.
  std::string words() const;
};

/// What the learner is to predict before it is shown.
struct LessonQuestion {
  /// One of several; a number; a token of the text; a cell of a pattern, by query and key; a bar of its own
  /// for each of several, which together make 1.
  enum class Kind { Choice, Number, Token, Cell, Bars };
  Kind kind = Kind::Choice;
  std::vector<Paragraph> choices;
  int right = -1;           ///< the choice that is marked as right; -1: `answer` says which
  std::string answer;       ///< measured on the learner's own run, see measure.h
  float tolerance = 0.05f;  ///< how far off a number may be
  std::string why;          ///< one sentence, said with the answer
};

/// What a step hides of the window until its prediction is made; where it asks nothing, as long as it stands.
struct Cover {
  bool stage = false;    ///< the whole picture with its title
  bool next = false;     ///< what comes next
  bool numbers = false;  ///< digits in the picture, its lists, and what the pointer says there
  bool cells = false;    ///< in the picture, the cells that the step highlights
  bool tokens = false;   ///< how the text is cut, and into how many tokens
  bool operator==(const Cover&) const = default;
};

struct LessonStep {
  int line = 1;  ///< of the file, where it begins
  std::vector<Paragraph> prose;
  std::string note;  ///< for the speaker
  std::optional<LessonQuestion> question;
  std::string shown = "{}";     ///< what it changes of what is looked at: JSON, see lesson_patch.h
  std::string revealed = "{}";  ///< what it changes besides, once the prediction is made
  Cover covers;
  std::vector<std::string> highlights;  ///< "blocks.2.attn.hook_pattern[3, -1, :]": outlined on the stage
  std::string outline;                  ///< a region of the window: input, map, stage, views, timeline
  std::vector<std::string> hints;
  std::vector<std::string> claims;   ///< what it says about the model, as measures that have to be true
  std::string until;                 ///< a measure that tells when what it asks to try is done; may be empty
  std::map<std::string, int> lines;  ///< of the fields of its block
  // Of a lecture, see lecture.h.
  std::string begins;               ///< nothing of earlier steps is left: it begins with this model
  std::vector<std::string> before;  ///< then come these patches
  std::string topic;                ///< what it belongs to
  int endsAt = 0;                   ///< the minute of the lecture in which its topic ends
};

struct Lesson {
  std::string id;  ///< of one that ships: "02_masks"; else the file's path
  std::filesystem::path file;
  std::string title, audience, model;
  int minutes = 0;
  std::vector<LessonStep> steps;

  int stepCount() const { return static_cast<int>(steps.size()); }
};

}  // namespace glassformer
