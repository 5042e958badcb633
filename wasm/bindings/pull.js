// Functions that the core imports: they read a file in JavaScript's memory and write blocks there
// (bindings.cpp), and return random numbers (core/hash.hpp). Emscripten links this file into the glue.
mergeInto(LibraryManager.library, {
  rigcast_pull: function (offset, count, address) {
    Module['pull'](offset, count, address);
  },
  rigcast_open: function (block, size) {
    return Module['open'] ? Module['open'](block, size) : false;
  },
  rigcast_push: function (block, offset, count, address) {
    Module['push'](block, offset, count, address);
  },
  rigcast_random: function () {
    return crypto.getRandomValues(new Uint32Array(1))[0];
  },
});
