import { automatedReadability } from 'automated-readability';
import { colemanLiau } from 'coleman-liau';
import { daleChall } from 'dale-chall';
import { daleChallFormula, daleChallGradeLevel } from 'dale-chall-formula';
import { fleschKincaid } from 'flesch-kincaid';
import { gunningFog } from 'gunning-fog';
import { smogFormula } from 'smog-formula';
import { spache } from 'spache';
import { spacheFormula } from 'spache-formula';
import { syllable } from 'syllable';

/**
 * What the product is about. Whoever logs hours knows these words from the first screen, so they are no hard words to
 * the formulas that count those (Gunning's own rule for the words of a trade). Their length still counts.
 */
const OF_THE_PRODUCT = new Set([
  ...['account', 'activity', 'address', 'administrator', 'browser', 'calendar', 'category', 'code', 'device'],
  ...[
    'district',
    'email',
    'log',
    'online',
    'passkey',
    'password',
    'photo',
    'recovery',
    'suggestion',
    'supervisor',
    'volunteer',
  ],
]);
/** Names in the examples, and short forms: neither list has any. */
const NAMES = ['ann', 'excel', 'h', 'oak', 'pdf', 'qr', 'sam'];
const EASY_FOR_DALE_AND_CHALL = new Set([...daleChall, ...OF_THE_PRODUCT, ...NAMES]);
const EASY_FOR_SPACHE = new Set([...spache, ...OF_THE_PRODUCT, ...NAMES]);

/** The school year that a reader of English needs: the median of seven well-known formulas. */
export function gradeOf(text: string): number {
  const words = wordsOf(text, 'en');
  const longWords = words.filter((word) => syllable(word) >= 3);
  const counts = {
    sentence: sentencesOf(text, 'en').length,
    word: words.length,
    letter: words.join('').length,
    syllable: words.map((word) => syllable(word)).reduce((sum, one) => sum + one, 0),
  };
  const difficultWord = words.filter((word) => !isEasy(word, EASY_FOR_DALE_AND_CHALL)).length;
  const unfamiliarWord = new Set(words.filter((word) => !isEasy(word, EASY_FOR_SPACHE))).size;
  const complexPolysillabicWord = longWords.filter((word) => !isEasy(word, OF_THE_PRODUCT)).length;
  const grades = [
    automatedReadability({ ...counts, character: counts.letter }),
    colemanLiau(counts),
    daleChallGradeLevel(daleChallFormula({ ...counts, difficultWord }))[1],
    fleschKincaid(counts),
    gunningFog({ ...counts, complexPolysillabicWord }),
    smogFormula({ ...counts, polysillabicWord: longWords.length }),
    spacheFormula({ ...counts, unfamiliarWord }),
  ].sort((one, other) => one - other);
  return grades[3] ?? Number.NaN;
}

/** How easy a Spanish text is, from 0 to 100: Szigriszt's formula, read on the INFLESZ scale. */
export function easeInSpanish(text: string): number {
  const words = wordsOf(text, 'es');
  const syllables = words.map(syllablesInSpanish).reduce((sum, one) => sum + one, 0);
  return 206.835 - (62.3 * syllables) / words.length - words.length / sentencesOf(text, 'es').length;
}

/** The words of a text, without its numbers. */
export function wordsOf(text: string, language: string): string[] {
  return [...new Intl.Segmenter(language, { granularity: 'word' }).segment(text)]
    .filter(({ isWordLike, segment }) => isWordLike && /\p{L}/u.test(segment))
    .map(({ segment }) => segment);
}

function sentencesOf(text: string, language: string): string[] {
  return [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)]
    .map(({ segment }) => segment)
    .filter((sentence) => wordsOf(sentence, language).length > 0);
}

function isEasy(word: string, easy: ReadonlySet<string>): boolean {
  return baseForms(word).some((form) => easy.has(form));
}

// The lists name words in their first form; their authors count the regular others as known too.
function baseForms(written: string): string[] {
  const word = written.toLowerCase().replace('’', "'").replace(/'s$/, '');
  const cut = ['s', 'es', 'd', 'ed', 'ing', 'er', 'ly', "n't"].flatMap((ending) =>
    word.endsWith(ending) ? [word.slice(0, -ending.length)] : [],
  );
  const mended = cut.flatMap((form) => [`${form}e`, form.replace(/i$/, 'y'), form.replace(/(.)\1$/, '$1')]);
  return [word, ...cut, ...mended];
}

const VOWELS = 'aeiouáéíóúü';
const STRONG = 'aeoáéóíú';

// A vowel begins a syllable unless it is weak and stands beside another one.
function syllablesInSpanish(word: string): number {
  const letters = [
    ...word
      .toLowerCase()
      .replace(/qu|gu(?=[eéií])/g, 'g')
      .replace(/y$/, 'i'),
  ];
  const starts = letters.filter((letter, at) => {
    if (!VOWELS.includes(letter)) return false;
    const before = letters[at - 1] ?? '';
    return !VOWELS.includes(before) || (STRONG.includes(letter) && STRONG.includes(before));
  });
  return Math.max(1, starts.length);
}
