#include "app/document/token_edit.h"

#include <algorithm>

#include "app/document/trace_file.h"
#include "app/document/workspace.h"

namespace glassformer {

namespace {

bool exists(const TokenizedText& text, int token) {
  return token >= 0 && token < text.count() && !text.tokens[static_cast<std::size_t>(token)].isEmpty();
}
bool isGap(const TokenizedText& text, int gap) { return gap >= 0 && gap <= text.count(); }

const ByteRange& rangeOf(const TokenizedText& text, int token) {
  return text.tokens[static_cast<std::size_t>(token)];
}

std::size_t byteOfGap(const TokenizedText& text, int gap) {
  return gap == text.count() ? text.text.size() : rangeOf(text, gap).begin;
}

Command edit(const TokenizedText& before, std::string after, int selected, const char* undoName) {
  return {[base = before.text, after = std::move(after), selected](Workspace& w) {
            const bool isOpen = w.text == base || isTraceFile(w.model);  // whose text is refused any change
            if (!isOpen || after == base) return;
            w.text = after;
            w.selection.query = std::max(selected, 0);
          },
          undoName, ""};
}

}  // namespace

std::string withTokenReplaced(const TokenizedText& text, int token, std::string_view bytes) {
  std::string result = text.text;
  if (!exists(text, token)) return result;
  const auto [begin, end] = rangeOf(text, token);
  return result.replace(begin, end - begin, bytes);
}

std::string withBytesInserted(const TokenizedText& text, int gap, std::string_view bytes) {
  std::string result = text.text;
  return isGap(text, gap) ? result.insert(byteOfGap(text, gap), bytes) : result;
}

std::string withTokenMoved(const TokenizedText& text, int token, int gap) {
  if (!exists(text, token) || !isGap(text, gap) || gap == token || gap == token + 1) return text.text;
  const auto [begin, end] = rangeOf(text, token);
  const std::string bytes = text.text.substr(begin, end - begin);
  const std::size_t to = byteOfGap(text, gap);
  std::string result = text.text;
  result.erase(begin, end - begin);
  return result.insert(to > begin ? to - bytes.size() : to, bytes);
}

namespace commands {

Command replaceToken(const TokenizedText& text, int token, std::string_view bytes) {
  return edit(text, withTokenReplaced(text, token, bytes), token, "replacing a token");
}

Command insertToken(const TokenizedText& text, int gap, std::string_view bytes) {
  return edit(text, withBytesInserted(text, gap, bytes), gap, "inserting a token");
}

Command deleteToken(const TokenizedText& text, int token) {
  return edit(text, withTokenReplaced(text, token, ""), std::min(token, text.count() - 2),
              "deleting a token");
}

Command moveToken(const TokenizedText& text, int token, int gap) {
  return edit(text, withTokenMoved(text, token, gap), gap > token ? gap - 1 : gap, "moving a token");
}

}  // namespace commands
}  // namespace glassformer
