#include "app/cli/command_line.h"

#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>
#endif

#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <optional>
#include <string>

#include "app/cli/attribute_command.h"
#include "app/cli/check_command.h"
#include "app/cli/checks.h"
#include "app/cli/effect_table.h"
#include "app/cli/effects_command.h"
#include "app/cli/flip_command.h"
#include "app/cli/generate_command.h"
#include "app/cli/heads_command.h"
#include "app/cli/lesson_command.h"
#include "app/cli/manual.h"
#include "app/cli/models_command.h"
#include "app/cli/neurons_command.h"
#include "app/cli/pack_command.h"
#include "app/cli/render_command.h"
#include "app/cli/size_option.h"
#include "app/cli/tokenize_command.h"
#include "app/cli/trace_command.h"
#include "app/cli/train_command.h"
#include "app/cli/why_command.h"
#include "app/document/decoding_numbers.h"
#include "app/document/figure_settings.h"
#include "app/document/workspace.h"
#include "app/packs/pack.h"
#include "app/shell/launch.h"
#include "core/decode/sampling.h"
#include "core/failure_words.h"
#include "core/io/files.h"
#include "core/io/mapped_file.h"
#include "core/lens/integrated_gradients.h"
#include "core/model/memory_need.h"
#include "core/model/pass_budget.h"
#include "core/shortest_text.h"
#include "core/text/utf8.h"
#include "core/train/training_numbers.h"

namespace glassformer {
namespace {

// Binds the options of every command; `chosen` is set to the one that was given.
class CommandLine {
 public:
  explicit CommandLine(const char* program) : program_(program), library_(program) {
    app_.require_subcommand(0, 1);
    app_.set_version_flag("--version", "Glassformer " GLASSFORMER_VERSION);
    app_.add_option(
            "file", file_,
            "what to open: a session, a lesson, a pack of either, a figure, a text, a model's folder or a "
            "trace from elsewhere")
        ->check(somethingThere());
    app_.add_option(
        "--model", model_,
        "a built-in model's name, a model directory, or a trace from elsewhere (npz, safetensors)");
    app_.add_option("--screenshot", screenshot_,
                    "write a picture of the window as PNG and end; needs no display");
    app_.add_option("--lesson", lesson_, "opens a lesson: the name of one that ships, or a file");
    app_.add_option("--size", size_, "WIDTHxHEIGHT of the window")->capture_default_str();
    addModels();
    addGenerate();
    addTrace();
    addCheck();
    addWhy();
    addAttribute();
    addHeads();
    addEffects();
    addPictures();
    addNeurons();
    addFlip();
    addTokenize();
    addTrain();
    addRender();
    addLesson();
    addPack();
    addPages("slides", "write a lesson as slides, for those who cannot bring the program", slides_);
    handout_.isHandout = true;
    addPages("handout", "write a lesson on paper, its answers on a page of their own", handout_);
    addDescriptions();
    addMemory();
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help, --version
      app_.exit(asked);
      return ended(success());
    } catch (const CLI::ParseError& error) {
      return say(usageLine(app_, error)), 2;
    }
    try {
      if (memory_) setPassBudget(*memory_);
      return ended(chosen_ ? chosen_() : window());
    } catch (const std::exception& failure) {
      return ended(Error{failureWords(failure), "", ""});
    }
  }

 private:
  // One line, whatever is in it.
  static void say(const std::string& line) {
    std::fprintf(stderr, "glassformer: %s\n", excerpt(line, 1000).c_str());
  }

  // What nobody could be told has failed as well.
  static int ended(Status status) {
    std::cout.flush();
    const bool told = std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout;
    if (status && !told)
      status =
          Error{"could not be written to its end", "the output", "is there room, and somebody to read it?"};
    if (!status) say(status.error().message());
    return status ? 0 : 1;
  }

  Status window() {
    LaunchOptions options;
    options.models = library_.builtIn();
    options.loader = [this](const std::string& name, const Watch& watch) {
      return library_.loadOrTrace(name, watch);
    };
    options.model = model_;
    if (memory_) options.memory = static_cast<float>(*memory_ / 1e9);
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
  CLI::App* add(const char* name, const char* about, Command& command) {
    CLI::App* sub = app_.add_subcommand(name, about);
    sub->callback([this, &command] { chosen_ = [this, &command] { return runWith(command); }; });
    return sub;
  }
  template <typename Command>
  Status runWith(const Command& command) {
    const Status done = [&] {
      if constexpr (requires { command.run(library_); })
        return command.run(library_);
      else
        return command.run();
    }();
    const auto cut = MappedFile::everCut();
    return done && cut ? cutShort(*cut) : done;
  }

  void addModels() {
    CLI::App* sub = add("models", "list the built-in models", models_);
    sub->add_flag("--choices", models_.choices, "list what a model can be made of, for --set");
    sub->add_option("--worked", models_.worked,
                    "write the worked example, a model whose weights are set by hand, into this folder");
  }

  static void addChoices(CLI::App* sub, std::vector<std::string>& choices) {
    sub->add_option("--set", choices, "a choice made otherwise, such as norm=rms (see models --choices)");
  }

  static void addInterventions(CLI::App* sub, InterventionOptions& interventions) {
    sub->add_option("--off", interventions.off, "a part to be left out, such as L2H3 or \"MLP of block 0\"");
    sub->add_option(
        "--change", interventions.changes,
        "a part or POINT[INDEX] that is changed, such as \"L2H3 scale 0.5\", \"L2H3 argmax\", "
        "\"blocks.2.attn.hook_pattern[0, *, 3] replace 0.3\", or \"L2H3 as FOLDER@400\": as it "
        "was after that step of the training in that folder, a kept run or what train --out writes");
  }

  static std::vector<std::string> stageIds() {
    std::vector<std::string> ids;
    for (const SamplingStage& stage : samplingStages()) ids.emplace_back(stage.id);
    return ids;
  }

  // The number of a stage of sampling.
  void addStage(CLI::App* sub, const SamplingStage& stage) {
    const auto set = [this, &stage](const auto& number) {
      generate_.decoding.stages.set(stage, static_cast<float>(number));
    };
    const std::string option = "--" + std::string(stage.id),
                      meaning = "sampling: " + std::string(stage.meaning);
    using enum SamplingStage::Number;
    CLI::Option* added = stage.number == Count ? sub->add_option_function<int>(option, set, meaning)
                                               : sub->add_option_function<float>(option, set, meaning);
    added->default_str(shortNumber(stage.off))
        ->check(stage.number == Positive ? positiveNumber()
                : stage.number == Count  ? wholeFrom(0)
                : stage.number == Real   ? numberWithin(-100, 100)
                                         : numberWithin(0, 1));
  }

  void addNumber(CLI::App* sub, const DecodingNumber& number) {
    const auto [least, most] = number.taken;
    const std::string of = number.strategy ? std::string(idOf(*number.strategy)) + ": " : "";
    std::visit(
        [&, least = least, most = most](auto member) {
          auto& value = generate_.decoding.*member;
          using Number = std::remove_reference_t<decltype(value)>;
          constexpr bool isSeed = std::is_same_v<Number, std::uint64_t>;
          sub->add_option("--" + std::string(number.option), value, of + std::string(number.meaning))
              ->capture_default_str()
              ->check(isSeed                       ? seedNumber()
                      : std::is_integral_v<Number> ? wholeWithin(least, most)
                                                   : numberWithin(least, most));
        },
        number.member);
  }

  void addGenerate() {
    CLI::App* sub = add("generate", "continue a text", generate_);
    sub->add_option("--model", generate_.model, "built-in name or directory")->capture_default_str();
    const CLI::Option* text = sub->add_option("--text", generate_.text, "what to continue");
    const CLI::Option* source =
        sub->add_option("--source", generate_.source, "what to write from: for encoder-decoders");
    // Not as a group of options: CLI11 takes "" for the name of one, and never ends.
    sub->parse_complete_callback([=] {
      if (text->empty() && source->empty()) throw CLI::RequiredError("--text or --source");
    });
    sub->add_option_function<std::string>(
           "--strategy", [this](const std::string& id) { generate_.decoding.strategy = strategyCalled(id); },
           "greedy, sampling or beam")
        ->default_str(idOf(generate_.decoding.strategy))
        ->check(oneOf({strategyNames.begin(), strategyNames.end()}));
    for (const DecodingNumber& number : decodingNumbers()) addNumber(sub, number);
    for (const SamplingStage& stage : samplingStages()) addStage(sub, stage);
    sub->add_option_function<std::vector<std::string>>(
           "--order",
           [this](const std::vector<std::string>& ids) { generate_.decoding.stages.setOrder(ids); },
           "sampling: the stages that act first, separated by commas; the others follow as listed here")
        ->delimiter(',')
        ->check(oneOf(stageIds()));
    sub->add_option("--until", generate_.until, "end behind this piece of text");
    sub->add_option("--match", generate_.match,
                    "a regular expression that what follows has to match: \"red|green\"");
    sub->add_option("--ban", generate_.banned,
                    "a token that is not to follow, as it is written: \" dog\"; more than once");
    sub->add_flag("--explain", generate_.explain,
                  "sampling: each token with what every stage left when it was drawn, as JSON");
    sub->add_flag("--stop-early", generate_.decoding.stopsEarly, "beam: end as soon as the best has ended");
    sub->add_option(
        "--draft", generate_.draft,
        "greedy, sampling: a smaller model with the same tokens that proposes what this one checks");
    sub->add_option("--proposals", generate_.proposals, "--draft: so many tokens at once")
        ->capture_default_str()
        ->check(wholeWithin(1, 64));
    sub->add_option("--branches", generate_.branches,
                    "beam: so many hypotheses instead of the best; sampling: so many samples, by seeds from "
                    "--seed on")
        ->check(wholeWithin(1, 1000));
    addChoices(sub, generate_.choices);
    sub->add_flag("--json", generate_.json, "everything that was computed, as JSON");
  }

  void addTrace() {
    CLI::App* sub = add("trace", "write every trace point of a forward pass as safetensors", trace_);
    sub->add_option("--model", trace_.model, "built-in name or directory")->capture_default_str();
    auto* text = sub->add_option("--text", trace_.text, "the text to read");
    sub->add_option("--source", trace_.source, "the source to read: for encoder-decoders");
    auto* tokens = sub->add_option("--tokens", trace_.tokens, "token ids, separated by commas");
    text->excludes(tokens);
    sub->add_option("--out", trace_.out, "the file to write")->required();
    addChoices(sub, trace_.choices);
    addInterventions(sub, trace_.interventions);
    sub->add_option("--only", trace_.only,
                    "only the points this pattern fits, such as blocks.*.attn.hook_pattern");
  }

  void addCheck() {
    CLI::App* sub = add("check", "hold a model against what another implementation computed", check_);
    sub->add_option("model", check_.model, "built-in name or directory")->required();
    sub->add_option("--against", check_.against,
                    "a safetensors or npz file of that, under the names that trace writes")
        ->required();
    sub->add_option(
        "--tokens", check_.tokens,
        "the ids that were read, separated by commas, where the file's metadata does not say them");
    sub->add_option("--tolerance", check_.tolerance, "largest difference over the largest number of a tensor")
        ->capture_default_str()
        ->check(numberWithin(0, 1));
    addChoices(sub, check_.choices);
  }

  void addWhy() {
    CLI::App* sub = add("why", "say what made a number of a forward pass, down to the weights", why_);
    sub->add_option(
           "number", why_.number,
           "POINT[INDEX], such as \"blocks.2.attn.hook_pattern[0, 9, 3]\", or what *Influence* measures, "
           "such as \"causal.logit[2, 0]\"")
        ->required();
    sub->add_option("--model", why_.model, "built-in name or directory")->capture_default_str();
    sub->add_option("--text", why_.text, "the text to read (the one that the window starts with)");
    sub->add_option("--source", why_.source, "the source to read: for encoder-decoders");
    sub->add_option("--compare", why_.compare, "another text of the same model, for \"patch.change[1, 3]\"");
    sub->add_option("--terms", why_.terms, "how many terms to list of each number")
        ->capture_default_str()
        ->check(wholeFrom(1));
    sub->add_option("--depth", why_.depth, "how often to open what made the terms")
        ->capture_default_str()
        ->check(wholeWithin(1, 12));
    addChoices(sub, why_.choices);
    addInterventions(sub, why_.interventions);
    sub->add_flag("--json", why_.json, "as JSON");
  }

  void addAttribute() {
    CLI::App* sub = add("attribute", "attribute a logit to every token by integrated gradients", attribute_);
    sub->add_option("--model", attribute_.model, "built-in name or directory")->capture_default_str();
    sub->add_option("--text", attribute_.text, "the text to read");
    sub->add_option("--source", attribute_.source, "the source to read: for encoder-decoders");
    sub->add_option("--token", attribute_.token,
                    "the token behind which the prediction is made, counted from 0 (the last, or the mask)")
        ->check(wholeFrom(0));
    sub->add_option("--target", attribute_.target,
                    "the token whose logit that is, as it is written: \" dog\" (the model's answer)");
    sub->add_option("--against", attribute_.against, "a token whose logit is subtracted, as it is written");
    sub->add_option("--baseline", attribute_.baseline,
                    "what the path of all embeddings begins at: zero, mean, or a token as it is written")
        ->capture_default_str();
    sub->add_option("--steps", attribute_.gradients,
                    "so many gradients along the path at most; it is divided where the sum errs most")
        ->capture_default_str()
        ->check(wholeWithin(IntegratedGradients::leastSteps, 1000000));
    addChoices(sub, attribute_.choices);
    auto* json = sub->add_flag("--json", attribute_.json, "everything that was computed, as JSON");
    sub->add_flag("--csv", attribute_.csv, "the tokens with their numbers, as CSV")->excludes(json);
  }

  void addHeads() {
    CLI::App* sub = add("heads", "find the heads that look where heads are known to look", heads_);
    sub->add_option("--model", heads_.model, "built-in name or directory")->capture_default_str();
    auto* text = sub->add_option("--text", heads_.text, "a text to read instead of those of its task");
    auto* source = sub->add_option("--source", heads_.source, "the source to read: for encoder-decoders");
    auto* file = sub->add_option("--file", heads_.file,
                                 "a file with a text in every line; for encoder-decoders a source, a tab and "
                                 "its text");
    auto* texts = sub->add_option("--texts", heads_.texts, "how many texts of its task to read")
                      ->capture_default_str()
                      ->check(wholeWithin(1, 100000));
    sub->add_option("--seed", heads_.seed, "the same seed takes the same texts of its task, and repeats")
        ->capture_default_str()
        ->check(seedNumber());
    for (CLI::Option* given : {text, source, file}) given->excludes(texts);
    file->excludes(text)->excludes(source);
    sub->add_flag("--repeats", heads_.repeats,
                  "random tokens of these texts instead, said twice: what induction heads are known by");
    sub->add_option(
        "--hypothesis", heads_.hypotheses,
        "where heads look, as \"key = query - 1\" or \"token[key - 1] = token[query]\", in place of "
        "the stock ones: with counterexamples and the loss recovered");
    auto* head = sub->add_option(
        "--head", heads_.head,
        "one head, as L1H0 or cross.L0H2: how each hypothesis fits it, where not, and what it "
        "recovers; \"any\" says where it looks least evenly");
    sub->add_flag("--weights", heads_.weights,
                  "of that head, what it reads and writes, off its weights alone: token pairs, singular "
                  "values, the heads it works with")
        ->needs(head);
    sub->add_option("--best", heads_.best, "how many heads to list of each kind (as JSON all)")
        ->capture_default_str()
        ->check(wholeFrom(1));
    addChoices(sub, heads_.choices);
    sub->add_flag("--json", heads_.json, "everything that was computed, as JSON");
  }

  void addEffects() {
    CLI::App* sub =
        add("effects", "say what leaving out each head, attention and MLP does, over many texts and in one",
            effects_);
    sub->alias("ablate");
    sub->add_option("--model", effects_.model, "built-in name or directory")->capture_default_str();
    sub->add_option("--text", effects_.text, "one text to set beside the many");
    sub->add_option("--source", effects_.source, "its source: for encoder-decoders");
    auto* file = sub->add_option("--file", effects_.file,
                                 "a file with a text in every line instead of texts of its task; for "
                                 "encoder-decoders a source, a tab and its text; two by two they are pairs "
                                 "to patch");
    sub->add_option("--texts", effects_.texts, "how many texts of its task to read")
        ->capture_default_str()
        ->check(wholeWithin(1, 100000))
        ->excludes(file);
    sub->add_flag("--questions", effects_.questions,
                  "so many questions of its task that have one right answer, up to where that comes")
        ->excludes(file);
    sub->add_option("--seed", effects_.seed, "the same seed takes the same texts of its task")
        ->capture_default_str()
        ->check(seedNumber());
    sub->add_option("--measure", effects_.measure,
                    "instead what each text by itself tells, the largest first: " + measuresOfTexts() +
                        "; or the edges that matter most: edges");
    sub->add_option("--threshold", effects_.threshold,
                    "from so many nats on an edge is said to matter in a text")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    sub->add_option(
        "--part", effects_.part,
        "list the texts in which this one matters most, such as L2H0 or \"MLP of block 0\" (the one "
        "that matters most)");
    sub->add_option("--best", effects_.best, "how many of these to list")
        ->capture_default_str()
        ->check(wholeFrom(1));
    addInterventions(sub, effects_.interventions);
    addChoices(sub, effects_.choices);
    sub->add_flag("--json", effects_.json, "as JSON");
  }

  // What one picture of the window says of a text, printed.
  void addPictures() {
    struct Printed {
      const char *name, *about, *view, *picture;
    };
    static constexpr Printed printed[] = {
        {"causal", "print what becomes of the answer without each head, attention and MLP", "influence",
         "leave out"},
        {"lens", "print the logit lens: what every place of the residual stream would say", "next_token",
         "lens"},
        {"patch", "print what a text's answer takes over from another one, place by place", "influence",
         "patch"}};
    static_assert(std::size(printed) == std::tuple_size_v<decltype(pictures_)>);
    for (std::size_t i = 0; i < pictures_.size(); ++i) {
      RenderCommand& shown = pictures_[i];
      shown.view = printed[i].view, shown.picture = printed[i].picture;
      shown.out = RenderCommand::standardOutput, shown.format = "csv";
      CLI::App* sub = add(printed[i].name, printed[i].about, shown);
      sub->add_option("--model", shown.model, "built-in name or directory (stories)");
      sub->add_option("--text", shown.text, "the text to read (the one that the window starts with)");
      sub->add_option("--source", shown.source, "the source to read: for encoder-decoders");
      auto* compare = sub->add_option("--compare", shown.compare, "another text of the same model");
      compare->required(shown.picture == "patch");
      sub->add_option("--token", shown.token,
                      "the token whose answer is asked about, counted from 0 (the last)")
          ->check(wholeFrom(0));
      addInterventions(sub, shown.interventions);
      addChoices(sub, shown.choices);
      sub->add_flag_callback(
          "--json", [&shown] { shown.format = "json"; }, "as JSON, in place of CSV");
    }
  }

  void addNeurons() {
    CLI::App* sub =
        add("neurons", "say where a neuron is active, what it reads and what it writes", neurons_);
    sub->add_option("--model", neurons_.model, "built-in name or directory")->capture_default_str();
    sub->add_option("--text", neurons_.text, "the text to read");
    sub->add_option("--source", neurons_.source, "the source to read: for encoder-decoders");
    sub->add_option("--block", neurons_.block, "which block's, counted from 0")
        ->capture_default_str()
        ->check(wholeFrom(0));
    sub->add_flag("--encoder", neurons_.encoder, "of an encoder-decoder: those of the encoder");
    sub->add_option("--neuron", neurons_.neuron,
                    "one of them, counted from 0 (lists the strongest on the text)")
        ->check(wholeFrom(0));
    sub->add_option("--listed", neurons_.listed, "how many neurons, or tokens of each kind, to list")
        ->capture_default_str()
        ->check(wholeFrom(1));
    auto* file = sub->add_option("--file", neurons_.file,
                                 "where to search examples of it: a file with a text in every line; for "
                                 "encoder-decoders a source, a tab and its text");
    sub->add_option("--texts", neurons_.texts, "else in so many texts of the model's task")
        ->capture_default_str()
        ->check(wholeWithin(1, 100000))
        ->excludes(file);
    sub->add_option("--seed", neurons_.seed, "the same seed takes the same texts of its task")
        ->capture_default_str()
        ->check(seedNumber());
    addChoices(sub, neurons_.choices);
    sub->add_flag("--json", neurons_.json, "as JSON");
  }

  void addFlip() {
    CLI::App* sub =
        add("flip", "find single tokens, and the fewest heads switched off, that change an answer", flip_);
    sub->add_option("--model", flip_.model, "built-in name or directory")->capture_default_str();
    sub->add_option("--text", flip_.text, "the text to read");
    sub->add_option("--source", flip_.source, "the source to read: for encoder-decoders");
    sub->add_option("--token", flip_.token,
                    "the token behind which the answer is given, counted from 0 (the last, or the mask)")
        ->check(wholeFrom(0));
    sub->add_option("--to", flip_.to, "the answer that is wanted, as it is written: \" dog\" (any other)");
    sub->add_flag("--all", flip_.all, "every token at every place, not the 30000 best guesses alone");
    sub->add_option("--listed", flip_.listed, "how many of each kind to list")
        ->capture_default_str()
        ->check(wholeFrom(1));
    addChoices(sub, flip_.choices);
    sub->add_flag("--json", flip_.json, "as JSON");
  }

  void addTokenize() {
    CLI::App* sub = add("tokenize", "show how a text becomes tokens", tokenize_);
    sub->add_option("--model", tokenize_.model, "built-in name or directory")->capture_default_str();
    sub->add_option("--text", tokenize_.text, "the text")->required();
    sub->add_flag("--library", tokenize_.library, "by this model's tokenizer and those of all that ship");
    sub->add_flag("--json", tokenize_.json, "as JSON");
  }

  static std::string meaningOf(std::string_view number) { return findTrainingNumber(number)->meaning; }

  // What is the model's is a choice of it, by another name.
  void addTrainingNumber(CLI::App* sub, const TrainingNumber& number) {
    const auto take = [this, &number](const std::string& value) {
      if (number.field.empty())
        train_.numbers.push_back({number.id, value});
      else
        train_.choices.push_back(number.field + "=" + value);
    };
    const auto limit = [](float value) { return std::stod(shortestText(value)); };
    CLI::Option* option = sub->add_option_function<std::string>("--" + number.id, take,
                                                                number.meaning + " (as the recipe says)");
    if (number.names.empty()) {
      option->check(numberWithin(limit(number.least), limit(number.most)));
      return;
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < number.names.size(); ++i)
      names.push_back(textOf(number, static_cast<float>(i)));
    option->check(oneOf(names));
  }

  void addTrain() {
    CLI::App* sub = add("train", "train a model and write its directory", train_);
    sub->add_option("task", train_.task, "what to learn: " + trainableTasks())->required();
    sub->add_option("--out", train_.out, "the model directory to write (assets/models/ and the task's name)");
    sub->add_option("--file", train_.file, "the text to learn: for text");
    sub->add_option("--tokens", train_.tokens, "what that text's tokens are")
        ->capture_default_str()
        ->check(oneOf({"character", "bpe"}));
    sub->add_option("--steps", train_.steps, meaningOf("steps") + " (0: as the recipe says)")
        ->capture_default_str()
        ->check(wholeFrom(0));
    addChoices(sub, train_.choices);  // first: what is taken later stands behind what it takes
    for (const TrainingNumber& number : trainingNumbers())
      if (number.set) addTrainingNumber(sub, number);
    sub->add_option("--schedule", train_.schedule,
                    "the learning rate: \"no warm-up\", constant, cosine, transformer2017, or one with its "
                    "numbers as cards have it");
    sub->add_option("--seed", train_.seed, meaningOf("seed"))->capture_default_str()->check(seedNumber());
    sub->add_option("--threads", train_.threads, "how many threads share the work")
        ->capture_default_str()
        ->check(wholeWithin(1, 64));
  }

  void addLesson() {
    CLI::App* lesson = app_.add_subcommand("lesson", "what those need who write lessons");
    lesson->require_subcommand(1);
    CLI::App* check = lesson->add_subcommand(
        "check", "compute every step of lessons, and hold them to what they claim about the model");
    check->add_option("files", lessonCommand_.files,
                      "Markdown files, or names of lessons that ship; without, all that ship");
    lessonCommand_.shelf = assetsFolder(program_, "lessons");
    check->callback([this] { chosen_ = [this] { return lessonCommand_.run(library_); }; });
  }

  void addPack() {
    CLI::App* sub = add("pack", "put a session or a lesson into one file with everything it needs", pack_);
    sub->add_option("what", pack_.what, "a session's file, a lesson's, or the name of a lesson that ships")
        ->required();
    sub->add_option("--out", pack_.out,
                    std::string("the file to write (the same name with ") + packExtension + ")");
    pack_.shelf = assetsFolder(program_, "lessons");
  }

  void addPages(const char* name, const char* about, LessonPagesCommand& command) {
    CLI::App* sub = add(name, about, command);
    sub->add_option("lesson", command.lesson, "a Markdown file, or the name of a lesson that ships")
        ->required();
    sub->add_option("--out", command.out, "the PDF to write (the lesson's name)");
    command.shelf = assetsFolder(program_, "lessons");
  }

  // For all that keeps passes.
  void addMemory() {
    const auto inBytes = [](float gigabytes) { return 1e6 * std::round(1e3 * gigabytes); };
    std::vector<CLI::App*> keeping{&app_};
    for (const char* name : {"generate", "trace", "check", "why", "attribute", "heads", "effects", "neurons",
                             "flip", "causal", "lens", "patch", "render", "slides", "handout"})
      keeping.push_back(app_.get_subcommand(name));
    keeping.push_back(app_.get_subcommand("lesson")->get_subcommand("check"));
    for (CLI::App* each : keeping)
      each->add_option_function<std::string>(
              "--memory", [this](const std::string& amount) { memory_ = bytesIn(amount); },
              "how much passes may take that are kept, such as 4GB; beyond, attention is made anew (" +
                  byteWords(usualPassBudget) + ")")
          ->check(amountOfMemory(inBytes(Machine::leastMemory), inBytes(Machine::mostMemory)));
  }

  // Of this command line itself, for other programs.
  void addDescriptions() {
    const auto print = [](const std::string& text) {
      std::fwrite(text.data(), 1, text.size(), stdout);
      return success();
    };
    app_.add_subcommand("manual", "print the manual page, for man")->callback([this, print] {
      chosen_ = [this, print] { return print(manualPage(app_)); };
    });
    CLI::App* completions = app_.add_subcommand("completions", "print what completes commands in a shell");
    completions->add_option("shell", shell_, "bash, zsh or fish")
        ->required()
        ->check(oneOf({"bash", "zsh", "fish"}));
    completions->callback(
        [this, print] { chosen_ = [this, print] { return print(glassformer::completions(app_, shell_)); }; });
  }

  void addRender() {
    CLI::App* sub = add("render", "write a view as a picture or as its numbers, without a window", render_);
    sub->add_option("figure", render_.figure,
                    "a figure of Glassformer's, to be drawn again, as it is or otherwise");
    sub->add_option("--out", render_.out, "the file to write; its ending chooses the format")->required();
    sub->add_option("--format", render_.format, "the format, where the file's name does not say it")
        ->check(oneOf(RenderCommand::formats()));
    sub->add_option("--session", render_.session,
                    "a session file, or a pack with one: draws what its window showed")
        ->excludes("figure");
    sub->add_option("--view", render_.view, "which view")->check(oneOf(RenderCommand::viewNames()));
    sub->add_option("--model", render_.model, "built-in name, directory, or a trace from elsewhere");
    sub->add_option("--text", render_.text, "the text to read");
    addChoices(sub, render_.choices);
    sub->add_option("--source", render_.source, "the source to read: for encoder-decoders");
    sub->add_option(
        "--head", render_.head,
        "BLOCK.HEAD, counted from 0; of an encoder-decoder also cross.BLOCK.HEAD or enc.BLOCK.HEAD");
    sub->add_option("--picture", render_.picture,
                    "which picture of the view, such as \"leave out\" of influence");
    sub->add_option(
        "--hypothesis", render_.hypothesis,
        "where heads look, such as \"key = query - 1\", for the picture \"hypothesis\" of attention");
    auto* compare = sub->add_option("--compare", render_.compare,
                                    "another text, or a trace from elsewhere, set beside the first");
    sub->add_flag("--difference", render_.difference, "the first text minus the other, in one picture")
        ->needs(compare);
    sub->add_option("--token", render_.token, "the token that is asked about, counted from 0")
        ->check(wholeFrom(0));
    addInterventions(sub, render_.interventions);
    auto* size = sub->add_option("--size", render_.size, "WIDTHxHEIGHT of the layout in pixels (1280x720)");
    sub->add_option("--preset", render_.preset, "a size for slides or papers")
        ->check(oneOf(RenderCommand::presets()))
        ->excludes(size);
    sub->add_option("--scale", render_.scale, "PNG and GIF: pixels per pixel of the layout")
        ->check(numberWithin(leastFigureScale, greatestFigureScale));
    sub->add_option("--theme", render_.theme, "dark, light, or paper: light on white")
        ->check(oneOf({"dark", "light", "paper"}));
    sub->add_option("--width", render_.millimetres,
                    "how wide a preset is in print, in mm; it holds more then")
        ->check(numberWithin(10, mostMillimetres))
        ->excludes(size);
    sub->add_option("--points", render_.points, "the size of a preset's text in print")
        ->check(numberWithin(leastPoints, mostPoints))
        ->excludes(size);
    sub->add_option("--without", render_.without,
                    "a part that is left out: heads, bars or scale; more than once")
        ->check(oneOf({"heads", "bars", "scale"}));
    sub->add_flag("--heads-first", render_.headsFirst, "thumbnails of heads stand left of the picture");
    sub->add_flag("--caption-above", render_.captionAbove, "the caption stands above the picture");
    sub->add_flag_function(
        "--caption,!--no-caption", [this](std::int64_t given) { render_.caption = given > 0; },
        "words below that say what it shows");
    sub->add_option(
           "--each", render_.each,
           "one file for each step of the model, token of the text, head, or step of the lesson, numbered")
        ->check(oneOf(RenderCommand::sequences()));
    sub->add_flag("--moving", render_.moving, "--each: all in one file that moves: SVG, and always GIF");
    sub->add_option("--seconds", render_.seconds, "--each: how long every picture of a moving file is seen")
        ->capture_default_str()
        ->check(numberWithin(leastFrameSeconds, mostFrameSeconds));
    sub->add_option("--lesson", render_.lesson, "draws its first step: a lesson that ships, or a file");
    render_.shelf = assetsFolder(program_, "lessons");
    sub->add_flag("--all-tensors", render_.allTensors, "CSV and NPY: every tensor, each in its file");
  }

  CLI::App app_{"Glassformer: a transformer you can see through. Without a command it opens the window."};
  std::string program_;
  ModelLibrary library_;
  std::string file_, model_, lesson_, screenshot_, shell_, size_ = "1600x1000";
  std::optional<double> memory_;  // bytes of passes
  std::function<Status()> chosen_;
  ModelsCommand models_;
  GenerateCommand generate_;
  TraceCommand trace_;
  CheckCommand check_;
  WhyCommand why_;
  AttributeCommand attribute_;
  HeadsCommand heads_;
  EffectsCommand effects_;
  NeuronsCommand neurons_;
  FlipCommand flip_;
  TokenizeCommand tokenize_;
  TrainCommand train_;
  RenderCommand render_;
  std::array<RenderCommand, 3> pictures_;
  LessonCommand lessonCommand_;
  PackCommand pack_;
  LessonPagesCommand slides_, handout_;
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
