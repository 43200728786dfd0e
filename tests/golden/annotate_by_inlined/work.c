#include "step.h"

// Works.
//
void work(void) {
  for (;;) {
    step();
	i = done() ? 0 : i + 1;  
    memcpy(to, from, size);
  }
}
