import { expect, test } from 'vitest';
import { fuzz } from '#test/fuzz/run.ts';
import { allEndpoints } from '../all-endpoints.ts';
import { IS_LONG } from '../test-level.ts';

const COUNT = IS_LONG ? 500_000 : 10_000;

test(
  "random requests to administrators' endpoints get valid replies, and rejected ones change nothing",
  async () => {
    const seed = IS_LONG ? Date.now() % 1_000_000 : 1;
    const endpoints = [...(await allEndpoints()).values()].filter(({ path }) => path.startsWith('/admin'));
    const outcome = await fuzz(endpoints, COUNT, seed);
    expect(outcome.endpoints.size).toBe(endpoints.length);
    expect(outcome.refusedWithoutTrace).toBeGreaterThan(COUNT / 5);
  },
  IS_LONG ? undefined : 600_000,
);
