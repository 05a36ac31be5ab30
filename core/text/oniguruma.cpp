#include "core/text/oniguruma.h"

#include <oniguruma.h>

#include <mutex>

#include "core/text/utf8.h"

namespace glassformer {
namespace {

struct FreesRegion {
  void operator()(OnigRegion* region) const { onig_region_free(region, 1); }
};

const OnigUChar* unitsOf(std::string_view text) { return reinterpret_cast<const OnigUChar*>(text.data()); }

void prepareOniguruma() {
  static std::once_flag once;
  std::call_once(once, [] {
    OnigEncoding encodings[]{ONIG_ENCODING_UTF8};
    onig_initialize(encodings, 1);
  });
}

}  // namespace

Result<Oniguruma> Oniguruma::compile(std::string_view pattern) {
  if (!isValidUtf8(pattern)) return Error{inQuotes(pattern) + " is not a text", "", ""};
  prepareOniguruma();
  regex_t* made = nullptr;
  OnigErrorInfo about{};
  const OnigUChar* units = unitsOf(pattern);
  const int code = onig_new(&made, units, units + pattern.size(), ONIG_OPTION_NONE, ONIG_ENCODING_UTF8,
                            ONIG_SYNTAX_DEFAULT, &about);
  if (code != ONIG_NORMAL) {
    OnigUChar words[ONIG_MAX_ERROR_MESSAGE_LEN] = {};
    onig_error_code_to_str(words, code, &about);
    return Error{inQuotes(pattern) + " is not a regular expression: " + reinterpret_cast<const char*>(words),
                 "", ""};
  }
  Oniguruma expression;
  expression.compiled_ = {made, [](void* own) { onig_free(static_cast<regex_t*>(own)); }};
  return expression;
}

std::optional<Oniguruma::Match> Oniguruma::find(std::string_view text, std::size_t from) const {
  thread_local const std::unique_ptr<OnigRegion, FreesRegion> region(onig_region_new());
  const OnigUChar *begin = unitsOf(text), *end = begin + text.size();
  const int found = onig_search(static_cast<regex_t*>(compiled_.get()), begin, end, begin + from, end,
                                region.get(), ONIG_OPTION_NONE);
  if (found < 0) return std::nullopt;
  return Match{static_cast<std::size_t>(region->beg[0]), static_cast<std::size_t>(region->end[0])};
}

}  // namespace glassformer
