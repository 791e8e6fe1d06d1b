import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { LANGUAGES } from '#base/language.ts';
import { addTexts, loadCatalogue } from './catalogue.ts';
import { quickTexts } from './quick-texts.ts';

const PLURAL = /_(zero|one|two|few|many|other)$/;
const COUNTS = [0, 1, 2, 21, 1_000, 1_000_000, 1.5, -1];

describe.each(LANGUAGES)('every text in %s', (language) => {
  const texts = textsIn(language);
  const catalogue = loadCatalogue(language, texts);
  const said = quickTexts(catalogue, language);
  const keys = Object.entries(texts).flatMap(([room, words]) =>
    Object.keys(words).map((form) => {
      const key = form.replace(PLURAL, '');
      return { key: `${room}:${key}`, values: valuesOf(key, words) };
    }),
  );

  test.each(COUNTS)('is said as the library says it, with the count %s', (count) => {
    for (const { key, values } of keys) {
      const counted = { ...values, count };
      expect(said.say(key, counted), key).toBe(catalogue.t(key, counted));
    }
  });

  test('is said without asking the library', () => {
    const asked = vi.spyOn(catalogue, 't');
    for (const { key, values } of keys) said.say(key, { ...values, count: 2 });
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });
});

describe('what is not known is left to the library:', () => {
  const catalogue = loadCatalogue('en', {
    base: { hello: 'Good morning, {{name}}', quote: '$t(base:hello)!', odd: '{{ name }}' },
  });
  const { say, forget } = quickTexts(catalogue, 'en');
  beforeAll(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}));

  test.each([
    ['a text that quotes another', 'base:quote', { name: 'Ana' }, 'Good morning, Ana!'],
    ['a place that is written otherwise', 'base:odd', { name: 'Ana' }, 'Ana'],
    ['a key that is not there', 'base:gone', {}, 'gone'],
  ])('%s', (_, key, values, text) => {
    expect(say(key, values)).toBe(text);
    expect(catalogue.t(key, values)).toBe(text);
  });

  test('a value is said as it is, whatever signs it has', () => {
    const values = { name: '{{name}} $1 $t(base:quote)' };
    expect(say('base:hello', values)).toBe(`Good morning, ${values.name}`);
  });

  test('a text that comes later', () => {
    expect(say('base:late')).toBe('late');
    addTexts(catalogue, 'en', { base: { late: 'Here' } });
    forget();
    expect(say('base:late')).toBe('Here');
  });
});

function textsIn(language: string): Record<string, Record<string, string>> {
  const rooms: Record<string, Record<string, string>> = {};
  for (const file of globSync(`src/{base,web,rooms/*}/*text.${language}.json`)) {
    const room = basename(dirname(file));
    rooms[room] = { ...rooms[room], ...JSON.parse(readFileSync(file, 'utf8')) };
  }
  return rooms;
}

/** A value for each place in any of the forms of a text. */
function valuesOf(key: string, words: Record<string, string>): Record<string, string | number> {
  const forms = Object.entries(words).filter(([form]) => form.replace(PLURAL, '') === key);
  const places = forms.flatMap(([, text]) => [...text.matchAll(/\{\{(\w+)(, number)?\}\}/g)]);
  return Object.fromEntries(
    places.map(([, name = '', number]) => [name, number ? 12_345.5 : `<${name}> & co`]),
  );
}
