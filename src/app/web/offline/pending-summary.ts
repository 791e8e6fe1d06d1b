import type { Text } from '#web/i18n/translate.ts';
import type { Waiting } from '#web/offline/pending-changes.ts';

type Kinds = readonly Pick<Waiting, 'kind'>[];

/** What waits in words: '2 entries and 1 photo'. */
export function inWords(waiting: Kinds, { t, language }: Text): string {
  const of = (kind: Waiting['kind']) => waiting.filter((one) => one.kind === kind).length;
  const [entries, photos] = [of('entry'), of('photo')];
  const words = [
    ...(entries > 0 ? [t('time-entries:waitingEntries', { count: entries })] : []),
    ...(photos > 0 ? [t('photos:waitingPhotos', { count: photos })] : []),
  ];
  return new Intl.ListFormat(language).format(words);
}
