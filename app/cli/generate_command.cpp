#include "app/cli/generate_command.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/choices_option.h"
#include "app/cli/prompt.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;

// Bytes that are no valid UTF-8 would make the JSON library refuse the text.
std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

Json tokensJson(const Tokenizer& tokenizer, std::span<const int> tokens) {
  Json list = Json::array();
  for (const int id : tokens) list.push_back({{"id", id}, {"label", tokenizer.tokenLabel(id)}});
  return list;
}

Json treeJson(const Tokenizer& tokenizer, const BeamTree& tree) {
  static constexpr const char* states[] = {"kept", "finished", "pruned"};
  Json nodes = Json::array();
  for (const BeamNode& node : tree.nodes)
    nodes.push_back({{"parent", node.parent},
                     {"token", node.token},
                     {"label", node.token < 0 ? "" : tokenizer.tokenLabel(node.token)},
                     {"depth", node.depth},
                     {"log_probability", node.logProbability},
                     {"cumulative", node.cumulative},
                     {"score", node.score},
                     {"rank", node.rank},
                     {"state", states[static_cast<int>(node.state)]},
                     {"beaten_by", node.beatenBy},
                     {"greedy", node.greedy}});
  return {{"best", tree.best}, {"nodes", nodes}};
}

}  // namespace

Status GenerateCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const Tokenizer& tokenizer = *loaded->tokenizer;
  const ModelConfig& config = loaded->transformer->config();
  if (config.stack == Stack::EncoderOnly)
    return Error{"this model fills gaps in a text; it does not go on writing", "generate",
                 "see what it fills them with: render --view next_token"};
  const auto prompt = promptOf(tokenizer, config, text, source);
  if (!prompt) return prompt.error();

  LivePass pass(loaded->transformer);
  const std::size_t longest = prompt->tokens.size() + static_cast<std::size_t>(count);
  const auto most = static_cast<std::size_t>(config.context);
  if (Status fits = pass.checkMemory(std::min(longest, most), prompt->source.size()); !fits) return fits;
  const NextTokenLogits logits = nextTokenLogits(pass, {}, prompt->source);
  const int context = config.context;
  std::vector<int> tokens;
  Json result{{"model", loaded->name}, {"prompt", text}, {"strategy", strategy}};
  if (config.reads()) result["source"] = source;
  if (strategy == "beam") {
    BeamSettings settings = beam;
    settings.depth = count;
    settings.endOfText = tokenizer.endOfText();
    settings.context = context;
    const BeamTree tree = beamSearch(logits, prompt->tokens, settings);
    tokens = tree.path(tree.best);
    if (json) result["tree"] = treeJson(tokenizer, tree);
  } else {
    SamplingSettings settings = sampling;
    settings.greedy = strategy == "greedy";
    tokens = generate(logits, prompt->tokens, count, settings, context, tokenizer.endOfText());
  }
  const bool ended = !tokens.empty() && tokens.back() == tokenizer.endOfText();
  const std::string continuation = tokenizer.decode(std::span(tokens).first(tokens.size() - (ended ? 1 : 0)));
  if (json) {
    result["tokens"] = tokensJson(tokenizer, tokens);
    result["continuation"] = continuation;
    std::printf("%s\n", dumped(result).c_str());
  } else {
    std::printf("%s%s\n", text.c_str(), continuation.c_str());
  }
  return success();
}

}  // namespace glassformer
