import type { i18n } from 'i18next';
import { type Language, LOCALES } from '#base/language.ts';
import type { MessageValues } from '#base/message.ts';
import { formatNumber } from '#base/numbers.ts';

/** A piece of a text that stays as it is, or the place of a value. */
type Piece = string | Readonly<{ value: string; isNumber: boolean }>;

export type QuickTexts = Readonly<{
  say: (key: string, values?: MessageValues) => string;
  /** To be called when texts were added. */
  forget: () => void;
}>;

/**
 * Says a catalogue's texts as the catalogue would, and takes each apart only once: a list draws the same few texts hundreds
 * of times, and the library needs as long for each as React for the row. What this does not know it leaves to the library.
 */
export function quickTexts(catalogue: i18n, language: Language): QuickTexts {
  const known = new Map<string, readonly Piece[] | undefined>();
  let plurals: Intl.PluralRules | undefined;

  function piecesOf(name: string): readonly Piece[] | undefined {
    if (known.has(name)) return known.get(name);
    const [room = '', key = ''] = name.split(':');
    const text: unknown = catalogue.getResource(language, room, key);
    const pieces = typeof text === 'string' ? takenApart(text) : undefined;
    known.set(name, pieces);
    return pieces;
  }

  function formOf(key: string, count: number): readonly Piece[] | undefined {
    plurals ??= new Intl.PluralRules(LOCALES[language]);
    const counted = piecesOf(`${key}_${plurals.select(count)}`);
    return (count === 0 ? piecesOf(`${key}_zero`) : undefined) ?? counted ?? piecesOf(key);
  }

  function say(key: string, values: MessageValues = {}): string {
    const { count } = values;
    const pieces = typeof count === 'number' ? formOf(key, count) : piecesOf(key);
    return (pieces && joined(pieces, values, LOCALES[language])) ?? catalogue.t(key, values);
  }

  return { say, forget: () => known.clear() };
}

const PLACE = /\{\{(\w+)(, number)?\}\}/;

function takenApart(text: string): readonly Piece[] | undefined {
  const [first = '', ...rest] = text.split(PLACE);
  const pieces: Piece[] = [first];
  for (let at = 0; at < rest.length; at += 3) {
    pieces.push({ value: rest[at] ?? '', isNumber: rest[at + 1] !== undefined }, rest[at + 2] ?? '');
  }
  const isKnown = pieces.every((piece) => typeof piece !== 'string' || !/\{\{|\$t\(/.test(piece));
  return isKnown ? pieces : undefined;
}

function joined(pieces: readonly Piece[], values: MessageValues, language: string): string | undefined {
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece;
      continue;
    }
    const value = values[piece.value];
    if (value === undefined) return undefined;
    text += piece.isNumber ? formatNumber(Number(value), language) : value;
  }
  return text;
}
