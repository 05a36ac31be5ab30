#include "app/shell/imgui_session.h"

#include <algorithm>
#include <vector>

#include "imgui_impl_opengl3.h"
#include "imgui_internal.h"

namespace glassformer {

namespace {

bool isModifier(ImGuiKey key) { return (key & ImGuiMod_Mask_) != 0 || ImGui::IsLRModKey(key); }

// Ctrl and P that are pressed and let go within one frame are Ctrl P, whichever comes up first: what happens
// to modifiers behind the press of a key is taken out of the queue, with all that follows, for the next
// frame.
std::vector<ImGuiInputEvent> takenBehindChord(ImVector<ImGuiInputEvent>& queue) {
  bool isPressed = false;
  const auto changesChord = [&](const ImGuiInputEvent& event) {
    if (event.Type != ImGuiInputEventType_Key) return false;
    if (isModifier(event.Key.Key)) return isPressed;
    isPressed = isPressed || event.Key.Down;
    return false;
  };
  ImGuiInputEvent* const first = std::find_if(queue.begin(), queue.end(), changesChord);
  std::vector<ImGuiInputEvent> taken(first, queue.end());
  queue.resize(static_cast<int>(first - queue.begin()));
  return taken;
}

}  // namespace

ImGuiSession::ImGuiSession(Surface& surface) : surface_(surface) {
  IMGUI_CHECKVERSION();
  context_ = ImGui::CreateContext();
  use();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;
  io.ConfigInputTrickleEventQueue = true;
  make();
}

ImGuiSession::~ImGuiSession() {
  use();
  release();
  ImGui::DestroyContext(context_);
}

void ImGuiSession::make() const {
  surface_.attach();
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

void ImGuiSession::release() const {
  ImGui_ImplOpenGL3_Shutdown();
  surface_.detach();
}

void ImGuiSession::use() const {
  surface_.makeCurrent();
  ImGui::SetCurrentContext(context_);
}

void ImGuiSession::newFrame() const {
  surface_.newFrame();
  ImGui_ImplOpenGL3_NewFrame();
  const std::vector<ImGuiInputEvent> later = takenBehindChord(context_->InputEventsQueue);
  ImGui::NewFrame();
  for (const ImGuiInputEvent& event : later) context_->InputEventsQueue.push_back(event);
}

void ImGuiSession::letGo() const {
  context_->IO.ClearInputKeys();
  context_->IO.ClearInputMouse();
}

bool ImGuiSession::hasEvents() const { return !context_->InputEventsQueue.empty(); }
bool ImGuiSession::hadEvents() const { return !context_->InputEventsTrail.empty(); }

}  // namespace glassformer
