// Functions that the core imports from JavaScript: access to a file and to buffers outside the heap
// (bindings.cpp), and random numbers (core/hash.hpp). Emscripten links this file into its
// JavaScript glue code.
mergeInto(LibraryManager.library, {
  rigcast_read_file: function (offset, count, address) {
    Module['readFile'](offset, count, address);
  },
  rigcast_announce_range: function (offset, count) {
    if (Module['announceRange']) Module['announceRange'](offset, count);
  },
  rigcast_allocate_block: function (block, size) {
    return Module['allocateBlock'] ? Module['allocateBlock'](block, size) : false;
  },
  rigcast_write_block: function (block, offset, count, address) {
    Module['writeBlock'](block, offset, count, address);
  },
  rigcast_random: function () {
    return crypto.getRandomValues(new Uint32Array(1))[0];
  },
});
