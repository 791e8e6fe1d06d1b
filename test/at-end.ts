import { afterAll } from 'vitest';

const endings: (() => unknown)[] = [];

/** Has something done after the last test of the file, the latest first. Inside a test `afterAll` comes too late. */
export function atEnd(work: () => unknown): void {
  endings.push(work);
}

/** Called for each test file: files share one process, in which this module is there once. */
export function endWithFile(): void {
  afterAll(async () => {
    for (const end of endings.splice(0).toReversed()) await end();
  });
}
