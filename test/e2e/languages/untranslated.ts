import type { Page } from 'playwright-core';
import { loadMessages } from '#server/i18n/translator.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { LOCALE, SPOKEN } from '../spoken-language.ts';
import { withoutMarked } from './pseudo-language.ts';

/** Text that is not translated: test data, names, and text typed into a computer. */
const CONTENT: readonly string[] = [
  'Volunteer Time Tracker',
  // The district, its schools and people.
  'Maple Grove Schools',
  'Lincoln Elementary',
  'Cedar Ridge Middle School of Arts and Sciences',
  'Harbor Middle School',
  ...['Adams', 'Birch', 'Dover', 'Elm', 'Franklin'],
  ...['Ada', 'Ann Lee', 'Maria', 'Vera'],
  'Maximiliane Alexandra Featherstonehaugh-Montgomery',
  'Ben Lee',
  ...['Featherstonehaugh', 'Maximiliana'],
  // Activities, categories and user content.
  'A very long name of a school event that nobody would cut short, grades 3 to 5',
  'A reading corner for the whole neighborhood',
  'Arts, Music and Theater Performances',
  'Kindergarten Tying-Shoes-and-Zippers Patrol',
  'nothing of the kind',
  'Book fair',
  'Bok fairs',
  ...['Garden club', 'Garden', 'Planting', 'Gala', 'Fairs'],
  'Field trip',
  'The class',
  'the class',
  'Chess night',
  'Chess evening',
  'Sold 12 books',
  'Two zippers',
  'Court order 12',
  'A name that is as long as some cameras make them',
  'A-mail-server-with-a-very-long-name-that-nobody-would-cut-short',
  '`BACKUP_TO` makes the server back itself up.',
  'Twice',
  'You are a pillar of our school.',
  // The name of each language in that language.
  ...LANGUAGES.flatMap((language) => namesOf(language)),
  // The label of a field for Spanish, which is also the English name of a switch.
  'En español',
  // Names of programs and services.
  'Google Drive',
  'Google Photos',
  'Chrome',
  'Linux',
  'Node',
  'SQLite',
  'PostgreSQL',
  // The mail queue shows the server's name of an email type.
  'reset-link',
];

/** Addresses, files, commands, codes, keys, units and other text that is not words. */
const SIGNS = [
  // The default names of builders.ts.
  /\b(?:Activity|Category|Person|School|Suggestion) \d+\b/g,
  // An address may wrap after its @.
  /\S+@\S*|\b[\w.-]+\.example\b/g,
  /\b(?:https?|s3):\/\/\S+/g,
  /\/(?:api|mnt)\/\S+/g,
  /\b(?:GET|POST|PUT|DELETE|EACCES|UTC)\b/g,
  /\b[\w-]+\.(?:csv|gif|jpe?g|json|pdf|png|xlsx|md)\b/gi,
  /\b[A-Z]+(?:_[A-Z]+)+\b/g,
  /\bnpm run [\w -]+/g,
  /#[0-9a-f]{6}\b/gi,
  /^(?:Enter|Esc|Shift|Ctrl|Alt|Tab)$/g,
  /\b\d[\d.,\s]*(?:bytes?|kB|MB|GB)\b|(?:\b(?:kilo)?baiti|\b[MG]B) \d[\d.]*/g,
  /x{20,}/g,
];

/** English words that no other language spells the same way. */
const ENGLISH_WORD =
  /\b(?:the|and|of|to|is|are|was|were|your|you|with|from|this|that|these|not|or|by|on|at|for|it|its|be|been|have|will|can|cannot|please|hours?|days?|weeks?|months?|years?|today|yesterday|activity|activities|school|schools|entry|entries|volunteers?|January|February|March|April|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b/i;

type Sentence = Readonly<{ pattern: RegExp; text: string }>;

const english = flat(loadMessages(LANGUAGES[0]));
const spoken = flat(loadMessages(SPOKEN));
/** All sentences of the tests' language, and the English ones that differ from it. */
const own = sentences(Object.values(spoken));
const foreign = sentences(Object.keys(english).flatMap((key) => differing(english[key], spoken[key])));

/** Returns the visible texts and accessible names on the page that are not in the tests' language. */
export async function untranslated(page: Page): Promise<string[]> {
  if (SPOKEN === LANGUAGES[0]) return [];
  const texts = await page.evaluate(wordsOnPage);
  return [...new Set(texts)].flatMap((text) => faultsIn(text).map((fault) => `${fault}: ${text}`));
}

function faultsIn(text: string): string[] {
  const rest = withoutContent(text);
  if (!/\p{L}{2}/u.test(rest)) return [];
  const unmarked = withoutMarked(rest);
  if (unmarked !== undefined)
    return /\p{L}{2}/u.test(withoutDays(unmarked)) ? [`unmarked “${unmarked}”`] : [];
  const matching = own.filter(({ pattern }) => pattern.test(text));
  if (matching.length > 0) {
    const values = matching.map(({ pattern }) => pattern.exec(text)?.slice(1) ?? []);
    // One match without an error is enough, because a pattern cannot tell which comma of 'a, b, c' is its own.
    const faults = values.map((found) => found.flatMap((value) => valueFaults(value ?? '')));
    return faults.find((none) => none.length === 0) ?? faults[0] ?? [];
  }
  const like = foreign.find(({ pattern }) => pattern.test(text));
  if (like !== undefined) return [`English “${like.text}”`];
  const [word] = ENGLISH_WORD.exec(rest) ?? [];
  return word === undefined ? [] : [`English word “${word}”`];
}

// A placeholder's value may be a message too.
function valueFaults(value: string): string[] {
  const rest = withoutContent(value);
  if (!/\p{L}{2}/u.test(rest)) return [];
  if (own.some(({ pattern }) => pattern.test(value))) return [];
  const like = foreign.find(({ text }) => text === value);
  if (like !== undefined) return [`English “${like.text}”`];
  const [word] = ENGLISH_WORD.exec(rest) ?? [];
  return word === undefined ? [] : [`English word “${word}”`];
}

function withoutContent(text: string): string {
  const longestFirst = CONTENT.toSorted((a, b) => b.length - a.length);
  const strange = longestFirst.reduce((rest, one) => rest.replaceAll(one, '·'), text);
  return SIGNS.reduce((rest, sign) => rest.replaceAll(sign, '·'), strange);
}

/** Removes the names of months and days of the week, which Intl formats. */
function withoutDays(text: string): string {
  const name = (of: Intl.DateTimeFormatOptions, month: number, day: number) =>
    new Intl.DateTimeFormat(LOCALE, { ...of, timeZone: 'UTC' }).format(Date.UTC(2026, month, day));
  const names = (['long', 'short'] as const).flatMap((length) => [
    ...Array.from({ length: 12 }, (_, month) => name({ month: length }, month, 1)),
    ...Array.from({ length: 7 }, (_, day) => name({ weekday: length }, 0, day + 1)),
  ]);
  return names.toSorted((a, b) => b.length - a.length).reduce((rest, one) => rest.replaceAll(one, '·'), text);
}

// Sentences without placeholders first, because they match more exactly.
function sentences(texts: readonly string[]): Sentence[] {
  return [...new Set(texts)]
    .filter((text) => (text.replaceAll(/\{\{[^}]*\}\}/g, '').match(/\p{L}/gu) ?? []).length >= 3)
    .map((text) => ({ text, pattern: patternOf(text) }))
    .toSorted((a, b) => Number(a.text.includes('{{')) - Number(b.text.includes('{{')));
}

// Collapses spaces, as the page does.
function patternOf(text: string): RegExp {
  const pieces = text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .split(/\{\{[^}]*\}\}/);
  const literal = pieces.map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('(.+)')}$`);
}

function differing(text: string | undefined, translated: string | undefined): string[] {
  return text === undefined || text === translated ? [] : [text];
}

function flat(texts: ReturnType<typeof loadMessages>): Record<string, string> {
  const named = Object.entries(texts).flatMap(([namespace, words]) =>
    Object.entries(words).map(([key, text]) => [`${namespace}:${key}`, text] as const),
  );
  return Object.fromEntries(named);
}

function namesOf(language: string): string[] {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return [name, `${name.charAt(0).toLocaleUpperCase(language)}${name.slice(1)}`];
}

// Runs in the page.
function wordsOnPage(): string[] {
  const plain = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  const isShown = (element: Element): boolean =>
    element instanceof HTMLOptionElement
      ? isShown(element.closest('select') ?? document.body)
      : element.checkVisibility({ visibilityProperty: true });
  const found = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const holder = node.parentElement;
    if (holder === null || holder.closest('script, style, noscript, template') !== null) continue;
    if (isShown(holder)) found.push(node.textContent ?? '');
  }
  const NAMES = [
    'aria-label',
    'aria-description',
    'aria-roledescription',
    'aria-valuetext',
    'title',
    'placeholder',
    'alt',
  ];
  for (const element of document.body.querySelectorAll(NAMES.map((name) => `[${name}]`).join())) {
    if (isShown(element)) found.push(...NAMES.map((name) => element.getAttribute(name) ?? ''));
  }
  return found.map(plain).filter((text) => text !== '');
}
