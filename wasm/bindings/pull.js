// What the core imports beside Emscripten's own (bindings.cpp): bytes of a file that stays in JavaScript's memory. Emscripten links it into the glue.
mergeInto(LibraryManager.library, {
  rigcast_pull: function (offset, count, address) {
    Module['pull'](offset, count, address);
  },
});
