#include "app/document/opening.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "app/document/session.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

fs::path written(const TemporaryFolder& folder, const char* name, const std::string& content) {
  const fs::path file = folder.path() / name;
  std::ofstream(file, std::ios::binary) << content;
  return file;
}

Workspace after(const Result<Command>& command) {
  REQUIRE(command);
  Workspace workspace = initialWorkspace();
  workspace.look.zoom = 2;
  command->apply(workspace);
  return workspace;
}

}  // namespace

TEST_CASE("a text opens in a tab of its own") {
  const TemporaryFolder folder;
  const Workspace w = after(commandToOpen(written(folder, "a.txt", "Zwei Zeilen,\r\nschön.\n")));
  CHECK(w.text == "Zwei Zeilen,\nschön.");
  CHECK(w.tabCount() == 2);
  CHECK(w.textOfTab(0) == initialWorkspace().text);
}

TEST_CASE("a session opens with everything but the look of the window") {
  const TemporaryFolder folder;
  Workspace saved = initialWorkspace();
  saved.text = "saved", saved.aside = {"beside"}, saved.view = "beam", saved.selection.layer = 3;
  saved.look.zoom = 3;
  REQUIRE(saveSession(folder.path() / "s.json", saved));
  Workspace w = after(commandToOpen(folder.path() / "s.json"));
  CHECK(w.look.zoom == 2);
  w.look = saved.look;
  CHECK(w == saved);
}

TEST_CASE("a folder with a config, and weights in it, are a model") {
  const TemporaryFolder folder;
  written(folder, "config.json", "{}");
  CHECK(after(commandToOpen(folder.path())).model == folder.path().string());
  for (const char* weights : {"model.safetensors", "model.gguf"})
    CHECK(after(commandToOpen(written(folder, weights, "x"))).model == folder.path().string());
}

TEST_CASE("a GGUF file without a config beside it is a model by itself, and so is a folder with one") {
  const TemporaryFolder folder;
  const fs::path file = written(folder, "tiny.gguf", "GGUF");
  CHECK(after(commandToOpen(file)).model == file.string());
  CHECK(after(commandToOpen(folder.path())).model == folder.path().string());
  const fs::path other = written(folder, "other.gguf", "GGUF");
  CHECK(after(commandToOpen(other)).model == other.string());
  CHECK_FALSE(commandToOpen(folder.path()));
}

TEST_CASE("what cannot be opened says why and where") {
  const TemporaryFolder folder;
  const auto failure = [&](const fs::path& path) {
    const auto command = commandToOpen(path);
    REQUIRE_FALSE(command);
    CHECK_THAT(command.error().message(), ContainsSubstring(path.filename().string()));
    return command.error().message();
  };
  CHECK_THAT(failure(folder.path()), ContainsSubstring("config.json is missing"));
  CHECK_THAT(failure(written(folder, "binary", std::string("ab\0c", 4))), ContainsSubstring("byte 2 is NUL"));
  CHECK_THAT(failure(written(folder, "broken.json", R"({"glassformer session": 1, "tex)")),
             ContainsSubstring("cannot be read"));
  failure(written(folder, "large", std::string(std::size_t{2} << 20, 'x')));
  failure(folder.path() / "missing.txt");
}

TEST_CASE("recent files are remembered, the last one first, each once") {
  const TemporaryFolder folder;
  const fs::path list = folder.path() / "deeper" / "recent.txt";
  RecentFiles recent(list);
  CHECK(recent.paths().empty());
  for (int i = 0; i < 15; ++i) recent.add("/tmp/" + std::to_string(i));
  recent.add("/tmp/7");
  const RecentFiles again(list);
  REQUIRE(again.paths().size() == 12);
  CHECK(again.paths()[0] == "/tmp/7");
  CHECK(again.paths()[1] == "/tmp/14");
  CHECK(again.paths() == recent.paths());
}

TEST_CASE("a session that is broken is no text: the message says where") {
  const TemporaryFolder folder;
  Workspace saved = initialWorkspace();
  REQUIRE(saveSession(folder.path() / "whole.json", saved));
  std::ifstream in(folder.path() / "whole.json");
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  const auto refused = [&](const std::string& content) {
    const auto opened = commandToOpen(written(folder, "s.json", content));
    REQUIRE_FALSE(opened);
    return opened.error().message();
  };
  CHECK_THAT(refused(whole.substr(0, 40)),
             ContainsSubstring("line 3: not valid JSON near byte 40"));  // before its mark
  CHECK_THAT(refused(whole.substr(0, whole.size() / 2)), ContainsSubstring("not valid JSON near byte"));
  CHECK_THAT(refused(whole.substr(1)), ContainsSubstring("line 2: not valid JSON near byte"));
  CHECK(after(commandToOpen(written(folder, "other.json", "{\"a\": 1"))).text == "{\"a\": 1");
}

TEST_CASE("what two windows opened last stands in one list") {
  const TemporaryFolder folder;
  RecentFiles one(folder / "recent.txt"), other(folder / "recent.txt");
  one.add("/a"), other.add("/b"), one.add("/c");
  CHECK(RecentFiles(folder / "recent.txt").paths() == std::vector<fs::path>{"/c", "/b", "/a"});
}
