// What C copies and fills memory with, as WebAssembly's own instructions, and what it compares it with. The library's loops, which go byte by byte when made for size, are
// many times slower.
#include <cstdint>
#include <cstring>

extern "C" {
// clang makes one instruction of each of these, not a call of itself.
void* memcpy(void* __restrict to, const void* __restrict from, std::size_t size) { return __builtin_memcpy(to, from, size); }
void* memmove(void* to, const void* from, std::size_t size) { return __builtin_memmove(to, from, size); }
int memcmp(const void* a, const void* b, std::size_t size) {
    const auto *left = static_cast<const unsigned char*>(a), *right = static_cast<const unsigned char*>(b);
    for (; size >= 8; left += 8, right += 8, size -= 8) {
        std::uint64_t own, other;
        __builtin_memcpy(&own, left, 8);
        __builtin_memcpy(&other, right, 8);
        if (own != other) break;
    }
    for (; size; ++left, ++right, --size)
        if (*left != *right) return *left - *right;
    return 0;
}
void* memset(void* to, int value, std::size_t size) { return __builtin_memset(to, value, size); }
}
