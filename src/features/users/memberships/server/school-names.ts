import type { Db } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { withNameLanguage } from '#server/i18n/locale.ts';
import { type MessageRecipient, withRecipientNames } from '#server/i18n/recipient-language.ts';
import { htmlLanguage } from '#server/i18n/translator.ts';
import { errors } from '#shared/errors.ts';
import type { Language } from '#shared/i18n/languages.ts';
import { messages } from '../../contract.ts';
import { namesOfSchools } from './store.ts';

export { namesOfSchools } from './store.ts';

/** The name of a school in the language of an email's recipient. */
export async function schoolNameFor(
  db: Db,
  deps: Parameters<typeof withRecipientNames>[0],
  reader: MessageRecipient,
  schoolId: number,
): Promise<string> {
  const [name = ''] = await withRecipientNames(deps, reader, () => namesOfSchools(db, [schoolId]));
  return name;
}

/** Returns schools as a list in a sentence: 'Adams, Lincoln, and Madison'. */
export async function schoolNames(
  db: Db,
  deps: Pick<Deps, 'translator'>,
  schoolIds: readonly number[],
): Promise<string> {
  const language = htmlLanguage(deps.translator) as Language;
  const names = await withNameLanguage(language, () => namesOfSchools(db, schoolIds));
  return new Intl.ListFormat(deps.translator.language).format(names);
}

/** Throws an error that names these schools, because they require an invitation. Does nothing for an empty list. */
export async function rejectWithoutInvitation(
  db: Db,
  deps: Deps,
  schoolIds: readonly number[],
): Promise<void> {
  if (schoolIds.length === 0) return;
  const schools = await schoolNames(db, deps, schoolIds);
  throw errors.forbidden(messages.joinNeedsInvite(schools, deps.config.supportEmail));
}
