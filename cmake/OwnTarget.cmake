# What holds for every target of ours: warnings are errors (members with defaults may be left out of initializers),
# includes start at the repository's root, and floating-point contraction is off so that the same source gives the same
# bits at every optimisation level.
function(own_target target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 /WX /utf-8 /fp:precise)
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                         -Wno-missing-field-initializers -Werror -ffp-contract=off)
  # GCC 12 sees overlapping copies in std::string's own code (its bug 105651, fixed in 13).
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(GLASSFORMER_SANITIZE)
    # Optimised little and with line numbers alone it compiles in half the time; what computes asks for more itself.
    target_compile_options(${target} PRIVATE -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all
                           -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()
