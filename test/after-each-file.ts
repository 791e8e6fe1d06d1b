import { afterAll } from 'vitest';

const endings: (() => unknown)[] = [];

/** Runs something after the last test of the file, in reverse order. Inside a test, `afterAll` would be too late. */
export function atEnd(work: () => unknown): void {
  endings.push(work);
}

/** Called for each test file: files share one process, in which this module is loaded once. */
export function endWithFile(): void {
  afterAll(async () => {
    for (const end of endings.splice(0).toReversed()) await end();
  });
}
