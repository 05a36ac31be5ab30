# What `cmake --install` puts where, and the packages that `cpack` makes of it: a .deb for Debian, and an archive that can be
# unpacked anywhere, with the libraries that a bare system may lack beside the program.
include(GNUInstallDirs)
set(documents ${CMAKE_INSTALL_DATADIR}/doc/glassformer)

# Found relative to the program, wherever the archive lies; of libraries what they need themselves, too.
set_target_properties(glassformer PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/glassformer")
target_link_options(glassformer PRIVATE LINKER:--disable-new-dtags)
install(TARGETS glassformer RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY assets/models assets/lessons assets/manual DESTINATION ${CMAKE_INSTALL_DATADIR}/glassformer/assets COMPONENT program)
install(FILES README.md CHANGELOG.md DESTINATION ${documents} COMPONENT program)
install(FILES assets/screenshot.png DESTINATION ${documents}/assets COMPONENT program)
install(DIRECTORY assets/pictures assets/manual DESTINATION ${documents}/assets COMPONENT program)
install(FILES assets/desktop/glassformer.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT program)
install(FILES assets/desktop/glassformer.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT program)
install(FILES assets/desktop/glassformer.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps
        COMPONENT program)

# The manual page and what completes commands, as the program itself says them.
function(install_said arguments folder name)
  install(CODE "
    execute_process(COMMAND \"$<TARGET_FILE:glassformer>\" ${arguments} OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    file(WRITE \"${CMAKE_BINARY_DIR}/said/${name}\" \"\${said}\")
    file(INSTALL \"${CMAKE_BINARY_DIR}/said/${name}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${folder}\")"
    COMPONENT program)
endfunction()
install_said("manual" ${CMAKE_INSTALL_MANDIR}/man1 glassformer.1)
install_said("completions bash" ${CMAKE_INSTALL_DATADIR}/bash-completion/completions glassformer)
install_said("completions zsh" ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions _glassformer)
install_said("completions fish" ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d glassformer.fish)

# What every system has stays out: the C and C++ libraries. Drivers are found by the libraries that ask for them.
install(CODE "
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES \"$<TARGET_FILE:glassformer>\" RESOLVED_DEPENDENCIES_VAR libraries
       UNRESOLVED_DEPENDENCIES_VAR missing
       PRE_EXCLUDE_REGEXES \"^ld-linux\" \"^lib(c|m|dl|rt|pthread|stdc\\\\+\\\\+|gcc_s)\\\\.so\")
  if(missing)
    message(FATAL_ERROR \"not found: \${missing}\")
  endif()
  foreach(library \${libraries})
    file(INSTALL \"\${library}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/glassformer\" FOLLOW_SYMLINK_CHAIN)
  endforeach()"
  COMPONENT libraries EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_NAME glassformer)
set(CPACK_PACKAGE_VENDOR Glassformer)
set(CPACK_PACKAGE_CONTACT Glassformer)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "a transformer you can see through")
set(CPACK_PACKAGE_DESCRIPTION "A small transformer runs inside the program, and every number it computes is on screen while you
type: attention, positions, the residual stream, logits, the tree of a beam search. With lessons, models and training.")
set(CPACK_PACKAGE_FILE_NAME "glassformer-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/PackageParts.cmake)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened at run time, so that no header of the program names them.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libegl1, libx11-6, libxcursor1, libxi6, libxinerama1, libxrandr2")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-symbola, fonts-wqy-microhei, fonts-noto-ui-core, xclip | wl-clipboard")
include(CPack)
