#pragma once

namespace glassformer {

/// Characters that Unicode has since 15.1, 16.0 and 17.0: utf8proc, as Debian 12 has it, knows 15.0 and takes
/// them for nothing. Tokenizers of these years call them letters (category L*) and numbers (N*), and cut
/// texts accordingly.
bool isNewerLetter(char32_t value);
bool isNewerNumber(char32_t value);

}  // namespace glassformer
