import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('each case of the table of what happens without signal names a browser test that is there', () => {
  const decisions = readFileSync('docs/decisions.md', 'utf8');
  const table = decisions.split('| What happens |')[1]?.split('\n\n')[0] ?? '';
  const named = [...table.matchAll(/\| ([^|]+) \|$/gm)].map(([, name = '']) => name).slice(1);
  const tests = readFileSync('test/e2e/offline.spec.ts', 'utf8');
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter((name) => !tests.includes(`'${name}'`))).toEqual([]);
});
