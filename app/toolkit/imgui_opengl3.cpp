// Dear ImGui's renderer over our own loader: its built-in one opens libGL by name and so misses surfaceless
// contexts.
#include <glad/gl.h>
#define IMGUI_IMPL_OPENGL_LOADER_CUSTOM
#include "imgui_impl_opengl3.cpp"
