import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from './languages.ts';

const ENGLISH = globSync('src/{shared,web,features/**}/messages*.en.json').sort();
/** Languages with files of their own, spoken yet or not. */
const OTHERS = [...new Set(globSync('src/**/messages*.json').map((file) => file.split('.').at(-2) ?? ''))]
  .filter((language) => language !== 'en')
  .sort();
const PLURAL = /_(zero|one|two|few|many|other)$/;

describe.each(OTHERS)('the messages in %s', (language) => {
  const isSpoken = LANGUAGES.some((one) => one === language);
  const files = ENGLISH.map((english) => ({
    english,
    file: english.replace(/\.en\.json$/, `.${language}.json`),
  }));

  test('have a file for each English file, and no other', () => {
    const there = globSync(`src/**/messages*.${language}.json`).sort();
    expect(files.map(({ file }) => file)).toEqual(expect.arrayContaining(there));
    if (isSpoken) expect(there).toEqual(files.map(({ file }) => file));
  });

  test('have the same keys and placeholders as in English', () => {
    const wrong = files.flatMap(({ english, file }) => {
      const [model, made] = [textsOf(english), textsOf(file)];
      const keys = [...new Set([...Object.keys(model), ...Object.keys(made)])];
      return keys.flatMap((key) => faultOf(`${file} ${key}`, model[key], made[key], isSpoken));
    });
    expect(wrong).toEqual([]);
  });

  test('have every plural form of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const wrong = files.flatMap(({ file }) => {
      const keys = Object.keys(textsOf(file));
      const counted = keys.filter((key) => PLURAL.test(key)).map((key) => key.replace(PLURAL, ''));
      // 'many' (a million and the like) may be said as 'other': `createMessageCatalog` does so.
      return [...new Set(counted)].flatMap((key) =>
        forms
          .filter((form) => form !== 'many' && !keys.includes(`${key}_${form}`))
          .map((form) => `${file} ${key}_${form}`),
      );
    });
    expect(wrong).toEqual([]);
  });
});

test('a feature defines each key in one file only', () => {
  const seen = new Map<string, string>();
  const twice = ENGLISH.flatMap((file) =>
    Object.keys(textsOf(file)).flatMap((key) => {
      const name = `${basename(dirname(file))}:${key}`;
      const before = seen.get(name);
      seen.set(name, file);
      return before === undefined ? [] : [`${name} in ${before} and ${file}`];
    }),
  );
  expect(twice).toEqual([]);
});

function faultOf(
  where: string,
  model: string | undefined,
  made: string | undefined,
  isSpoken: boolean,
): string[] {
  if (made === undefined) return isSpoken ? [`${where} is missing`] : [];
  if (model === undefined) return [`${where} is too many`];
  const same = placeholdersIn(model).join() === placeholdersIn(made).join();
  const isEmpty = made.trim() === '' && model.trim() !== '';
  return [...(same ? [] : [`${where} has other placeholders`]), ...(isEmpty ? [`${where} is empty`] : [])];
}

function placeholdersIn(text: string): string[] {
  return (text.match(/\{\{[^}]*\}\}/g) ?? []).sort();
}

function textsOf(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
