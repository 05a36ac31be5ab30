#pragma once
#include <string_view>

#include "app/scene/text_metrics.h"

namespace glassformer {

/// Letters of half their size, wide enough for what is checked without fonts.
class UnitMetrics final : public TextMetrics {
 public:
  float width(std::string_view text, FontFace, float size) const override {
    return static_cast<float>(text.size()) * size / 2;
  }
};

}  // namespace glassformer
