# What the core needs besides Eigen, built for Windows from the sources that `.ci/fetch-sources --windows` brings, with
# Debian's zlib for it; nlohmann-json has headers alone, and those are Debian's own.
set(deps ${CMAKE_SOURCE_DIR}/build/sources)

find_package(ZLIB REQUIRED)
add_library(PkgConfig::zlib ALIAS ZLIB::ZLIB)

# Beside them lie the headers of another system, which must not be seen.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/headers)
file(CREATE_LINK /usr/include/nlohmann ${CMAKE_BINARY_DIR}/headers/nlohmann SYMBOLIC)
add_library(nlohmann_json INTERFACE)
target_include_directories(nlohmann_json SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/headers)
add_library(nlohmann_json::nlohmann_json ALIAS nlohmann_json)

add_library(utf8proc STATIC ${deps}/utf8proc/utf8proc.c)
target_include_directories(utf8proc SYSTEM PUBLIC ${deps}/utf8proc)
target_compile_definitions(utf8proc PUBLIC UTF8PROC_STATIC)
add_library(utf8proc::utf8proc ALIAS utf8proc)

set(PCRE2_BUILD_PCRE2GREP OFF CACHE BOOL "")
set(PCRE2_BUILD_TESTS OFF CACHE BOOL "")
set(PCRE2_SUPPORT_UNICODE ON CACHE BOOL "")
set(PCRE2_SUPPORT_JIT ON CACHE BOOL "")
add_subdirectory(${deps}/pcre2 ${CMAKE_BINARY_DIR}/_deps/pcre2 EXCLUDE_FROM_ALL)
add_library(pcre2_static INTERFACE)
target_link_libraries(pcre2_static INTERFACE pcre2-8-static)
target_include_directories(pcre2_static SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/_deps/pcre2)
target_compile_definitions(pcre2_static INTERFACE PCRE2_STATIC)
add_library(PkgConfig::pcre2 ALIAS pcre2_static)

set(BUILD_SHARED_LIBS OFF CACHE BOOL "")
set(INSTALL_DOCUMENTATION OFF CACHE BOOL "")
add_subdirectory(${deps}/onig ${CMAKE_BINARY_DIR}/_deps/onig EXCLUDE_FROM_ALL)
add_library(onig_static INTERFACE)
target_link_libraries(onig_static INTERFACE onig)
target_include_directories(onig_static SYSTEM INTERFACE ${deps}/onig/src)
add_library(PkgConfig::oniguruma ALIAS onig_static)
third_party_quiet(utf8proc pcre2-8-static onig)
