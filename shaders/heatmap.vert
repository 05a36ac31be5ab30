#version 330 core
// A heatmap tile as Dear ImGui's renderer hands it over: position in pixels, uv in texels of the atlas.
uniform mat4 projection;
uniform vec2 atlasSize;
in vec2 Position;
in vec2 UV;
in vec4 Color;
out vec2 texel;
out vec4 tint;

void main() {
  texel = UV * atlasSize;
  tint = Color;
  gl_Position = projection * vec4(Position, 0.0, 1.0);
}
