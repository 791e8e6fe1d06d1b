import { afterEach, describe, expect, test, vi } from 'vitest';
import { preferredLanguage } from './preferred-language.ts';

afterEach(() => vi.unstubAllGlobals());

function device(chosen: string | undefined, asked: readonly string[]): void {
  vi.stubGlobal('self', {
    cookieStore: { get: async (name: string) => (name === 'language' && chosen ? { value: chosen } : null) },
  });
  vi.stubGlobal('navigator', { languages: asked });
}

describe('the language of the cached page', () => {
  test.each([
    ['es', ['en-US'], 'es'],
    ['en', ['es-MX'], 'en'],
    [undefined, ['es-MX', 'en-US'], 'es'],
    [undefined, ['fr-CA', 'en-GB'], 'en'],
    ['fr', ['es-US'], 'es'],
    [undefined, ['fr-CA'], 'es'],
    [undefined, [], 'es'],
  ] as const)('with the choice %s and the browser languages %j is %s', async (chosen, asked, wanted) => {
    device(chosen, asked);
    expect(await preferredLanguage('es')).toBe(wanted);
  });

  test('is unknown if the worker cannot read cookies', async () => {
    vi.stubGlobal('self', {});
    expect(await preferredLanguage('es')).toBeUndefined();
  });
});
