#include "app/cli/command_line.h"

#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <tuple>

#include "app/cli/attribute_command.h"
#include "app/cli/bundle_command.h"
#include "app/cli/check_command.h"
#include "app/cli/counterfactual_command.h"
#include "app/cli/dataset_command.h"
#include "app/cli/explain_command.h"
#include "app/cli/former_names.h"
#include "app/cli/generate_command.h"
#include "app/cli/heads_command.h"
#include "app/cli/lesson_command.h"
#include "app/cli/logit_lens_command.h"
#include "app/cli/manual.h"
#include "app/cli/models_command.h"
#include "app/cli/neurons_command.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"
#include "app/cli/picture_command.h"
#include "app/cli/render_command.h"
#include "app/cli/size_option.h"
#include "app/cli/tokenize_command.h"
#include "app/cli/trace_command.h"
#include "app/cli/train_command.h"
#include "app/figure/manual_file.h"
#include "app/shell/launch.h"
#include "core/failure_words.h"
#include "core/io/files.h"
#include "core/model/pass_limit.h"
#include "core/tensor/kernels.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

// Every command there is, in the order in which --help lists them.
using Commands =
    std::tuple<ModelsCommand, GenerateCommand, TraceCommand, CheckCommand, ExplainCommand, AttributeCommand,
               HeadsCommand, DatasetCommand, AblateCommand, LogitLensCommand, PatchCommand, NeuronsCommand,
               CounterfactualCommand, TokenizeCommand, TrainCommand, RenderCommand, LessonCommand,
               BundleCommand, SlidesCommand, HandoutCommand>;

// One line, whatever is in it.
void say(const std::string& line) { std::fprintf(stderr, "glassformer: %s\n", excerpt(line, 1000).c_str()); }

// What nobody could be told has failed as well.
int ended(Status status) {
  std::cout.flush();
  const bool told = std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout;
  if (status && !told)
    status = Error{"could not be written to its end", "the output",
                   "check the free space and the reading program"};
  if (!status) say(status.error().message());
  return status ? 0 : 1;
}

// Binds the options of every command; `chosen_` is set to the one that was given.
class CommandLine {
 public:
  explicit CommandLine(const char* program) : program_(program), library_(program) {
    app_.require_subcommand(0, 1);
    app_.set_version_flag("--version", "Glassformer " GLASSFORMER_VERSION);
    app_.footer(
        std::string(levelVariable) +
        " names the processor level to compute with: baseline, x86_64_v3 (AVX2) or x86_64_v4 (AVX-512). "
        "Default: the fastest of this processor.");
    addWindow();
    std::apply([this](auto&... command) { (add(command), ...); }, commands_);
    addDescriptions();
  }

  int run(int argc, char** argv) {
    RenamedArguments given = withNamesOfToday({argv + std::min(argc, 1), argv + argc});
    for (const std::string& note : given.notes) say(note);
    std::ranges::reverse(given.arguments);  // as CLI11 takes them
    try {
      app_.parse(std::move(given.arguments));
    } catch (const CLI::Success& asked) {  // --help, --version
      app_.exit(asked);
      return ended(success());
    } catch (const CLI::ParseError& error) {
      return say(usageLine(app_, error)), 2;
    }
    if (const auto level = kernelsNamed(std::getenv(levelVariable)); !level)
      return say(level.error().message()), 2;
    try {
      return ended(chosen_ ? chosen_() : window());
    } catch (const std::exception& failure) {
      return ended(Error{failureWords(failure), "", ""});
    }
  }

 private:
  void addWindow() {
    app_.add_option("file", file_,
                    "a session, a lesson, a bundle of either, a figure, a text, a model's folder or recorded "
                    "activations")
        ->check(somethingThere());
    app_.add_option("--model", model_,
                    "a built-in model's name, a model directory, or recorded activations (npz, safetensors)");
    app_.add_option("--screenshot", screenshot_,
                    "write a picture of the window as PNG and end; needs no display");
    app_.add_option("--lesson", lesson_, "opens a lesson: the name of one that ships, or a file");
    app_.add_option("--size", size_, "size of the window, WIDTHxHEIGHT; at most the monitor's")
        ->capture_default_str();
    addMemory(app_);
  }

  Status window() {
    LaunchOptions options;
    options.models = library_.builtIn();
    options.loader = [this](const std::string& name, const ProgressCallback& watch) {
      return library_.loadOrTrace(name, watch);
    };
    options.model = model_;
    if (app_.count("--memory") > 0) options.memory = static_cast<float>(passLimit() / 1e9);
    options.lessons = assetsFolder(program_, "lessons");
    options.lesson = lesson_;
    options.screenshot = screenshot_;
    options.file = file_;
    const auto size = parsedSize(size_);
    if (!size) return size.error();
    options.width = size->width, options.height = size->height;
    return launch(options);
  }

  template <typename Command>
  void add(Command& command) {
    CLI::App* sub = app_.add_subcommand(command.name, command.about);
    if constexpr (requires { command.shelf; }) command.shelf = assetsFolder(program_, "lessons");
    command.addOptions(*sub);
    // A command of commands is none itself.
    CLI::App* leaf = sub->get_require_subcommand_min() > 0 ? sub->get_subcommand(0) : sub;
    leaf->callback([this, &command] { chosen_ = [this, &command] { return runWith(command); }; });
  }

  template <typename Command>
  Status runWith(const Command& command) {
    if constexpr (requires { command.run(library_); })
      return command.run(library_);
    else
      return command.run();
  }

  // Of this command line itself, for other programs.
  void addDescriptions() {
    const auto print = [](const std::string& text) {
      std::fwrite(text.data(), 1, text.size(), stdout);
      return success();
    };
    CLI::App* manual =
        app_.add_subcommand("manual", "print the manual page, for man, or write the whole manual to a file");
    manual->add_option("--out", manualFile_, "write the whole manual; the ending chooses: .html or .pdf");
    manual->callback([this, print] {
      chosen_ = [this, print] {
        return manualFile_.empty() ? print(manualPage(app_))
                                   : writeManual(assetsFolder(program_, "manual"), manualFile_);
      };
    });
    CLI::App* completions = app_.add_subcommand("completions", "print a completion script for a shell");
    completions->add_option("shell", shell_, "bash, zsh or fish")
        ->required()
        ->check(oneOf({"bash", "zsh", "fish"}));
    completions->callback(
        [this, print] { chosen_ = [this, print] { return print(glassformer::completions(app_, shell_)); }; });
  }

  CLI::App app_{"Glassformer: a transformer you can see through. Without a command it opens the window."};
  std::string program_;
  ModelLibrary library_;
  std::string file_, model_, lesson_, screenshot_, shell_, manualFile_, size_ = "1600x1000";
  std::function<Status()> chosen_;
  Commands commands_;
};

// Where a standard stream is closed, the next file to be opened would take its place, and get what is
// printed.
void occupyStandardStreams() {
#ifndef _WIN32
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1) static_cast<void>(::open("/dev/null", O_RDONLY));  // takes no output
#endif
}

}  // namespace

int runCommandLine(int argc, char** argv) {
  occupyStandardStreams();
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // a file larger than allowed is an error with a name, as a full disk is
#endif
  return CommandLine(argc > 0 ? argv[0] : "").run(argc, argv);
}

}  // namespace glassformer
