#include "app/shell/imgui_session.h"

#include "imgui_impl_opengl3.h"
#include "imgui_internal.h"

namespace glassformer {

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
  ImGui::NewFrame();
}

void ImGuiSession::letGo() const {
  context_->IO.ClearInputKeys();
  context_->IO.ClearInputMouse();
}

bool ImGuiSession::hasEvents() const { return !context_->InputEventsQueue.empty(); }
bool ImGuiSession::hadEvents() const { return !context_->InputEventsTrail.empty(); }

}  // namespace glassformer
