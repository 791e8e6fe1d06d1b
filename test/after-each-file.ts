import { afterAll } from 'vitest';

const cleanups: (() => unknown)[] = [];

/** Runs work after the last test of the file, in reverse order. Also works inside a test, where `afterAll` is too late. */
export function atEnd(work: () => unknown): void {
  cleanups.push(work);
}

/** Call this for each test file, because files share a process that loads this module once. */
export function runCleanupsAfterFile(): void {
  afterAll(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
}
