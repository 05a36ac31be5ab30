#include "core/io/config_file.h"
#include "core/io/formats/model_formats.h"

namespace glassformer {

const ModelFormat& gpt2Format() {
  static const ModelFormat format{
      .name = "GPT-2",
      .types = {"gpt2", "glassformer"},
      .config = ownConfig,
      .prefixes = {"", "transformer."},
      .layers = "h.",
      .transposed = false,
      .skipped = {".attn.bias", ".attn.masked_bias"},
  };
  return format;
}

}  // namespace glassformer
