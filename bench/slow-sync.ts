import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A library that has whatever a program syncs take longer; it waits outside of the processor. */
const SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
static int after(const char *name, int file) {
  const long ms = atol(getenv("BENCH_SYNC_MS"));
  const struct timespec more = { ms / 1000, ms % 1000 * 1000000 };
  int (*sync)(int) = dlsym(RTLD_NEXT, name);
  nanosleep(&more, 0);
  return sync(file);
}
int fsync(int file) { return after("fsync", file); }
int fdatasync(int file) { return after("fdatasync", file); }
`;

/**
 * The environment in which a server's disk takes so many milliseconds more for each sync; the library is built in `folder`
 * with the machine's C compiler.
 */
export function withSlowSync(ms: number, folder: string): Readonly<Record<string, string>> {
  const [source, library] = [join(folder, 'slow-sync.c'), join(folder, 'slow-sync.so')];
  writeFileSync(source, SOURCE);
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'inherit' });
  } catch (error) {
    throw new Error('--sync-ms needs a C compiler, as `cc`', { cause: error });
  }
  return { LD_PRELOAD: library, BENCH_SYNC_MS: String(ms) };
}
