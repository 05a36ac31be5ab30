// The targets of tests/fuzz without their engine: every seed, and what is made of the seeds, the same every
// time. Which inputs find their way to more code is for tests/fuzz/run to learn; that none of these breaks a
// reader is known with every run of the tests, under sanitizers, too.
#define GLASSFORMER_REPLAYS

#define LLVMFuzzerTestOneInput adapterInput
#define LLVMFuzzerInitialize beginAdapter
#include "tests/fuzz/adapter_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#undef LLVMFuzzerInitialize
#define LLVMFuzzerTestOneInput answersInput
#define LLVMFuzzerInitialize beginAnswers
#include "tests/fuzz/answers_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#undef LLVMFuzzerInitialize
#define LLVMFuzzerTestOneInput checkpointInput
#define LLVMFuzzerInitialize beginCheckpoint
#include "tests/fuzz/checkpoint_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#undef LLVMFuzzerInitialize
#define LLVMFuzzerTestOneInput configInput
#include "tests/fuzz/config_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput figureInput
#define LLVMFuzzerInitialize beginFigure
#include "tests/fuzz/figure_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#undef LLVMFuzzerInitialize
#define LLVMFuzzerTestOneInput ggufInput
#include "tests/fuzz/gguf_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput lessonInput
#include "tests/fuzz/lesson_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput planInput
#define LLVMFuzzerInitialize beginPlan
#include "tests/fuzz/plan_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#undef LLVMFuzzerInitialize
#define LLVMFuzzerTestOneInput recordedInput
#include "tests/fuzz/recorded_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput safetensorsInput
#include "tests/fuzz/safetensors_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput sentencePieceInput
#include "tests/fuzz/sentence_piece_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput sessionInput
#define LLVMFuzzerInitialize beginSession
#include "tests/fuzz/session_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#undef LLVMFuzzerInitialize
#define LLVMFuzzerTestOneInput tokenizerInput
#include "tests/fuzz/tokenizer_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput wordPieceInput
#include "tests/fuzz/word_piece_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput zipInput
#define LLVMFuzzerInitialize beginZip
#include "tests/fuzz/zip_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#undef LLVMFuzzerInitialize

#include <glob.h>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <set>
#include <sstream>

#include "core/random.h"
#include "tests/sanitized.h"

namespace {

struct FuzzTarget {
  std::string name;
  int (*input)(const std::uint8_t* data, std::size_t size);
  int (*begin)(int* argc, char*** argv) = nullptr;  // writes seeds of its own
};
const std::array fuzzTargets{FuzzTarget{"adapter", adapterInput, beginAdapter},
                             FuzzTarget{"answers", answersInput, beginAnswers},
                             FuzzTarget{"checkpoint", checkpointInput, beginCheckpoint},
                             FuzzTarget{"config", configInput},
                             FuzzTarget{"figure", figureInput, beginFigure},
                             FuzzTarget{"gguf", ggufInput},
                             FuzzTarget{"lesson", lessonInput},
                             FuzzTarget{"plan", planInput, beginPlan},
                             FuzzTarget{"recorded", recordedInput},
                             FuzzTarget{"safetensors", safetensorsInput},
                             FuzzTarget{"sentence_piece", sentencePieceInput},
                             FuzzTarget{"session", sessionInput, beginSession},
                             FuzzTarget{"tokenizer", tokenizerInput},
                             FuzzTarget{"word_piece", wordPieceInput},
                             FuzzTarget{"zip", zipInput, beginZip}};

constexpr std::size_t longestInput = 100000;  // as tests/fuzz/run has it

void addSeeds(const std::string& files, std::vector<std::string>& seeds) {
  glob_t found{};
  if (::glob(files.c_str(), 0, nullptr, &found) == 0)
    for (std::size_t i = 0; i < found.gl_pathc; ++i)
      seeds.push_back(readTextFile(found.gl_pathv[i])->substr(0, longestInput));
  ::globfree(&found);
}

std::vector<std::string> seedsOf(const FuzzTarget& target) {
  std::vector<std::string> seeds;
  std::istringstream lines(*readTextFile(SOURCE_FOLDER "/tests/fuzz/seeds"));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(target.name + " "))
      addSeeds(SOURCE_FOLDER "/" + line.substr(target.name.size() + 1), seeds);
  if (!target.begin) return seeds;
  const TemporaryFolder folder;
  std::string program = "fuzz", path = folder.path().string();
  std::array<char*, 2> arguments{program.data(), path.data()};
  int count = 2;
  char** all = arguments.data();
  target.begin(&count, &all);
  addSeeds(path + "/*", seeds);
  return seeds;
}

// One of the usual ways in which files are broken.
void breakOnce(std::string& text, const std::vector<std::string>& seeds, Random& random) {
  static const std::array<std::string, 8> words{
      "null", "[[[[", "{}", "-1", "1e999", "\"\"", std::string(4, '\xFF'), std::string(4, '\0')};
  const auto below = [&](std::size_t n) {
    return n == 0 ? 0 : static_cast<std::size_t>(random.below(static_cast<int>(n)));
  };
  const std::size_t at = below(text.size() + 1), length = std::min(below(64), text.size() - at);
  switch (random.below(7)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(random.below(256));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(at, text.substr(at, length));
      break;
    case 4:
      text.replace(at, length, words[below(words.size())]);
      break;
    case 5:
      text.resize(at);
      break;
    default: {
      const std::string& other = seeds[below(seeds.size())];
      text = text.substr(0, at) + other.substr(below(other.size()));
    }
  }
  if (text.size() > longestInput) text.resize(longestInput);
}

}  // namespace

TEST_CASE("no reader of files breaks on its seeds, nor on what is made of them", "[property]") {
  using SteadyClock = std::chrono::steady_clock;
  const std::chrono::duration<double> each(isSanitized ? 1.0 : 0.2);
  std::set<std::string> named;
  for (const FuzzTarget& target : fuzzTargets) {
    named.insert(target.name + "_fuzz.cpp");
    const std::vector<std::string> seeds = seedsOf(target);
    INFO(target.name);
    REQUIRE_FALSE(seeds.empty());
    Random random(7);
    const auto end = SteadyClock::now() + each;
    for (std::size_t i = 0; i < seeds.size() || SteadyClock::now() < end; ++i) {
      std::string input = seeds[i % seeds.size()];
      if (i >= seeds.size())
        for (int times = 1 + random.below(4); times > 0; --times) breakOnce(input, seeds, random);
      INFO("input " << i);
      CHECK_NOTHROW(target.input(reinterpret_cast<const std::uint8_t*>(input.data()), input.size()));
    }
  }
  std::set<std::string> there;
  for (const auto& entry : std::filesystem::directory_iterator(SOURCE_FOLDER "/tests/fuzz"))
    if (entry.path().extension() == ".cpp") there.insert(entry.path().filename().string());
  CHECK(named == there);
}
