#include "app/cli/generate_command.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"
#include "app/document/decoding_numbers.h"
#include "core/decode/sampling.h"

namespace glassformer {
namespace {

std::vector<std::string> stageIds() {
  std::vector<std::string> ids;
  for (const SamplingStage& stage : samplingStages()) ids.emplace_back(stage.id);
  return ids;
}

// The number of a stage of sampling.
void addStage(CLI::App& command, const SamplingStage& stage, StageNumbers& stages) {
  const auto set = [&stages, &stage](const auto& number) { stages.set(stage, static_cast<float>(number)); };
  const std::string option =
                        "--" + std::string(stage.id) + (stage.id == std::string_view("typical") ? "-p" : ""),
                    meaning = "sampling: " + helpWords(std::string(stage.meaning));
  using enum SamplingStage::Number;
  CLI::Option* added = stage.number == Count ? command.add_option_function<int>(option, set, meaning)
                                             : command.add_option_function<float>(option, set, meaning);
  added->default_str(shortNumber(stage.off))
      ->check(stage.number == Positive ? positiveNumber()
              : stage.number == Count  ? wholeFrom(0)
              : stage.number == Real   ? numberWithin(-100, 100)
                                       : numberWithin(0, 1));
}

void addNumber(CLI::App& command, const DecodingNumber& number, Decoding& decoding) {
  const auto [least, most] = number.taken;
  const std::string of = number.strategy ? std::string(idOf(*number.strategy)) + ": " : "";
  std::visit(
      [&, least = least, most = most](auto member) {
        auto& value = decoding.*member;
        using Number = std::remove_reference_t<decltype(value)>;
        constexpr bool isSeed = std::is_same_v<Number, std::uint64_t>;
        command
            .add_option("--" + std::string(number.option), value, of + helpWords(std::string(number.meaning)))
            ->capture_default_str()
            ->check(isSeed                       ? seedNumber()
                    : std::is_integral_v<Number> ? wholeWithin(least, most)
                                                 : numberWithin(least, most));
      },
      number.member);
}

}  // namespace

void GenerateCommand::addOptions(CLI::App& command) {
  addModel(command, model);
  const CLI::Option* begins = command.add_option("--text", text, "text to continue");
  const CLI::Option* from = command.add_option("--source", source, "source text: for encoder-decoders");
  // Not as a group of options: CLI11 takes "" for the name of one, and never ends.
  command.parse_complete_callback([=] {
    if (begins->empty() && from->empty()) throw CLI::RequiredError("--text or --source");
  });
  command
      .add_option_function<std::string>(
          "--strategy", [this](const std::string& id) { decoding.strategy = strategyCalled(id); },
          "greedy, sampling or beam")
      ->default_str(idOf(decoding.strategy))
      ->check(oneOf({strategyNames.begin(), strategyNames.end()}));
  for (const DecodingNumber& number : decodingNumbers()) addNumber(command, number, decoding);
  for (const SamplingStage& stage : samplingStages()) addStage(command, stage, decoding.stages);
  command
      .add_option_function<std::vector<std::string>>(
          "--order", [this](const std::vector<std::string>& ids) { decoding.stages.setOrder(ids); },
          "sampling: first filters, separated by commas; the others follow as listed here")
      ->delimiter(',')
      ->check(oneOf(stageIds()));
  command.add_option("--stop", until, "end after this string");
  command.add_option("--regex", match, "regular expression for the continuation: \"red|green\"");
  command.add_option("--ban", banned,
                     "banned token, as written: \" dog\"; repeatable")
      ->allow_extra_args(false);  // brackets are no list
  command.add_flag("--explain", explain,
                   "sampling: print the distribution after every filter for each token, as JSON");
  command.add_flag("--early-stopping", decoding.stopsEarly, "beam: stop when enough hypotheses have ended");
  command.add_option("--draft-model", draft,
                     "greedy, sampling: draft model for speculative decoding, with the same tokenizer");
  command.add_option("--draft-tokens", proposals, "--draft-model: number of tokens proposed per pass")
      ->capture_default_str()
      ->check(wholeWithin(1, 64));
  command
      .add_option(
          "--num-return-sequences", branches,
          "number of continuations to return: best hypotheses (beam) or samples (seeds from --seed on)")
      ->check(wholeWithin(1, 1000));
  addChoices(command, choices);
  command.add_flag("--json", json, "everything that was computed, as JSON");
  addMemory(command);
}

}  // namespace glassformer
