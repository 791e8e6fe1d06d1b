import { defineConfig } from 'vitest/config';

const tests = (process.env['MUTANT_TESTS'] ?? '').split(',');

/** The unit and SQLite tests of the places that are mutated, and no others: every mutant runs those that reach it. */
export default defineConfig({
  test: {
    include: tests,
    setupFiles: ['test/loopback-only.ts', 'test/each-file.ts'],
    isolate: false,
    // Node loads the code itself: Vite's own loader takes twice as long, and every mutant loads all of it.
    experimental: { viteModuleRunner: false },
    env: { TEST_ENGINE: 'sqlite' },
    // The machine has other work beside this one.
    hookTimeout: 120_000,
    testTimeout: 120_000,
  },
});
