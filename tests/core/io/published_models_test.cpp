// Directories as people meet them: other tools and other versions write the same model in other words. Each
// kind is made here of a reference folder.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/io/safetensors.h"
#include "core/model/live_pass.h"
#include "core/text/text_pipeline.h"
#include "tests/core/io/formats/format_fixture.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

void changeJson(const fs::path& file, const std::function<void(Json&)>& change) {
  Json json = Json::parse(textOf(file));
  change(json);
  REQUIRE(writeFile(file, json.dump()));
}

// Writes the weights again under other names; none: the tensor is left out.
void renameTensors(const fs::path& folder, const std::function<std::string(const std::string&)>& called) {
  const auto stored = StoredTensors::open(folder / "model.safetensors");
  REQUIRE(stored);
  std::vector<std::vector<float>> values;
  std::vector<NamedTensor> tensors;
  values.reserve(stored->tensors().size());
  for (const StoredTensor& tensor : stored->tensors()) {
    const std::string name = called(tensor.name);
    if (name.empty()) continue;
    values.push_back(*tensor.converted());
    const auto extent = [&](std::size_t d) { return static_cast<int>(tensor.shape[d]); };
    tensors.push_back({name, tensor.shape.size() == 2
                                 ? TensorView(values.back().data(), {extent(0), extent(1)})
                                 : TensorView(values.back().data(), {extent(0)})});
  }
  const std::string whole = (folder / "model.safetensors").string();
  REQUIRE(writeSafetensors(whole + ".new", tensors));
  fs::rename(whole + ".new", whole);
}

std::vector<float> logitsOf(const fs::path& folder) {
  auto model = readModelDirectory(folder);
  if (!model) FAIL(model.error().message());
  LivePass pass(std::make_shared<const Transformer>(model->config, std::move(model->parameters)));
  const std::vector<int> tokens{84, 104, 101, 220, 99, 97};
  return (*pass.run(tokens, {}, model->config.isEncoderDecoder() ? tokens : std::vector<int>{}))["logits"]
      .copy();
}

std::shared_ptr<const Tokenizer> tokenizerIn(const fs::path& folder) {
  auto model = readModelDirectory(folder);
  if (!model) FAIL(model.error().message());
  return model->tokenizer;
}

}  // namespace

TEST_CASE("eos_token_id ends texts, one or several, whatever the tokens are called") {
  Copied one("qwen2"), several("qwen2"), wrong("qwen2");
  changeJson(one.path() / "config.json", [](Json& c) { c["eos_token_id"] = 99; });
  CHECK(tokenizerIn(one.path())->endOfText() == 99);
  REQUIRE(writeFile(several.path() / "generation_config.json", R"({"eos_token_id": [98, 97]})"));
  changeJson(several.path() / "config.json", [](Json& c) { c["eos_token_id"] = 99; });
  const auto tokenizer = tokenizerIn(several.path());
  CHECK(tokenizer->endOfText() == 98);
  CHECK(endsText(*tokenizer, 97));
  CHECK_FALSE(endsText(*tokenizer, 99));
  changeJson(wrong.path() / "config.json", [](Json& c) { c["eos_token_id"] = "end"; });
  CHECK_THAT(wrong.refusal(), ContainsSubstring("eos_token_id: is \"end\", neither"));
}

TEST_CASE("of tied weights either name may be the one that is kept") {
  Copied tied("qwen2"), untied("qwen2");
  const auto headOnly = [](const std::string& name) {
    return name == "model.embed_tokens.weight" ? std::string("lm_head.weight") : name;
  };
  renameTensors(tied.path(), headOnly);
  CHECK(logitsOf(tied.path()) == logitsOf(formats / "qwen2"));
  renameTensors(untied.path(), headOnly);
  changeJson(untied.path() / "config.json", [](Json& c) { c["tie_word_embeddings"] = false; });
  CHECK_THAT(untied.refusal(), ContainsSubstring("model.embed_tokens.weight is missing"));
}

TEST_CASE("T5's table may be stored under the encoder's name alone") {
  Copied t5("t5");
  renameTensors(t5.path(), [](const std::string& name) { return name == "shared.weight" ? "" : name; });
  CHECK(logitsOf(t5.path()) == logitsOf(formats / "t5"));
}

TEST_CASE("names may lack the base's, or have what training put in front") {
  Copied bare("qwen2"), wrapped("qwen2");
  renameTensors(bare.path(),
                [](const std::string& name) { return name.starts_with("model.") ? name.substr(6) : name; });
  CHECK(logitsOf(bare.path()) == logitsOf(formats / "qwen2"));
  renameTensors(wrapped.path(), [](const std::string& name) { return "_orig_mod.module." + name; });
  CHECK(logitsOf(wrapped.path()) == logitsOf(formats / "qwen2"));
}

TEST_CASE("partial_rotary_factor stands in rope_parameters, beside it, or under the family's older name") {
  Copied older("pythia"), newer("pythia"), none("pythia"), llama("qwen2");
  changeJson(older.path() / "config.json", [](Json& c) { c["rotary_pct"] = 0.5; });
  changeJson(newer.path() / "config.json", [](Json& c) {
    c.erase("rotary_pct"), c.erase("rotary_emb_base");
    c["rope_parameters"] = {{"rope_theta", 10000}, {"rope_type", "default"}, {"partial_rotary_factor", 0.5}};
  });
  CHECK(logitsOf(older.path()) == logitsOf(newer.path()));
  CHECK(logitsOf(older.path()) != logitsOf(formats / "pythia"));
  none.with("\"rotary_pct\"", "\"partial_rotary_factor\": 0, \"rotary_pct\"");
  CHECK_THAT(none.refusal(), ContainsSubstring("partial_rotary_factor: must be more than 0"));
  changeJson(llama.path() / "config.json", [](Json& c) { c["partial_rotary_factor"] = 0.5; });
  CHECK(logitsOf(llama.path()) != logitsOf(formats / "qwen2"));
}

TEST_CASE("Qwen's windows begin behind max_window_layers blocks, of which 28 is the default") {
  const auto with = [](const Json& fields) {
    auto copy = std::make_unique<Copied>("qwen2");
    changeJson(copy->path() / "config.json", [&](Json& c) { c.update(fields); });
    return copy;
  };
  const Json window{{"use_sliding_window", true}, {"sliding_window", 4}};
  Json all = window, half = window;
  all["max_window_layers"] = 0, half["max_window_layers"] = 1;
  CHECK(logitsOf(with(window)->path()) == logitsOf(formats / "qwen2"));
  CHECK(logitsOf(with(all)->path()) != logitsOf(formats / "qwen2"));
  CHECK(logitsOf(with(half)->path()) != logitsOf(with(all)->path()));
  const auto first = readModelDirectory(with(half)->path());
  REQUIRE(first);
  CHECK(first->config.maskOf(0) == AttentionMask{});
  CHECK(first->config.maskOf(1) == AttentionMask{MaskKind::Window, 4, {}});
  // layer_types goes first.
  half["layer_types"] = {"sliding_attention", "full_attention"};
  const auto listed = readModelDirectory(with(half)->path());
  REQUIRE(listed);
  CHECK(listed->config.maskOf(0) == AttentionMask{MaskKind::Window, 4, {}});
  CHECK(listed->config.maskOf(1) == AttentionMask{});
}

TEST_CASE("a Gemma 3 that looks both ways is refused by the field that says so") {
  Copied gemma("gemma3");
  changeJson(gemma.path() / "config.json", [](Json& c) { c["use_bidirectional_attention"] = true; });
  CHECK_THAT(gemma.refusal(), ContainsSubstring("use_bidirectional_attention: is set in a way"));
}

TEST_CASE("a list of bad words that is not a single token is refused by name") {
  Copied bart("bart");
  REQUIRE(writeFile(bart.path() / "generation_config.json", R"({"bad_words_ids": [[5], [6, 7]]})"));
  CHECK_THAT(bart.refusal(), ContainsSubstring("bad_words_ids: is [[5],[6,7]]"));
}

TEST_CASE("scale_decoder_outputs scales, and T5's head is its own where it is stored") {
  Copied written("t5_gated");
  changeJson(written.path() / "config.json",
             [](Json& c) { c["tie_word_embeddings"] = true, c["scale_decoder_outputs"] = false; });
  CHECK(logitsOf(written.path()) == logitsOf(formats / "t5_gated"));
}

TEST_CASE("an adapter for matrices that lie the other way is refused by fan_in_fan_out") {
  const TemporaryFolder folder;
  fs::copy(formats / "llama", folder / "llama", fs::copy_options::recursive);
  fs::copy(formats / "llama_lora", folder / "lora", fs::copy_options::recursive);
  changeJson(folder / "lora" / "adapter_config.json", [](Json& c) { c["fan_in_fan_out"] = true; });
  const auto read = readModelDirectory(folder / "lora");
  REQUIRE_FALSE(read);
  CHECK_THAT(read.error().message(),
             ContainsSubstring("fan_in_fan_out: is true, but the matrices of a Llama"));
}

TEST_CASE("GPT-2's matrices are [in, out], whether fan_in_fan_out says so or not") {
  const auto weights = [](bool flag) {
    const TemporaryFolder folder;
    const Json config{{"peft_type", "LORA"},
                      {"base_model_name_or_path", std::string(SOURCE_FOLDER) + "/assets/models/stories"},
                      {"fan_in_fan_out", flag},
                      {"r", 2},
                      {"lora_alpha", 16}};
    REQUIRE(writeFile(folder / "adapter_config.json", config.dump()));
    std::vector<float> a(256), b(256);
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = static_cast<float>(i % 7) - 3, b[i] = static_cast<float>(i % 5) * 0.01f;
    const std::string name = "base_model.model.transformer.h.1.attn.c_proj.lora_";
    const std::vector<NamedTensor> tensors{{name + "A.weight", TensorView(a.data(), {2, 128})},
                                           {name + "B.weight", TensorView(b.data(), {128, 2})}};
    REQUIRE(writeSafetensors(folder / "adapter_model.safetensors", tensors));
    return logitsOf(folder.path());
  };
  const std::vector<float> said = weights(true);
  CHECK(weights(false) == said);
  CHECK(said != logitsOf(fs::path(SOURCE_FOLDER) / "assets/models/stories"));
}

TEST_CASE("adapter_config.json makes an adapter of a folder, though a config.json lies beside it") {
  const TemporaryFolder folder;
  fs::copy(formats / "llama", folder / "llama", fs::copy_options::recursive);
  fs::copy(formats / "llama_lora", folder / "lora", fs::copy_options::recursive);
  const std::vector<float> plain = logitsOf(folder / "lora");
  fs::copy(formats / "llama" / "config.json", folder / "lora" / "config.json");
  CHECK(logitsOf(folder / "lora") == plain);
}

TEST_CASE("the hub's cache of a model opens without refs where it has one snapshot") {
  const TemporaryFolder folder;
  const fs::path hub = folder / "models--someone--tiny";
  fs::create_directories(hub / "snapshots");
  fs::copy(formats / "qwen2", hub / "snapshots" / "0123", fs::copy_options::recursive);
  const auto one = readModelDirectory(hub);
  if (!one) FAIL(one.error().message());
  CHECK(one->name == "tiny");
  fs::copy(formats / "qwen2", hub / "snapshots" / "4567", fs::copy_options::recursive);
  const auto two = readModelDirectory(hub);
  REQUIRE_FALSE(two);
  CHECK_THAT(two.error().message(), ContainsSubstring("has several snapshots") &&
                                        ContainsSubstring("0123, ") && ContainsSubstring("4567"));
}

TEST_CASE("added tokens may stand in added_tokens.json") {
  Copied roberta("roberta"), damaged("roberta");
  REQUIRE(writeFile(roberta.path() / "added_tokens.json", R"({"<speaker>": 262})"));
  const std::vector<int> ids = tokenizerIn(roberta.path())->encodeIds("the<speaker>the");
  CHECK(std::ranges::count(ids, 262) == 1);
  REQUIRE(writeFile(damaged.path() / "added_tokens.json", R"({"<speaker>": -1})"));
  CHECK_THAT(damaged.refusal(), ContainsSubstring("added_tokens.json: the id of \"<speaker>\" is -1"));
}

TEST_CASE("tokenizer_config.json and special_tokens_map.json say which tokens are added, special and ends") {
  Copied listed("qwen2"), named("qwen2"), older("qwen2"), made("qwen2");
  const Json entry{{"content", "<|im_end|>"}, {"special", true}, {"lstrip", false}, {"normalized", false}};
  const auto write = [](const Copied& copy, const char* file, const Json& json) {
    REQUIRE(writeFile(copy.path() / file, json.dump()));
  };
  // Those that tokenizer.json lacks are added; the end of a text is the one that is named.
  const Json decoder{{"added_tokens_decoder", {{"258", entry}}}, {"eos_token", {{"content", "<|im_end|>"}}}};
  write(listed, "tokenizer_config.json", decoder);
  write(listed, "added_tokens.json", {{"<old>", 259}});  // not read beside that list
  const auto tokenizer = tokenizerIn(listed.path());
  CHECK(tokenizer->encodeIds("the<|im_end|>").back() == 258);
  CHECK(tokenizer->isSpecial(258));
  CHECK(tokenizer->find("<old>") == -1);
  CHECK(tokenizer->endOfText() == 258);
  // What config.json says goes before it, and generation_config.json before that.
  changeJson(listed.path() / "config.json", [](Json& c) { c["eos_token_id"] = 5; });
  CHECK(textEnds(*tokenizerIn(listed.path())) == TextEnds(5));
  write(listed, "generation_config.json", {{"eos_token_id", {258, 5}}});
  CHECK(textEnds(*tokenizerIn(listed.path())) == TextEnds({258, 5}));
  // A token of the vocabulary becomes a special one.
  write(named, "special_tokens_map.json", {{"additional_special_tokens", {"th"}}});
  CHECK(tokenizerIn(named.path())->isSpecial(256));
  CHECK_FALSE(tokenizerIn(formats / "qwen2")->isSpecial(256));
  write(older, "added_tokens.json", {{"<a>", 258}, {"<b>", 259}});
  write(older, "special_tokens_map.json", {{"pad_token", "<a>"}});
  const auto both = tokenizerIn(older.path());
  CHECK(both->encodeIds("<a>e<b>").size() == 3);
  CHECK(std::ranges::find(both->added(), 258, &AddedToken::id)->special);
  CHECK_FALSE(std::ranges::find(both->added(), 259, &AddedToken::id)->special);
  // Llama's class puts its own signs around texts.
  Json signs{{"add_bos_token", true}, {"bos_token", "<|endoftext|>"}};
  write(made, "tokenizer_config.json", signs);
  CHECK(tokenizerIn(made.path())->startOfText() == -1);
  signs["tokenizer_class"] = "LlamaTokenizerFast";
  write(made, "tokenizer_config.json", signs);
  CHECK(tokenizerIn(made.path())->startOfText() == 257);
  write(made, "tokenizer_config.json", {{"added_tokens_decoder", {{"x", entry}}}});
  CHECK_THAT(made.refusal(),
             ContainsSubstring("tokenizer_config.json, added_tokens_decoder.x: is not an id"));
  write(made, "tokenizer_config.json", {{"added_tokens_decoder", {{"3", {{"content", "a"}, {"y", 1}}}}}});
  CHECK_THAT(made.refusal(), ContainsSubstring("added_tokens_decoder.3.y: is 1, a field that is not known"));
  write(made, "tokenizer_config.json", Json::array());
  CHECK_THAT(made.refusal(), ContainsSubstring("tokenizer_config.json: is not a JSON object"));
}

TEST_CASE("a model that was saved for another task says so") {
  const auto as = [](const char* fixture, const char* architecture) {
    auto copy = std::make_unique<Copied>(fixture);
    changeJson(copy->path() / "config.json", [&](Json& c) { c["architectures"] = {architecture}; });
    return copy;
  };
  const auto stories = as("gpt_neo", "GPTNeoForSequenceClassification"),
             words = as("gpt_neo", "GPTNeoForCausalLM");
  const auto classifier = readModelDirectory(stories->path()), writer = readModelDirectory(words->path());
  REQUIRE((classifier && writer));
  CHECK_FALSE(classifier->hasHead);
  CHECK(writer->hasHead);
  const auto llama = as("llama_biased", "LlamaForSequenceClassification");
  renameTensors(llama->path(), [](const std::string& name) { return name == "lm_head.weight" ? "" : name; });
  CHECK_THAT(llama->refusal(),
             ContainsSubstring("lm_head.weight is missing (it is a "
                               "LlamaForSequenceClassification, whose head is for another task)"));
  // Attention to a source that is not there is refused by the field that asks for it.
  const auto reads = as("gpt2_gguf", "GPT2LMHeadModel");
  changeJson(reads->path() / "config.json", [](Json& c) { c["add_cross_attention"] = true; });
  CHECK_THAT(reads->refusal(), ContainsSubstring("add_cross_attention: is true; read here is false alone"));
}

TEST_CASE("texts end where config.json says in SentencePiece's and GGUF files, too") {
  Copied marian("marian");
  changeJson(marian.path() / "config.json", [](Json& c) { c["eos_token_id"] = {0, 7}; });
  CHECK(textEnds(*tokenizerIn(marian.path())) == TextEnds({0, 7}));
  CHECK(textEnds(*tokenizerIn(formats / "llama_lone")) == TextEnds(2));
  CHECK(textEnds(*tokenizerIn(formats / "gpt2_lone")) == TextEnds(257));
  // And kept as one of ours.
  const auto read = readModelDirectory(marian.path());
  REQUIRE(read);
  const TemporaryFolder folder;
  REQUIRE(writeModelDirectory(folder.path(), read->config, read->parameters, *read->tokenizer, ""));
  CHECK(textEnds(*tokenizerIn(folder.path())) == TextEnds({0, 7}));
}

TEST_CASE("a token may have been added without a row in the model's table") {
  Copied added("qwen2"), other("qwen2");
  const auto token = [](int id) { return Json{{"id", id}, {"content", "[PAD]"}, {"special", true}}; };
  changeJson(added.path() / "tokenizer.json", [&](Json& t) { t["added_tokens"].push_back(token(280)); });
  CHECK(tokenizerIn(added.path())->encodeIds("[PAD]") == std::vector<int>{280});
  changeJson(other.path() / "tokenizer.json", [](Json& t) { t["model"]["vocab"]["zzz"] = 280; });
  CHECK_THAT(other.refusal(), ContainsSubstring("vocab_size is 280, but the tokenizer has 281 tokens"));
}

TEST_CASE("ids may have holes") {
  Copied holes("qwen2");
  changeJson(holes.path() / "tokenizer.json", [](Json& t) {
    t["added_tokens"].push_back({{"id", 270}, {"content", "<extra>"}, {"special", true}});
  });
  const auto tokenizer = tokenizerIn(holes.path());
  CHECK(tokenizer->encodeIds("the<extra>").back() == 270);
  CHECK(tokenizer->tokenBytes(265).empty());
  CHECK(tokenizer->tokenLabel(265) == "#265");
}

TEST_CASE("Gemma's runs of spaces are added tokens and results of merges, and it spells a byte as a tab") {
  Json vocab{{"<unk>", 0}, {"▁", 1}, {"▁▁", 2}, {"a", 3}, {"▁a", 4}, {"\t", 5}};
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", byte);
    if (byte != '\t') vocab[name] = 6 + byte;
  }
  Copied gemma("gemma");
  changeJson(gemma.path() / "tokenizer.json", [&](Json& t) {
    t = {{"added_tokens", {{{"id", 2}, {"content", "▁▁"}, {"special", false}}}},
         {"normalizer", {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "▁"}}},
         {"pre_tokenizer",
          {{"type", "Split"},
           {"pattern", {{"String", " "}}},
           {"behavior", "MergedWithPrevious"},
           {"invert", false}}},
         {"decoder",
          {{"type", "Sequence"},
           {"decoders",
            {{{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}},
             {{"type", "ByteFallback"}},
             {{"type", "Fuse"}}}}}},
         {"model",
          {{"type", "BPE"},
           {"unk_token", "<unk>"},
           {"fuse_unk", true},
           {"byte_fallback", true},
           {"vocab", vocab},
           {"merges", Json::array({Json::array({"▁", "▁"}), Json::array({"▁", "a"})})}}}};
  });
  const auto tokenizer = tokenizerIn(gemma.path());
  CHECK(tokenizer->encodeIds("a  a") == std::vector<int>{3, 2, 3});
  CHECK(tokenizer->encodeIds("a\ta") == std::vector<int>{3, 5, 3});
  CHECK(tokenizer->decode(std::vector<int>{3, 2, 4, 6 + 0xC3, 6 + 0xA9}) == "a   aé");
}
