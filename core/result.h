#pragma once
#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace glassformer {

/// What went wrong at a boundary (a file, a text, something the user typed). Reads as one line:
/// "where: what (hint)".
struct Error {
  std::string what;   ///< what is wrong, with the offending value
  std::string where;  ///< file, byte or line, field; may be empty
  std::string hint;   ///< what to do about it; may be empty

  std::string message() const {
    return (where.empty() ? "" : where + ": ") + what + (hint.empty() ? "" : " (" + hint + ")");
  }
};

/// Either a value or the Error that says why there is none. Broken invariants inside the program are asserts,
/// not Results.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}

  explicit operator bool() const { return std::holds_alternative<T>(content_); }
  const T& operator*() const& { return checked(); }
  T& operator*() & { return checked(); }
  T&& operator*() && { return std::move(checked()); }
  const T* operator->() const { return &checked(); }
  T* operator->() { return &checked(); }
  const Error& error() const {
    assert(!*this);
    return std::get<Error>(content_);
  }

 private:
  const T& checked() const {
    assert(*this);
    return std::get<T>(content_);
  }
  T& checked() {
    assert(*this);
    return std::get<T>(content_);
  }
  std::variant<T, Error> content_;
};

/// Success of something that has no value to return.
using Status = Result<std::monostate>;
inline Status success() { return std::monostate{}; }

}  // namespace glassformer
