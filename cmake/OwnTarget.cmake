# What holds for every target of ours: warnings are errors with the compiler that is tested, Clang (members with defaults
# may be left out of initializers), includes start at the repository's root, and floating-point contraction is off so that
# the same source gives the same bits at every optimisation level.
function(own_target target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 /WX /utf-8 /fp:precise)
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                         -Wno-missing-field-initializers -ffp-contract=off)
  # GCC 12 sees overlapping, endless and foreign copies in std::string's own code (its bug 105651, fixed in 13).
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
                           -Wno-array-bounds)
  endif()
  # It takes what the standard library itself still uses for ours.
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    target_compile_options(${target} PRIVATE -Werror -Wno-deprecated-declarations)
  endif()
  if(GLASSFORMER_SANITIZE)
    # Optimised little and with line numbers alone it compiles in half the time; what computes asks for more itself.
    # Whether an access is inside its object, or goes through a null pointer, the address sanitizer sees too, at a
    # third of the compile time less.
    # GCC takes instrumented reads of std::optional for uninitialized ones.
    target_compile_options(${target} PRIVATE -O1 -g1 -fsanitize=${GLASSFORMER_SANITIZE} -fno-sanitize-recover=all
                           -fno-sanitize=object-size,null -fno-omit-frame-pointer
                           $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND GLASSFORMER_SANITIZE MATCHES address)
      target_compile_options(${target} PRIVATE -fsanitize-address-use-after-return=never)  # as GCC, in time and space
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${GLASSFORMER_SANITIZE})
  endif()
endfunction()

# Inlined little, what takes no time compiles in two thirds of it.
function(inlined_little target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> "SHELL:-mllvm -inline-threshold=25")
  endif()
endfunction()

# compile_together(target BYTES FOLDER|TREE [HEADER ...]) compiles the sources of a folder together, up to so many bytes
# of them at a time, and parses the standard library once for all: nine tenths of what a file of ours includes is the
# standard library, and compiled one by one the files take three times as long. With TREE the files of all folders in
# app/views count as one folder's. What uses JSON compiles with all of the target that does: that library's templates take
# longer than the files. So names that are local to a file differ within a folder, and among these.
set(includes_json "nlohmann/json")
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/*.h ${CMAKE_SOURCE_DIR}/app/*.h)
foreach(header ${headers})
  file(STRINGS ${header} found REGEX "#include <nlohmann/json\\.hpp>")
  if(found)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    string(APPEND includes_json "|${header}")
  endif()
endforeach()

function(compile_together target bytes scope)
  if(NOT GLASSFORMER_COMPILE_TOGETHER)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(placed "")  # PLACE:SOURCE, the place being a folder or "json"
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE file)
    if(NOT EXISTS ${file} OR NOT file MATCHES "\\.cpp$")
      continue()
    endif()
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    if(scope STREQUAL TREE)
      string(REGEX MATCH "^[^/]+/[^/]+" place ${file})
    else()
      cmake_path(GET file PARENT_PATH place)
    endif()
    file(STRINGS ${CMAKE_SOURCE_DIR}/${file} found REGEX "#include [<\"](${includes_json})")
    if(found)
      set(place json)
    endif()
    list(APPEND placed ${place}:${source})
  endforeach()
  list(SORT placed)
  set(last "")
  foreach(entry ${placed})
    string(REGEX MATCH "^([^:]+):(.+)$" entry ${entry})
    set(place ${CMAKE_MATCH_1})
    set(source ${CMAKE_MATCH_2})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE file)
    file(SIZE ${file} size)
    math(EXPR together "${together} + ${size}" OUTPUT_FORMAT DECIMAL)
    if(NOT place STREQUAL last)
      set(last ${place})
      set(part 1)
      set(together ${size})
    elseif(together GREATER bytes)
      math(EXPR part "${part} + 1")
      set(together ${size})
    endif()
    string(REPLACE "/" "_" group "${place}_${part}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  # To the compiler the files are headers then, whose local types should not be anybody's base, and what is local to a
  # file can be seen from the next.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage -Wno-shadow -Wshadow=local)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    target_compile_options(${target} PRIVATE -Wno-shadow)
  endif()
  # A parsed header that comes out of the compile cache was made of files of another date.
  if(CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set> <span> <string>
    <string_view> <unordered_map> <utility> <variant> <vector> ${ARGN})
endfunction()
