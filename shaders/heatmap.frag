#version 330 core
// Colours the exact float values of a matrix. Where several cells fall on one pixel the one furthest from the neutral
// value is shown, so that a thin bright line never disappears in a thumbnail. Minus infinity (what the causal mask
// leaves) and NaN have colours of their own.
uniform sampler2D atlas;
uniform sampler2D colors;  // one row of 256 per colour map
uniform vec2 range;        // low, 1 / (high - low), of the logarithms where the scale is logarithmic
uniform int logarithmic;
uniform float neutral;     // value that means "nothing"
uniform float row;         // texture coordinate of the colour map's row
uniform vec4 maskedColor;
uniform vec4 brokenColor;
in vec2 texel;
in vec4 tint;
out vec4 color;

void main() {
  vec2 cell = vec2(abs(dFdx(texel.x)) + abs(dFdy(texel.x)), abs(dFdx(texel.y)) + abs(dFdy(texel.y)));
  ivec2 count = clamp(ivec2(ceil(cell - 0.01)), ivec2(1), ivec2(8));
  vec2 corner = count.x * count.y == 1 ? texel : texel - 0.5 * cell;
  float best = 0.0;
  bool found = false, broken = false;
  for (int y = 0; y < count.y; ++y)
    for (int x = 0; x < count.x; ++x) {
      vec2 at = count.x * count.y == 1 ? texel : corner + cell * (vec2(x, y) + 0.5) / vec2(count);
      float value = texelFetch(atlas, ivec2(at), 0).r;
      if (value != value || value > 3.0e38) broken = true;
      else if (value > -3.0e38 && (!found || abs(value - neutral) > abs(best - neutral))) {
        best = value;
        found = true;
      }
    }
  if (logarithmic == 1) best = log(max(best, 1e-30));
  float t = clamp((best - range.x) * range.y, 0.0, 1.0);
  vec4 mapped = texture(colors, vec2(t * (255.0 / 256.0) + 0.5 / 256.0, row));
  color = (broken ? brokenColor : found ? mapped : maskedColor) * tint;
}
