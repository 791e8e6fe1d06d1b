import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { bundle } from '../../../scripts/page-shell.ts';

test('the service worker is a small script without imports that runs in old browsers', async () => {
  const values = { CACHED_LANGUAGE: '"en"', CACHED_PAGE: '"/index.html"', CACHED_FILES: '[]' };
  const code = await bundle(`${process.cwd()}/src/app/worker/worker.ts`, values);
  // Not a module: it would not compile as a script, and every browser of ten years knows what is in it.
  expect(() => new Script(code)).not.toThrow();
  expect(code).not.toMatch(/\?\.|\?\?|\bimport\(|process\.env|import\.meta/);
  expect(code.length).toBeLessThan(20_000);
});
