// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// loader SECONDS PLUGIN…: loads the plugins in turn, several times, and unloads each before the next, so that they often have the
// same addresses; each gets the same time:   main > load_and_run > plugin_run (in the plugin) > NAME_work > its own loop

#include <dlfcn.h>

#include "work.h"

KEEP void load_and_run(const char* path, double seconds) {
  void* plugin = dlopen(path, RTLD_NOW);
  if (!plugin) { fprintf(stderr, "%s\n", dlerror()); exit(1); }
  void (*plugin_run)(double) = (void (*)(double))dlsym(plugin, "plugin_run");
  plugin_run(seconds);
  dlclose(plugin);
}

int main(int argc, char** argv) {
  double seconds = number(argc, argv, 1, 1);
  int times = 4, plugins = argc - 2;
  for (int i = 0; i < times * plugins; ++i) { load_and_run(argv[2 + i % plugins], seconds / times / plugins); }
  return 0;
}
