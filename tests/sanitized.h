#pragma once

/// Whether sanitizers watch: every step takes about ten times as long then, and which numbers come out is
/// held by the tests without them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool isSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool isSanitized = true;
#else
inline constexpr bool isSanitized = false;
#endif
#else
inline constexpr bool isSanitized = false;
#endif

/// How often the same is done with other numbers: `usual` times, under sanitizers a tenth of that.
constexpr int times(int usual) { return isSanitized ? (usual + 9) / 10 : usual; }
