// Every sentence that the program can say, as it stands in the sources: status lines, errors, hover texts,
// help of the command line, headings of numbers. Labels and tooltips that are data have a test of their own.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/files.h"
#include "tests/app/banned_words.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

/// The string literals of a source, those next to each other as one; without comments and raw strings.
class Literals {
 public:
  explicit Literals(std::string_view source) : rest_(source) {
    while (!rest_.empty()) step();
  }
  std::vector<std::string> all;

 private:
  void step() {
    if (rest_.starts_with("//") || rest_.starts_with("#include")) return skip(rest_.find('\n'));
    if (rest_.starts_with("R\"")) return skip(rest_.find(")\"") + 2), end();
    if (rest_.front() == '\'' && rest_.size() > 2) return skip(rest_[1] == '\\' ? 4 : 3), end();
    if (rest_.front() == '"') return read();
    if (!std::isspace(static_cast<unsigned char>(rest_.front()))) end();
    skip(std::isdigit(static_cast<unsigned char>(rest_.front())) && rest_.substr(1, 1) == "'" ? 2 : 1);
  }
  void read() {
    if (!isOpen_) all.emplace_back();
    isOpen_ = true;
    skip(1);
    for (; !rest_.empty() && rest_.front() != '"'; skip(1)) {
      if (rest_.front() == '\\') skip(1);
      all.back() += rest_.front();
    }
    skip(1);
  }
  void end() { isOpen_ = false; }
  void skip(std::size_t count) { rest_.remove_prefix(std::min(count, rest_.size())); }

  std::string_view rest_;
  bool isOpen_ = false;  // a literal that a next one would be part of
};

// Tables of other names hold what the rest must not say; grammars write stories.
bool isExempt(const std::string& file) {
  constexpr std::string_view named[]{"views/other_names.cpp", "panels/palette_words.cpp",
                                     "cli/former_names.cpp", "tasks/stories_task.cpp",
                                     "tasks/story_draft.cpp"};
  return file.find("grammar") != std::string::npos ||
         std::ranges::any_of(named, [&](std::string_view each) { return file.ends_with(each); });
}

struct Said {
  std::string file, words;
};

// Literals of several words: ids and keys have none. Ids of files of before stay as they are.
const std::vector<Said>& allSaid() {
  static const std::vector<Said> all = [] {
    const std::set<std::string> ids{"as loaded",           "centred logit", "all places", "leave out",
                                    "influence/leave out", "as the window", "no warm-up", "glassformer pack"};
    const std::regex words("[a-z]{2,}.* .*[A-Za-z]{2,}|[A-Z][a-z]+ [a-z]{2,}");
    std::vector<Said> said;
    for (const char* root : {"/app", "/core"})
      for (const auto& entry : fs::recursive_directory_iterator(std::string(SOURCE_FOLDER) + root)) {
        const std::string file = entry.path().string();
        if ((!file.ends_with(".cpp") && !file.ends_with(".h")) || isExempt(file)) continue;
        for (std::string& literal : Literals(*readTextFile(file, std::size_t{1} << 20)).all)
          if (!ids.contains(literal) && std::regex_search(literal, words)) said.push_back({file, literal});
      }
    return said;
  }();
  return all;
}

// Names that the guide has beginning with such a word; and words that find, in the palette.
bool isName(const std::string& words) {
  const std::set<std::string> names{"As computed", "How computed",
                                    "ablation, knock out, switch off, switch on"};
  return names.contains(words);
}

}  // namespace

TEST_CASE("no sentence of the program has a word that the field does not use", "[sources]") {
  REQUIRE(allSaid().size() > 3000);
  for (const auto& [pattern, use] : bannedAnywhere) {
    const std::regex banned(pattern, std::regex::icase | std::regex::optimize);
    for (const Said& said : allSaid()) {
      if (isName(said.words) || !std::regex_search(said.words, banned)) continue;
      INFO(said.file << ": " << said.words << "\nuse: " << use);
      CHECK(false);
    }
  }
}

TEST_CASE("no sentence of the program begins as a question, or has the former name of a thing", "[sources]") {
  const std::regex questions(questionWords, std::regex::icase | std::regex::optimize), former(formerNames),
      replaced(replacedTerms), denied(R"(\b(is|are) no (?!longer)[a-z]+|\bhas not (?!been))");
  for (const Said& said : allSaid()) {
    if (isName(said.words)) continue;
    INFO(said.file << ": " << said.words);
    CHECK_FALSE(std::regex_search(said.words, questions));
    CHECK_FALSE(std::regex_search(said.words, former));
    CHECK_FALSE(std::regex_search(said.words, replaced));
    CHECK_FALSE(std::regex_search(said.words, denied));
  }
}
