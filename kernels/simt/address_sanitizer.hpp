#pragma once

/// Defines DELTAPROOF_ASAN in code that AddressSanitizer instruments: g++ and clang++ say so in their own ways.
#if defined(__SANITIZE_ADDRESS__)
#define DELTAPROOF_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DELTAPROOF_ASAN 1
#endif
#endif
