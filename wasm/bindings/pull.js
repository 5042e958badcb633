// What the core imports beside Emscripten's own (bindings.cpp): bytes of a file that stays in JavaScript's memory, and memory there for blocks. Emscripten links it into
// the glue.
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
});
