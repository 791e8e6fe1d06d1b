import type { Message } from '#shared/i18n/message.ts';
import type { Deps } from '../deps.ts';
import { translate } from '../i18n/translator.ts';

/** A number of referencing records, and the message that states it. */
export type Counted = Readonly<{ count: number | null; say: (count: number) => Message }>;

/** Describes what prevents a deletion, such as '14 time entries and 2 photos'; blank if nothing does. */
export function describeCounts(deps: Pick<Deps, 'translator'>, counts: readonly Counted[]): string {
  const phrases = counts.flatMap(({ count, say }) =>
    count === null || count === 0 ? [] : [translate(deps, say(count))],
  );
  return new Intl.ListFormat(deps.translator.language).format(phrases);
}
