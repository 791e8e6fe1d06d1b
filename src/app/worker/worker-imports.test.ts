import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { bundle } from '../../../scripts/page-shell.ts';

test.each([
  ['src/app/web/start.ts', { START_TEXTS: '{}', SIGNED_IN_FILES: '[]', SIGNED_OUT_FILES: '[]' }, 3_000],
  [
    'src/app/worker/worker.ts',
    { KEPT_LANGUAGE: '"en"', KEPT_PAGE: '"/index.html"', KEPT_FILES: '[]' },
    20_000,
  ],
])('%s stands alone, in a script that old browsers can read, and is small', async (path, values, most) => {
  const code = await bundle(`${process.cwd()}/${path}`, values);
  // Not a module: it would not compile as a script, and every browser of ten years knows what is in it.
  expect(() => new Script(code)).not.toThrow();
  expect(code).not.toMatch(/\?\.|\?\?|\bimport\(|process\.env|import\.meta/);
  expect(code.length).toBeLessThan(most);
});
