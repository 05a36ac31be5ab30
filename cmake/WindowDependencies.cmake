# What only the window needs: Dear ImGui, GLFW, cairo, HarfBuzz, FriBidi, fontconfig, md4c, yaml-cpp, libzip, giflib. The core-only preset never reads this file.
FetchContent_Declare(imgui
  URL https://github.com/ocornut/imgui/archive/refs/tags/v1.92.2b.tar.gz
  URL_HASH SHA256=da3d453cce74e0fb3d67f8d798a2a8d04fcaf0b33ce0e0131d0695dfc4f64191
  DOWNLOAD_EXTRACT_TIMESTAMP TRUE
  SOURCE_SUBDIR none)
FetchContent_Declare(glfw
  URL https://github.com/glfw/glfw/archive/refs/tags/3.4.tar.gz
  URL_HASH SHA256=c038d34200234d071fae9345bc455e4a8f2f544ab60150765d7704e08f3dac01
  DOWNLOAD_EXTRACT_TIMESTAMP TRUE)
FetchContent_Declare(cli11
  URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  URL_HASH SHA256=f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a
  DOWNLOAD_EXTRACT_TIMESTAMP TRUE
  FIND_PACKAGE_ARGS NAMES CLI11)
set(GLFW_BUILD_DOCS OFF CACHE BOOL "")
set(GLFW_BUILD_EXAMPLES OFF CACHE BOOL "")
set(GLFW_BUILD_TESTS OFF CACHE BOOL "")
set(GLFW_INSTALL OFF CACHE BOOL "")
FetchContent_MakeAvailable(imgui glfw cli11)
third_party_quiet(glfw)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo cairo-ft cairo-pdf)
pkg_check_modules(lessons REQUIRED IMPORTED_TARGET md4c yaml-cpp)
pkg_check_modules(packs REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(png REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(gif REQUIRED IMPORTED_TARGET libgif)
pkg_check_modules(lettering REQUIRED IMPORTED_TARGET freetype2 harfbuzz harfbuzz-subset fribidi fontconfig)
