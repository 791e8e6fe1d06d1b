import type { Text } from './translate.ts';

/** A language as the page calls it: 'Spanish', 'inglés'. */
export function languageName(name: string, { language }: Pick<Text, 'language'>): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(name) ?? name;
}
