import { defineConfig } from 'vitest/config';

const tests = (process.env['MUTANT_TESTS'] ?? '').split(',');
const engine = process.env['MUTANT_ENGINE'] ?? 'sqlite';

/** The tests of the places that are mutated on one engine, and no others: every mutant runs those that reach it. */
export default defineConfig({
  test: {
    include: tests,
    setupFiles: ['test/loopback-only.ts', 'test/each-file.ts'],
    isolate: false,
    // Node loads the code itself: Vite's own loader takes twice as long, and every mutant loads all of it.
    experimental: { viteModuleRunner: false },
    env: { TEST_ENGINE: engine },
    ...(engine === 'postgres' ? { globalSetup: 'test/postgres.ts' } : {}),
    // The machine has other work beside this one.
    hookTimeout: 120_000,
    testTimeout: 120_000,
  },
});
