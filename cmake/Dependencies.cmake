# Third-party sources, pinned by version and hash. With the projects' hosts in reach a plain configure downloads them;
# where .ci/fetch-sources has been run, its copies in build/sources/ are used through CMake's own override variables.
include(FetchContent)
foreach(name imgui glfw eigen catch2)
  string(TOUPPER ${name} upper)
  if(EXISTS ${CMAKE_SOURCE_DIR}/build/sources/${name}/.sha256 AND NOT EXISTS "${FETCHCONTENT_SOURCE_DIR_${upper}}")
    set(FETCHCONTENT_SOURCE_DIR_${upper} ${CMAKE_SOURCE_DIR}/build/sources/${name} CACHE PATH "" FORCE)
  endif()
endforeach()

# Warnings in other people's code are theirs.
function(third_party_quiet)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<IF:$<CXX_COMPILER_ID:MSVC>,/w,-w>)
  endforeach()
endfunction()

# SOURCE_SUBDIR names a folder that does not exist: only unpack, do not run the project's own CMake.
FetchContent_Declare(eigen
  URL https://gitlab.com/libeigen/eigen/-/archive/5.0.1/eigen-5.0.1.tar.gz
  URL_HASH SHA256=e9c326dc8c05cd1e044c71f30f1b2e34a6161a3b6ecf445d56b53ff1669e3dec
  DOWNLOAD_EXTRACT_TIMESTAMP TRUE
  SOURCE_SUBDIR none)
FetchContent_MakeAvailable(eigen)
add_library(eigen INTERFACE)
target_include_directories(eigen SYSTEM INTERFACE ${eigen_SOURCE_DIR})
target_compile_definitions(eigen INTERFACE EIGEN_MPL2_ONLY)
add_library(Eigen3::Eigen ALIAS eigen)

find_package(Threads REQUIRED)

if(WIN32 AND CMAKE_CROSSCOMPILING)
  include(cmake/CrossDependencies.cmake)
else()
  FetchContent_Declare(nlohmann_json
    URL https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
    URL_HASH SHA256=d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d
    DOWNLOAD_EXTRACT_TIMESTAMP TRUE
    FIND_PACKAGE_ARGS 3.11)
  FetchContent_MakeAvailable(nlohmann_json)

  find_package(PkgConfig REQUIRED)
  pkg_check_modules(pcre2 REQUIRED IMPORTED_TARGET libpcre2-8)
  pkg_check_modules(oniguruma REQUIRED IMPORTED_TARGET oniguruma)
  # Oniguruma exports regcomp, regexec and the like with structures of its own. Whoever is loaded later and asks for
  # these, as Mesa's drivers do, means the C library's: it has to be searched first.
  get_target_property(oniguruma_links PkgConfig::oniguruma INTERFACE_LINK_LIBRARIES)
  set_target_properties(PkgConfig::oniguruma PROPERTIES INTERFACE_LINK_LIBRARIES "c;${oniguruma_links}")
  pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)
  pkg_check_modules(utf8proc IMPORTED_TARGET libutf8proc)
  if(utf8proc_FOUND)
    add_library(utf8proc::utf8proc ALIAS PkgConfig::utf8proc)
  else()
    FetchContent_Declare(utf8proc
      URL https://github.com/JuliaStrings/utf8proc/archive/refs/tags/v2.9.0.tar.gz
      URL_HASH SHA256=18c1626e9fc5a2e192311e36b3010bfc698078f692888940f1fa150547abb0c1
      DOWNLOAD_EXTRACT_TIMESTAMP TRUE)
    FetchContent_MakeAvailable(utf8proc)
    add_library(utf8proc::utf8proc ALIAS utf8proc)
  endif()
endif()

if(GLASSFORMER_APP)
  include(cmake/WindowDependencies.cmake)
endif()

if(BUILD_TESTING)
  FetchContent_Declare(Catch2
    URL https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz
    URL_HASH SHA256=c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
    DOWNLOAD_EXTRACT_TIMESTAMP TRUE
    FIND_PACKAGE_ARGS 3.7)
  FetchContent_MakeAvailable(Catch2)
  if(Catch2_SOURCE_DIR)
    third_party_quiet(Catch2 Catch2WithMain)
    # One file instead of a hundred, and as it is: a tenth of the compile time on one core.
    set_target_properties(Catch2 PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    target_compile_options(Catch2 PRIVATE $<$<NOT:$<CXX_COMPILER_ID:MSVC>>:-O0> $<$<NOT:$<CXX_COMPILER_ID:MSVC>>:-g0>)
    list(APPEND CMAKE_MODULE_PATH ${Catch2_SOURCE_DIR}/extras)
  endif()
endif()
