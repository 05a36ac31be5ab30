// Two types of one name in one namespace are taken for the same by the linker, which mixes their code without
// a word.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>

namespace fs = std::filesystem;

TEST_CASE("a type that a header defines has a name of its own", "[sources]") {
  const fs::path root = SOURCE_FOLDER;
  const std::regex definition("^(?:struct|class|enum class|enum) ([A-Za-z]+)(?: final)?(?: :[^;]*)? \\{");
  std::map<std::string, std::string> definedIn;
  for (const char* top : {"core", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      if (entry.path().extension() != ".h") continue;
      const std::string file = fs::relative(entry.path(), root).generic_string();
      std::ifstream in(entry.path());
      std::string space;  // further in: "widgets"
      for (std::string line; std::getline(in, line);) {
        std::smatch found;
        if (std::regex_match(line, found, std::regex("namespace (?:glassformer::)?(\\w+) \\{")))
          space = found[1];
        if (!std::regex_search(line, found, definition)) continue;
        const std::string name = space + "::" + std::string(found[1]);
        const auto [known, isNew] = definedIn.emplace(name, file);
        INFO(name << " in " << known->second << " and " << file);
        CHECK((isNew || known->second == file));
      }
    }
  CHECK(definedIn.size() > 200);
}
