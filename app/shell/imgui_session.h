#pragma once
#include "app/shell/surface.h"

struct ImGuiContext;

namespace glassformer {

/// Dear ImGui on one surface, for as long as it lives: what is drawn next is this surface's.
class ImGuiSession {
 public:
  explicit ImGuiSession(Surface& surface);
  ~ImGuiSession();
  ImGuiSession(const ImGuiSession&) = delete;
  ImGuiSession& operator=(const ImGuiSession&) = delete;

  /// Lets go of all that it has on the graphics card, and of the surface's window; make() begins anew there.
  void release() const;
  void make() const;

  /// OpenGL and Dear ImGui draw on this surface from now on.
  void use() const;
  /// Begins a frame on it.
  void newFrame() const;
  /// Of all keys and buttons: who held them is gone.
  void letGo() const;
  ImGuiContext* context() const { return context_; }
  /// Whether events wait for the next frame, and whether the last one had any.
  bool hasEvents() const;
  bool hadEvents() const;

 private:
  Surface& surface_;
  ImGuiContext* context_;
};

}  // namespace glassformer
