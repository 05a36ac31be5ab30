#include "app/document/trace_file.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/decoding_commands.h"
#include "app/document/history.h"
#include "app/document/model_commands.h"
#include "app/document/switches.h"
#include "app/document/text_commands.h"
#include "app/document/token_edit.h"

using namespace glassformer;

TEST_CASE("a trace opens as a model with a desk of its own; a further one in a tab; undo brings all back") {
  History history(initialWorkspace());
  const std::string text = history.current().text;
  history.apply(commands::openTrace("/runs/a.npz"), 0);
  CHECK(history.current().model == "/runs/a.npz");
  CHECK(history.current().text.empty());
  CHECK(traceInTab(history.current().model, "") == "/runs/a.npz");
  history.apply(commands::openTrace("/runs/b.safetensors"), 1);
  CHECK(history.current().tabCount() == 2);
  CHECK(traceInTab(history.current().model, history.current().text) == "/runs/b.safetensors");
  history.apply(commands::openTrace("/runs/a.npz"), 2);  // it is open already
  CHECK(history.current().tabCount() == 2);
  CHECK(history.current().text.empty());
  history.apply(commands::setModel("stories"), 3);
  CHECK(history.current().text == text);
  history.apply(commands::openTrace("/runs/c.npz"), 4);
  CHECK(history.current().tabCount() == 1);  // what was open with another one is no text of this one
  history.undo();
  history.undo();
  CHECK(history.current().tabCount() == 2);
  for (int i = 0; i < 3; ++i) history.undo();
  CHECK(history.current().text == text);
  CHECK(history.takeRefusal().empty());
}

TEST_CASE("what a trace cannot take is refused with a sentence, and nothing changes") {
  History history(initialWorkspace());
  history.apply(commands::openTrace("/runs/a.npz"), 0);
  const Workspace before = history.current();
  const TokenizedText tokens{"The cat", {{0, 3}, {3, 7}}};
  Decoding decoding;
  decoding.depth += 1;
  for (const Command& command :
       {commands::setText("other"), commands::setSource("other"), commands::newTab(),
        commands::deleteToken(tokens, 1), commands::setDecoding(decoding, "beam"),
        commands::togglePart({ModelPart::Kind::Head, 0, 0}), commands::setModelChanges({{"norm", "rms"}})}) {
    history.apply(command, 1);
    CHECK(history.current() == before);
    CHECK_FALSE(history.takeRefusal().empty());
  }
  history.apply(commands::setModel("stories"), 2);
  history.apply(commands::setText("other"), 3);
  CHECK(history.current().text == "other");
  CHECK(history.takeRefusal().empty());
}

TEST_CASE("a trace that can no longer be read leaves the texts of models as they were") {
  Workspace session = initialWorkspace();
  session.text = "mine";
  commands::openTrace("/runs/a.npz").apply(session);
  History history(session);
  CHECK(history.refuseModel("stories"));
  CHECK(history.current().model == "stories");
  CHECK(history.current().text == "mine");
}
