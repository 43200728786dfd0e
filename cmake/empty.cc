// A room that has headers only still is a library.
