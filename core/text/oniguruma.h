#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace glassformer {

/// A regular expression of a tokenizer.json. They are Oniguruma's, in its own syntax over UTF-8: tokenizers
/// were trained with cuts that it made. Immutable, and safe to use from several threads.
class Oniguruma {
 public:
  /// Refuses what is no expression, with the reason.
  static Result<Oniguruma> compile(std::string_view pattern);

  struct Match {
    std::size_t begin = 0, end = 0;  ///< bytes
  };
  /// The first match at or behind a byte. None either where the search takes too long. `text` is valid UTF-8.
  std::optional<Match> find(std::string_view text, std::size_t from) const;

 private:
  std::shared_ptr<void> compiled_;
};

}  // namespace glassformer
