import { errors } from '#shared/errors.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '#shared/messages.server.en.json';
import type { Db } from '../db/database.ts';
import {
  hasSuggestionUnderLegalHold,
  isActivityUnderLegalHold,
  isSchoolUnderLegalHold,
  usersUnderLegalHold,
} from './legal-hold-store.ts';

const say = messageFactory<typeof texts>('shared');

/** The reason why a bulk deletion skips a record: a legal hold covers it. */
export const keptUnderHold = say('keptUnderHold');

/** The reason why a deletion is rejected: a legal hold covers the record. */
export const underHold = say('underHold');

/** Throws 409 if a legal hold covers the person. */
export async function rejectIfPersonUnderLegalHold(db: Db, userId: number): Promise<void> {
  if ((await usersUnderLegalHold(db, [userId])).size > 0) throw errors.conflict(underHold);
}

/** Throws 409 if a legal hold covers the school. */
export async function rejectIfSchoolUnderLegalHold(db: Db, schoolId: number): Promise<void> {
  if (await isSchoolUnderLegalHold(db, schoolId)) throw errors.conflict(underHold);
}

/** Throws 409 if a legal hold covers the school or a suggestion that is deleted with it. */
export async function rejectIfSchoolOrSuggestionUnderLegalHold(db: Db, schoolId: number): Promise<void> {
  await rejectIfSchoolUnderLegalHold(db, schoolId);
  if (await hasSuggestionUnderLegalHold(db, schoolId)) throw errors.conflict(underHold);
}

/** Throws 409 if a legal hold covers the activity's school, or a user with entries or photos of the activity. */
export async function rejectIfActivityUnderLegalHold(
  db: Db,
  activity: { id: number; schoolId: number },
): Promise<void> {
  if (await isActivityUnderLegalHold(db, activity)) throw errors.conflict(underHold);
}
