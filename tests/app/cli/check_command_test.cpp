#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "core/io/model_directory.h"
#include "core/io/safetensors.h"
#include "core/model/folded_weights.h"
#include "core/model/live_pass.h"
#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

TEST_CASE("check holds a model against another implementation, and says what explains a difference") {
  const Folder folder;
  const std::string formats = SOURCE_FOLDER "/tests/reference/formats/";
  const auto check = [&](const std::string& model, const std::string& options = "") {
    return folder.run("check " + formats + model + " --reference " + formats + model + ".trace" + options);
  };
  const Run same = check("llama");
  CHECK(same.status == 0);
  CHECK_THAT(same.out, ContainsSubstring("all 17 agree to "));
  CHECK_THAT(same.out, ContainsSubstring("blocks.1.attn.hook_pattern "));

  struct Mistake {
    const char *model, *set, *first, *explained;
  };
  for (const auto& [model, set, first, explained] : {
           Mistake{"llama", "position_embedding_type=rotary", "blocks.0.attn.hook_pattern",
                   "Position encoding: RoPE (half-split)"},
           Mistake{"llama", "scale_attn_weights=no", "blocks.0.attn.hook_pattern", "Scale by 1/√K: Yes"},
           Mistake{"llama", "residual=no", "blocks.0.hook_resid_mid", "Residual connection: Yes"},
           Mistake{"llama", "layer_norm_epsilon=0.01", "blocks.0.attn.hook_q", "norm's ε of 1e-05"},
           Mistake{"mistral", "mask=causal", "blocks.0.attn.hook_pattern", "Attention mask: Sliding window"},
           Mistake{"pythia", "parallel_residual=no", "blocks.0.hook_resid_post", "Parallel residual: Yes"},
           Mistake{"pythia", "rotary_dim=4", "blocks.0.attn.hook_pattern", "2 columns of each head turned"},
           Mistake{"bert", "activation_function=relu", "blocks.0.mlp.hook_post",
                   "MLP activation: GELU (exact)"},
           Mistake{"roberta", "layer_norm_epsilon=0.01", "embed.ln.hook_scale", "norm's ε of 1e-05"},
           Mistake{"qwen2", "tie_word_embeddings=yes", "", ""},
       }) {
    const Run run = check(model, std::string(" --set ") + set);
    INFO(set << "\n" << run.out << run.error);
    const bool differs = *first != '\0';
    CHECK(run.status == (differs ? 1 : 0));
    if (!differs) continue;
    CHECK_THAT(run.error, ContainsSubstring(std::string("from ") + first + " on"));
    CHECK_THAT(run.out, ContainsSubstring(std::string("explained by: ") + explained));
    CHECK(run.out.find("explained by: ") == run.out.find(std::string("explained by: ") + explained));
  }

  const std::string alike = (folder / "alike.safetensors").string();
  REQUIRE(folder
              .run("trace --model " + formats + "bert --tokens 2,40,257,41,257 --set sep_token_id=-1 --out " +
                   alike)
              .status == 0);
  CHECK_THAT(folder.run("check " + formats + "bert --reference " + alike).out,
             ContainsSubstring("explained by: all tokens of the first type"));

  const std::string own = (folder / "own.safetensors").string();
  REQUIRE(folder.run("trace --model sort --text \"dacb>\" --out " + own).status == 0);
  CHECK_THAT(folder.run("check sort --reference " + own).out, ContainsSubstring("agree to 0.0e+00"));
  CHECK_THAT(folder.run("check induction --reference " + own).error, ContainsSubstring("differs from"));
  CHECK_THAT(folder.run("check sort --reference " + own + " --token-ids 1,x").error,
             ContainsSubstring("no id at index 1"));
  CHECK_THAT(folder.run("check translate --reference " + own).error,
             ContainsSubstring("has no token ids of the source (give --source-ids"));
  CHECK_THAT(folder.run("check sort --reference " + formats + "llama/model-00001-of-00002.safetensors").error,
             ContainsSubstring("has no token ids"));
  CHECK_THAT(
      folder.run("check sort --token-ids 1 --reference " + formats + "llama/model-00001-of-00002.safetensors")
          .error,
      ContainsSubstring("has no tensor of a trace point's name and shape"));
}

TEST_CASE("check names weights that the other program folded when it loaded them") {
  const Folder folder;
  const std::string model = SOURCE_FOLDER "/tests/reference/formats/gpt2_gguf";
  auto read = readModelDirectory(model);
  REQUIRE(read);
  const Transformer own(read->config, std::move(read->parameters));
  for (const auto& [how, words] : {std::pair{Folding::Norms, "norms folded into the weights"},
                                   std::pair{Folding::All, "norms and value biases folded"}}) {
    const std::vector<int> tokens{84, 104, 101};
    const auto trace = LivePass(std::make_shared<const Transformer>(*folded(own, how))).run(tokens);
    std::vector<NamedTensor> points;
    for (const char* name :
         {"blocks.0.ln1.hook_normalized", "blocks.0.attn.hook_v", "blocks.1.hook_resid_pre"})
      points.push_back({name, (*trace)[name]});
    const std::string file = (folder / "folded.safetensors").string();
    REQUIRE(writeSafetensors(file, points, {{"tokens", "84,104,101"}}));
    CHECK_THAT(folder.run("check " + model + " --reference " + file).out,
               ContainsSubstring(std::string("explained by: ") + words));
  }
}

TEST_CASE("check takes sources, of the file or as they are given") {
  const Folder folder;
  const std::string formats = SOURCE_FOLDER "/tests/reference/formats/";
  const auto check = [&](const std::string& model, const std::string& options = "") {
    return folder.run("check " + formats + model + " --reference " + formats + model + ".trace" + options);
  };
  for (const char* model : {"t5", "t5_uneven", "t5_odd_buckets", "bart", "marian"}) {
    const Run run = check(model);
    INFO(model << run.out << run.error);
    CHECK(run.status == 0);
    CHECK_THAT(run.out, ContainsSubstring("agree to "));
  }
  CHECK_THAT(check("t5", " --set scale_attn_weights=yes").out,
             ContainsSubstring("explained by: Scale by 1/√K: No"));
  CHECK_THAT(check("bart", " --set scale_embedding=no").out,
             ContainsSubstring("explained by: Embedding × √D: Yes"));
  const Run another = check("t5", " --source-ids 5,6,7");
  CHECK_THAT(another.error, ContainsSubstring("differs from"));
  CHECK_THAT(check("t5", " --source-ids 5,280").error, ContainsSubstring("--source-ids"));
}

TEST_CASE("an encoder's directory is traced, checked, explained and drawn; it does not write on") {
  const Folder folder;
  const std::string formats = SOURCE_FOLDER "/tests/reference/formats/",
                    model = " --model " + formats + "bert ";
  for (const char* name :
       {"bert", "bert_old", "bert_headless", "distilbert", "distilbert_untied", "roberta"}) {
    const Run run = folder.run("check " + formats + name + " --reference " + formats + name + ".trace");
    INFO(name << run.out << run.error);
    CHECK(run.status == 0);
    const bool hasHead = std::string(name) != "bert_headless";
    CHECK((run.error.find("has no head to predict words with") == std::string::npos) == hasHead);
  }
  const auto tokens =
      nlohmann::json::parse(folder.run("tokenize" + model + "--text 'Unbelievable [MASK].' --json").out);
  CHECK(tokens.size() == 5);
  CHECK(tokens[3]["label"] == "[MASK]");
  CHECK_THAT(folder.run("generate" + model + "--text 'The [MASK] sat.'").error,
             ContainsSubstring("this model predicts masked tokens; it cannot continue a text"));
  const fs::path trace = folder / "t.safetensors";
  REQUIRE(folder.run("trace" + model + "--text 'The cat' --out " + trace.string()).status == 0);
  const auto stored = StoredTensors::open(trace);
  REQUIRE(stored);
  CHECK(stored->find("logits")->shape[0] == 4);  // [CLS] the cat [SEP]
  CHECK(stored->find("mlm_head.ln.hook_normalized"));
  const Run why = folder.run("why" + model + "--text 'The cat' 'logits[1, 40]' --depth 2");
  INFO(why.out << why.error);
  CHECK(why.status == 0);
  CHECK_THAT(why.out, ContainsSubstring("b_U"));
  const fs::path csv = folder / "next.csv";
  REQUIRE(folder.run("render" + model + "--text 'The [MASK] sat.' --view next_token --out " + csv.string())
              .status == 0);
  CHECK(fs::file_size(csv) > 100);
}

TEST_CASE("check reads what NumPy packed, compressed or not") {
  const Folder folder;
  const std::string formats = SOURCE_FOLDER "/tests/reference/formats/";
  const Run same = folder.run("check " + formats + "llama --reference " + formats + "llama.npz");
  CHECK(same.status == 0);
  CHECK_THAT(same.out, ContainsSubstring("all 17 agree to "));
  const Run turned = folder.run("check " + formats + "llama --reference " + formats + "llama_turned.npz");
  CHECK(turned.status == 0);  // an array that lies column by column
  CHECK_THAT(turned.out, ContainsSubstring("agree to "));
  const std::string whole = content(formats + "llama.npz");
  for (const std::size_t cut : {std::size_t{0}, std::size_t{40}, whole.size() / 2, whole.size() - 3}) {
    std::ofstream(folder / "cut.npz", std::ios::binary) << whole.substr(0, cut);
    const Run run = folder.run("check " + formats + "llama --reference " + (folder / "cut.npz").string());
    CHECK(run.status == 1);
    CHECK(isOneLine(run.error));
  }
}
