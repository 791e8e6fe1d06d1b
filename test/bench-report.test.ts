import { expect, test } from 'vitest';
import { formatHeading, formatResult } from '../bench/paired-rounds.ts';

test('the benchmark report shows each server under its own heading, whichever ran first', () => {
  const others = ['before', 'baseline'];
  const rounds = {
    baseline: [{ us: 100, ms: 1 }],
    ours: [{ us: 200, ms: 2 }],
    before: [{ us: 400, ms: 4 }],
  };
  const head = formatHeading(others);
  const line = formatResult({ name: 'create', rounds }, others);
  const figureUnder = (name: string) =>
    Number(
      line
        .slice(0, head.indexOf(name) + name.length)
        .split(/\s+/)
        .at(-1),
    );
  expect([figureUnder('before us'), figureUnder('baseline us')]).toEqual([400, 100]);
  const withoutBaseline = formatResult({ name: 'login', rounds: { ours: rounds.ours } }, [
    'baseline',
    'before',
  ]);
  expect(withoutBaseline).toMatch(/^login\s+200\s+2\.00$/);
});
