#pragma once
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "app/panels/overlay.h"

namespace glassformer {

/// Chooses a file or folder to open, or where to save something: a path with the folder's content below it,
/// and what was open lately. Tab completes, Enter takes it. What is saved replaces a file only
/// after that was asked, and lies in a folder that is there.
class FilePanel : public Overlay {
 public:
  /// Append: to a file that may be there, or into a new one.
  enum class Purpose { Open, Save, Append };
  /// `about` says what is opened or saved.
  FilePanel(Purpose purpose, const char* title, const char* about)
      : Overlay(title), purpose_(purpose), about_(about) {}

  /// Says in the panel why what was chosen did not work; it stays open.
  void fail(std::string why) { failure_ = std::move(why), toEnd_ = true; }
  /// What was chosen since the last call; empty: nothing.
  std::filesystem::path take() { return std::exchange(taken_, {}); }
  void begin(const std::filesystem::path& path, std::vector<std::filesystem::path> recent);

 protected:
  Box place(const Ui& ui, Point window) const override;
  void content(Ui& ui, const Box& area) override;

 private:
  struct Entry {
    std::filesystem::path path;
    std::string name;  // as shown
    bool folder = false, recent = false;
  };
  void showField(Ui& ui, const Box& box);
  void showFoot(Ui& ui, Box foot);
  void askToReplace(Ui& ui, Box foot);
  void save(const std::filesystem::path& path);
  void showFailure(Ui& ui, Box& rest) const;
  void showEntry(Ui& ui, const Entry& entry, const Box& row, int index);
  void handleKeys(Ui& ui, int rows);
  void list();
  void choose(const std::filesystem::path& path, bool folder);
  void setTyped(const std::string& text);

  Purpose purpose_;
  const char* about_;
  std::array<char, 1024> typed_{};
  bool retyped_ = false;  // by us: the field has to take it over
  std::string listed_;    // what the entries are of
  std::vector<std::filesystem::path> recent_;
  std::vector<Entry> entries_;
  int chosen_ = -1, first_ = 0;
  std::string failure_;
  std::filesystem::path replaced_;  // once that is confirmed
  bool writing_ = false;            // the field has the keyboard
  bool toEnd_ = false;              // its caret is to go to the end
  std::filesystem::path taken_;
};

}  // namespace glassformer
