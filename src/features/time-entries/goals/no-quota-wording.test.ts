import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Schools in California must not require hours from parents (Education Code 49010), and volunteers are not compared.
const WORDS =
  /\bquotas?\b|required hours|ranking|leaderboard|horas (obligatorias|requeridas)|clasificaci[oó]n/i;

test('no message mentions a quota or ranks people', () => {
  const catalogues = globSync('src/**/messages*.json');
  expect(catalogues.length).toBeGreaterThan(30);
  const found = catalogues.flatMap((path) =>
    Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>)
      .filter(([, words]) => WORDS.test(words))
      .map(([key, words]) => `${path} ${key}: ${words}`),
  );
  expect(found).toEqual([]);
});
