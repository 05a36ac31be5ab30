#include "app/document/attention_planes.h"
#include "app/document/rule_settings.h"
#include "app/document/text_commands.h"
#include "app/document/token_edit.h"
#include "app/panels/actions/action_groups.h"
#include "app/panels/actions/conditions.h"
#include "app/panels/timeline_panel.h"
#include "app/views/views.h"
#include "core/model/point_names.h"

namespace glassformer {
namespace {

// The selected token of the newest text, whether or not the model read as far as it.
int selectedToken(const Ui& ui) {
  const int last = static_cast<int>(ui.snapshot.pass->tokens.size()) - 1,
            chosen = ui.workspace().selection.query;
  if (chosen < 0 && ui.snapshot.pass->hasTrace() && ui.snapshot.pass->countOf(Stream::Text) == last + 1)
    return ui.snapshot.positionOr(chosen, Stream::Text);
  return chosen < 0 || chosen > last ? last : chosen;
}

void editToken(Ui& ui) {
  if (ui.tokenMenu) return;  // of the one with the keyboard's mark
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const TokenPlace middle{selectedToken(ui), {display.x / ui.scale / 2, display.y / ui.scale / 2, 0, 0}};
  ui.tokenMenu = ui.selectedToken.value_or(middle);
}

void deleteToken(Ui& ui) { ui.emit(commands::deleteToken(ui.snapshot.pass->tokenized(), selectedToken(ui))); }

void maskToken(Ui& ui) {
  const int mask = ui.snapshot.model->maskToken, token = selectedToken(ui);
  const bool spaced =
      ui.snapshot.pass->text[ui.snapshot.pass->tokens[static_cast<std::size_t>(token)].begin] == ' ';
  ui.emit(commands::replaceToken(ui.snapshot.pass->tokenized(), token,
                                 (spaced ? " " : "") + ui.snapshot.model->tokenizer->tokenBytes(mask)));
}

template <int by>
void shiftToken(Ui& ui) {
  const int token = selectedToken(ui);
  ui.emit(commands::moveToken(ui.snapshot.pass->tokenized(), token, by > 0 ? token + 2 : token - 1));
}

void appendNext(Ui& ui) {
  ui.emit(commands::appendText(ui.snapshot.pass->text, nextBytes(ui), stepChoosesBy(ui)));
}

void appendAll(Ui& ui) {
  ui.emit(commands::appendText(ui.snapshot.pass->text, continuationBytes(ui),
                               chosenBy(ui.workspace().decoding.strategy)));
}

void paintPattern(Ui& ui) {
  const Workspace& workspace = ui.workspace();
  const bool open =
      workspace.view == "attention" && viewOf("attention").picture(workspace.settings).id == "matrix";
  ui.emit(commands::paintRule(!(open && workspace.settings.attention.pairing)));
}

bool hasTokens(const Ui& ui) { return !ui.snapshot.pass->tokens.empty(); }
constexpr Condition hasMask{[](const Ui& ui) { return hasTokens(ui) && ui.snapshot.model->maskToken >= 0; },
                            "with a masked language model"};
bool canUndo(const Ui& ui) { return ui.history.canUndo(); }
bool canRedo(const Ui& ui) { return ui.history.canRedo(); }
bool canConstrain(const Ui& ui) { return hasModel(ui) && ui.snapshot.model->continues(); }
bool canSayWhereHeadLooks(const Ui& ui) {
  if (!hasTrace(ui) || !attends(ui)) return false;
  const HeadId head = selectedHead(ui.workspace(), *ui.snapshot.model->config);
  return ui.snapshot.pass->trace->contains(attentionPoint(head.layer, head.site, "hook_pattern"));
}
bool canAppendNext(const Ui& ui) { return hasTrace(ui) && !nextBytes(ui).empty(); }
bool canAppendAll(const Ui& ui) { return hasTrace(ui) && !continuationBytes(ui).empty(); }

constexpr Action editTable[] = {
    {"edit-text", "Edit", "Edit text", control | ImGuiKey_L, ImGuiKey_Enter, '/', false,
     ask<Request::EditText>},
    {"undo", "Edit", "Undo", control | ImGuiKey_Z, 0, 0, true, ask<Request::Undo>, canUndo},
    {"redo", "Edit", "Redo", control | shift | ImGuiKey_Z, control | ImGuiKey_Y, 0, true, ask<Request::Redo>,
     canRedo},
    {"history", "Edit", "History", control | ImGuiKey_H, 0, 0, true, ask<Request::History>},
    {"add-token", "Edit", "Add next token", ImGuiKey_Space, 0, 0, false, appendNext, canAppendNext},
    {"constrain", "Edit", "Set constraints…", shift | ImGuiKey_C, 0, 0, false, ask<Request::Constrain>,
     canConstrain},
    {"attention-rule", "Edit", "Set attention rule…", shift | ImGuiKey_H, 0, 0, false, ask<Request::Rule>,
     canSayWhereHeadLooks},
    {"draw-rule", "Edit", "Draw attention rule", shift | ImGuiKey_P, 0, 0, false, paintPattern,
     canSayWhereHeadLooks},
    {"generate", "Edit", "Generate", shift | ImGuiKey_Space, 0, 0, false, appendAll, canAppendAll},

    {"replace-token", "Token", "Replace token", ImGuiKey_R, ImGuiKey_Menu, 0, false, editToken, hasTokens},
    {"delete-token", "Token", "Delete token", ImGuiKey_Delete, 0, 0, false, deleteToken, hasTokens},
    {"mask-token", "Token", "Mask token", alt | ImGuiKey_M, 0, 0, false, maskToken, hasMask},
    {"move-left", "Token", "Move token left", alt | ImGuiKey_LeftArrow, 0, 0, false, shiftToken<-1>,
     hasTokens},
    {"move-right", "Token", "Move token right", alt | ImGuiKey_RightArrow, 0, 0, false, shiftToken<1>,
     hasTokens},
};

}  // namespace

std::span<const Action> editActions() { return editTable; }

}  // namespace glassformer
