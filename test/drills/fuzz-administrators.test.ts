import { expect, test } from 'vitest';
import { allEndpoints } from '#test/endpoints.ts';
import { fuzz } from '#test/fuzz/run.ts';

const isDrill = process.env['DRILL'] === '1';
const COUNT = isDrill ? 500_000 : 10_000;

test(
  'whatever is sent to a call of administrators’ is answered as the contract says, and refused without a trace',
  async () => {
    const seed = isDrill ? Date.now() % 1_000_000 : 1;
    const endpoints = [...(await allEndpoints()).values()].filter(({ path }) => path.startsWith('/admin'));
    const outcome = await fuzz(endpoints, COUNT, seed);
    expect(outcome.endpoints.size).toBe(endpoints.length);
    expect(outcome.refusedWithoutTrace).toBeGreaterThan(COUNT / 5);
  },
  isDrill ? undefined : 600_000,
);
