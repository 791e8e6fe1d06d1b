import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { easeInSpanish, gradeOf } from './grade.ts';
import { isMeasured, type VolunteerText, volunteerTexts } from './volunteer-texts.ts';

/** The US school year that whoever reads a text needs to have finished at most. */
const MOST_GRADE = 6;
/** INFLESZ calls 55 and more 'normal', what a text for everybody should reach, and 65 and more 'rather easy'. */
const LEAST_EASE = 55;
const LEAST_EASE_OF_A_PAGE = 65;
/** A formula needs a sentence; Szigriszt's, which counts syllables alone, needs a longer one. */
const FEWEST_WORDS = { en: 4, es: 8 };

/** Names of screens, of a paper, of the product and of who takes complaints: no other words could say them. */
const NAMES = [
  'accessibility/server-text further',
  'accessibility/server-text state',
  'analytics/text statementBack',
  'analytics/text statementTitle',
  'district/server-text installedName',
  'letters/text back',
  'users/mail-text mailOpen',
  'web/shortcut-text shortcutTabs',
];

/** Answers that programs of third parties know by these words. */
const AGREED = [
  'base/text unavailable',
  'photos/text dimensions',
  'photos/text linkInvalid',
  'users/server-text emailTaken',
  'users/text wrongLogin',
];

const ROOT = join(import.meta.dirname, '../..');
const GUIDES = { en: 'docs/volunteers.md', es: 'docs/volunteers.es.md' };
const texts = volunteerTexts();

describe('what volunteers read in English', () => {
  const measured = texts.filter(({ english }) => isMeasured(english, 'en', FEWEST_WORDS.en));
  const hard = measured.filter(({ english }) => gradeOf(english) > MOST_GRADE);

  test('is at grade 6 or below, but for what the specification says word for word', () => {
    expect(measured.length).toBeGreaterThan(550);
    const free = hard.filter(
      ({ where, pattern }) => ![...NAMES, ...AGREED].includes(where) && !isSpecified(pattern),
    );
    expect(free.map(({ where, english }) => `${gradeOf(english).toFixed(1)} ${where}: ${english}`)).toEqual(
      [],
    );
  });

  test('has no exception that is not needed', () => {
    expect([...NAMES, ...AGREED].filter((name) => !hard.some(({ where }) => where === name))).toEqual([]);
    expect(hard.filter(({ pattern }) => isSpecified(pattern)).length).toBeLessThan(20);
  });

  test.each(sectionsOf(GUIDES.en))('the guide is at grade 6 or below: $title', ({ text }) => {
    expect(gradeOf(text)).toBeLessThanOrEqual(MOST_GRADE);
  });
});

describe('what volunteers read in Spanish', () => {
  const measured = texts.filter(({ spanish }) => isMeasured(spanish, 'es', FEWEST_WORDS.es));

  test('is normal or easier on the INFLESZ scale', () => {
    expect(measured.length).toBeGreaterThan(300);
    const hard = measured.filter(
      ({ where, spanish }) => !NAMES.includes(where) && easeInSpanish(spanish) < LEAST_EASE,
    );
    expect(
      hard.map(({ where, spanish }) => `${easeInSpanish(spanish).toFixed(0)} ${where}: ${spanish}`),
    ).toEqual([]);
  });

  test.each(sectionsOf(GUIDES.es))('the guide is rather easy: $title', ({ text }) => {
    expect(easeInSpanish(text)).toBeGreaterThanOrEqual(LEAST_EASE_OF_A_PAGE);
  });
});

test('the formulas give the grades of texts that everybody knows', () => {
  expect(gradeOf('The cat sat on the mat. It was a sunny day, and the dog ran to the park.')).toBeLessThan(3);
  const declaration =
    'When in the Course of human events, it becomes necessary for one people to dissolve the political bands which have connected them with another, a decent respect to the opinions of mankind requires that they should declare the causes which impel them to the separation.';
  expect(gradeOf(declaration)).toBeGreaterThan(12);
  expect(easeInSpanish('El gato come pan. La niña va a la casa y ve el sol.')).toBeGreaterThan(80);
  expect(
    easeInSpanish(
      'La administración interinstitucional reglamentará las correspondientes responsabilidades.',
    ),
  ).toBeLessThan(15);
});

/** The map of the specification quotes it: a text that stands there may not be said in other words. */
function isSpecified(pattern: VolunteerText['pattern']): boolean {
  return pattern.test(readFileSync(join(ROOT, 'docs/specification-map.md'), 'utf8'));
}

function sectionsOf(guide: string): { title: string; text: string }[] {
  return readFileSync(join(ROOT, guide), 'utf8')
    .split(/^##? /m)
    .filter((section) => section.trim() !== '')
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      // A line in italics leads to the guide in the other language.
      const own = lines.filter((line) => !/^\*[^*].*\*$/.test(line)).join('\n');
      const text = own.replace(/!\[[^\]]*\]\([^)]*\)/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
      return { title, text: text.replaceAll(/[*`]/g, '').replace(/^\d+\. |^- /gm, '') };
    });
}
