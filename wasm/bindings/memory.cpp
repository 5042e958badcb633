// What C copies and fills memory with, as WebAssembly's own instructions. The library's loops, which go byte by byte when made for size, are many times slower.
#include <cstring>

extern "C" {
// clang makes one instruction of each of these, not a call of itself.
void* memcpy(void* __restrict to, const void* __restrict from, std::size_t size) { return __builtin_memcpy(to, from, size); }
void* memmove(void* to, const void* from, std::size_t size) { return __builtin_memmove(to, from, size); }
void* memset(void* to, int value, std::size_t size) { return __builtin_memset(to, value, size); }
}
