#pragma once
#include <cstdint>

namespace glassformer {

/// Where a mapped file has no bytes, a read ends the program by SIGBUS, unless somebody here supplies the
/// page: then the read goes on as if it had always been there.
///
/// `supply` says whether it has put a page at the address. It is called in a signal handler, so it waits for
/// nobody who might be interrupted by one, and takes no memory but from the system; and it may be called
/// while another one reads what lacks a page. Registered once each, at most four in a program. Does nothing
/// on Windows.
using PageSupplier = bool (*)(std::uintptr_t address);
void supplyMissingPages(PageSupplier supply);

}  // namespace glassformer
