#pragma once
#include <span>

#include "app/panels/action.h"

namespace glassformer {

/// What can be done, by what it is done to: each a part of actions(), in this order.

std::span<const Action> editActions();      ///< the text and its tokens
std::span<const Action> documentActions();  ///< files, and texts beside each other
std::span<const Action> goActions();        ///< through a lesson and through the model
std::span<const Action> modelActions();     ///< the model and its training
std::span<const Action> changeActions();    ///< numbers, and parts that are switched off
std::span<const Action> decodeActions();
std::span<const Action> windowActions();  ///< work under way, presentations, looks, help

inline constexpr auto control = ImGuiMod_Ctrl, shift = ImGuiMod_Shift, alt = ImGuiMod_Alt;

template <Request request>
void ask(Ui& ui) {
  ui.ask(request);
}

}  // namespace glassformer
