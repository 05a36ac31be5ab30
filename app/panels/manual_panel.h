#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "app/lesson/manual_pages.h"
#include "app/panels/overlay.h"
#include "app/screen/gl.h"

namespace glassformer {

/// The manual: its pages at the left, the open one at the right. A click on a picture opens what it shows.
class ManualPanel : public Overlay {
 public:
  ManualPanel() : Overlay("Manual") {}

  /// `target`: a link, or the words of a heading; the first page where there is none of these.
  void begin(const Manual& manual, const std::string& target);
  /// Drops what it has on the graphics card.
  void release() { pictures_.clear(); }

 protected:
  Box place(const Ui& ui, Point window) const override;
  Point leastWindow() const override { return {760, 480}; }
  void content(Ui& ui, const Box& area) override;

 private:
  void goTo(const std::string& target);
  void list(Ui& ui, Box area);
  void page(Ui& ui, const Box& area);
  void scroll(const Box& area, float height, bool isUnderPointer);
  void picture(Ui& ui, const std::filesystem::path& file, const Box& box, const Box& seen);

  const Manual* manual_ = nullptr;
  int page_ = 0;
  std::string anchor_;  // scrolled to in the next frame
  float scroll_ = 0;
  std::map<std::filesystem::path, Texture> pictures_;  // of the open page
};

}  // namespace glassformer
