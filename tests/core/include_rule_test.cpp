// Includes point one way (see the README's map): a file may include its own folder and those listed before
// it.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace {

// What each folder may include besides itself.
const std::map<std::string, std::set<std::string>> allowed{
    {"core/tensor", {"core"}},
    {"core/text", {"core"}},
    {"core/trace", {"core/tensor"}},
    {"core/model", {"core", "core/tensor", "core/trace"}},
    {"core/decode", {"core", "core/text", "core/trace", "core/model"}},
    {"core/lens", {"core", "core/tensor", "core/trace", "core/model"}},
    {"core/train",
     {"core", "core/tensor", "core/text", "core/trace", "core/model", "core/decode", "core/lens"}},
    {"core/io", {"core", "core/tensor", "core/text", "core/trace", "core/model", "core/train"}},
    {"core", {}},
    {"app/embedded", {}},
    {"app/archives", {"core"}},
    {"app/document", {"core"}},
    {"app/engine", {"core", "app/archives", "app/document"}},
    {"app/scene", {"core", "app/document"}},
    {"app/drawing", {"core", "app/document", "app/engine", "app/scene"}},
    {"app/explain", {"core", "app/engine", "app/scene", "app/drawing"}},
    {"app/views", {"core", "app/document", "app/engine", "app/scene", "app/drawing"}},
    {"app/lesson", {"core", "app/document", "app/engine", "app/scene", "app/drawing", "app/views"}},
    {"app/bundles", {"core", "app/archives", "app/document", "app/engine", "app/lesson"}},
    {"app/text_shaping", {"core", "app/scene", "app/embedded"}},
    {"app/figure",
     {"core", "app/archives", "app/document", "app/engine", "app/scene", "app/drawing", "app/views",
      "app/lesson", "app/text_shaping"}},
    {"app/screen", {"core", "app/scene", "app/text_shaping", "app/embedded"}},
    {"app/panels",
     {"core", "app/document", "app/engine", "app/scene", "app/drawing", "app/explain", "app/views",
      "app/lesson", "app/bundles", "app/figure", "app/screen", "app/toolkit"}},
    {"app/shell",
     {"core", "app/archives", "app/document", "app/engine", "app/scene", "app/views", "app/lesson",
      "app/bundles", "app/screen", "app/panels"}},
    {"app/cli",
     {"core", "app/archives", "app/document", "app/engine", "app/scene", "app/drawing", "app/explain",
      "app/views", "app/lesson", "app/bundles", "app/figure", "app/shell"}},
    {"app/toolkit", {}},
    {"app", {"app/cli"}},
};

// "core/train" of "core/train/tasks/stories.h"; "core" of "core/result.h".
std::string layerOf(const std::string& path) {
  const auto first = path.find('/'), second = path.find('/', first + 1);
  return second == std::string::npos ? path.substr(0, first) : path.substr(0, second);
}

bool mayInclude(const std::string& from, const std::string& to) {
  const std::string own = layerOf(from), other = layerOf(to);
  if (own == other) return true;
  const auto rule = allowed.find(own);
  if (rule == allowed.end()) return false;
  // All of core is open to the app; inside core every folder counts.
  if (own.starts_with("app") && other.starts_with("core")) return rule->second.contains("core");
  return rule->second.contains(other);
}

}  // namespace

TEST_CASE("includes point one way", "[sources]") {
  const fs::path root = SOURCE_FOLDER;
  int includes = 0;
  std::map<std::string, std::set<std::string>> unused = allowed;
  for (const char* top : {"core", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      const std::string file = fs::relative(entry.path(), root).generic_string();
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        // What comes from outside is parsed in one place, which has limits.
        if (file != "core/text/json_text.cpp") CHECK(line.find("json::parse(") == std::string::npos);
        if (!line.starts_with("#include")) continue;
        const auto open = line.find_first_of("\"<"), close = line.find_first_of("\">", open + 1);
        const std::string included = line.substr(open + 1, close - open - 1);
        INFO(file << " includes " << included);
        if (file.starts_with("core/")) {
          CHECK(included.find("imgui") == std::string::npos);
          CHECK_FALSE(included.starts_with("GLFW"));
          CHECK_FALSE(included.starts_with("glad"));
          CHECK_FALSE(included.starts_with("GL/"));
        }
        for (const char* folder : {"app/document", "app/engine", "app/scene", "app/drawing", "app/explain",
                                   "app/views", "app/text_shaping", "app/figure"})
          if (file.starts_with(folder)) CHECK_FALSE(included.starts_with("imgui"));
        // The table of views includes each picture, so none includes that: see SceneInput::pictures.
        if (file.starts_with("app/views/") && file.find('/', 10) != std::string::npos)
          CHECK(included != "app/views/views.h");
        // What takes seconds to parse stays out of headers that others include; nobody but the kernels
        // themselves includes theirs.
        const bool isOfKernels = file.starts_with("core/tensor/kernels/");
        if (included.starts_with("core/tensor/kernels/")) CHECK(isOfKernels);
        if (file.ends_with(".h") && file != "core/lens/head_matrices.h" && !isOfKernels)
          CHECK_FALSE(included.starts_with("Eigen/"));
        if (file.ends_with(".h")) CHECK(included != "core/lens/head_matrices.h");
        if (!included.starts_with("core/") && !included.starts_with("app/")) continue;
        ++includes;
        CHECK(mayInclude(file, included));
        const std::string own = layerOf(file), other = layerOf(included);
        unused[own].erase(own.starts_with("app") && other.starts_with("core") ? "core" : other);
      }
    }
  CHECK(includes > 200);
  for (const auto& [folder, others] : unused)
    for (const std::string& other : others) FAIL_CHECK(folder << " need not include " << other);
}

namespace {

// A unit is a header with its source file: "core/model/config".
std::string unitOf(const std::string& file) { return file.substr(0, file.rfind('.')); }

std::map<std::string, std::set<std::string>> includedUnits(const fs::path& root) {
  std::map<std::string, std::set<std::string>> all;
  for (const char* top : {"core", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      const std::string unit = unitOf(fs::relative(entry.path(), root).generic_string());
      std::set<std::string>& own = all[unit];
      std::ifstream in(entry.path());
      constexpr std::string_view include = "#include \"";
      for (std::string line; std::getline(in, line);)
        if (line.starts_with(include) && line.ends_with(".h\""))
          own.insert(unitOf(line.substr(include.size(), line.size() - include.size() - 1)));
      own.erase(unit);
    }
  return all;
}

std::set<std::string> reachedFrom(const std::string& unit,
                                  const std::map<std::string, std::set<std::string>>& included) {
  std::set<std::string> reached;
  std::vector<std::string> next{unit};
  while (!next.empty()) {
    const auto found = included.find(next.back());
    next.pop_back();
    if (found == included.end()) continue;
    for (const std::string& each : found->second)
      if (reached.insert(each).second) next.push_back(each);
  }
  return reached;
}

// By its first unit: how many include each other. Most are an interface with the table of what implements
// it. A circle that is broken leaves the list, and no other one enters it.
const std::map<std::string, std::size_t> circles{
    {"app/document/attention_planes", 2},
    {"app/document/branch", 10},
    {"app/drawing/parts", 2},
    {"app/engine/answer_measures", 2},
    {"app/engine/decoder", 2},
    {"app/engine/engine", 2},
    {"app/engine/measurements", 3},
    {"app/explain/explain", 2},
    {"app/lesson/clues", 2},
    {"app/views/attention/decomposition_picture", 3},
    {"app/views/beam/beam_difference_scene", 3},
    {"app/views/positions/effect_picture", 2},
    {"app/views/steps/recorded_operands", 2},
    {"core/lens/ablation", 2},
    {"core/lens/contributions", 2},
    {"core/model/choices", 2},
    {"core/model/config", 13},
    {"core/tensor/operations/elementwise", 2},
    {"core/text/characters", 9},
    {"core/text/normalizer", 2},
    {"core/text/post_processor", 3},
};

}  // namespace

TEST_CASE("units include each other in known circles alone", "[sources]") {
  const auto included = includedUnits(SOURCE_FOLDER);
  CHECK(included.size() > 500);
  std::map<std::string, std::set<std::string>> reached;
  for (const auto& [unit, others] : included) reached[unit] = reachedFrom(unit, included);
  std::map<std::string, std::size_t> found;
  std::set<std::string> seen;
  for (const auto& [unit, others] : reached) {
    if (!others.contains(unit) || seen.contains(unit)) continue;
    std::size_t size = 0;
    for (const std::string& other : others)
      if (reached[other].contains(unit)) seen.insert(other), ++size;
    found[unit] = size;
  }
  for (const auto& [unit, size] : found) {
    INFO(unit << " is in a circle of " << size);
    CHECK((circles.contains(unit) && circles.at(unit) == size));
  }
  CHECK(found.size() == circles.size());
}
