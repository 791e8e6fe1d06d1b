import type { Db } from '#server/db/database.ts';
import {
  isActivityUnderLegalHold,
  isSchoolUnderLegalHold,
  usersUnderLegalHold,
} from '#server/personal-data/legal-hold-store.ts';
import { errors } from '#shared/errors.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.emails.en.json';

const say = messageFactory<typeof texts>('district-settings');

/** Why something stays that a legal hold covers, among others that are deleted. */
export const keptUnderHold = say('keptUnderHold');

/** Why something is refused that a legal hold covers. */
export const underHold = say('underHold');

/** 409 when a legal hold covers a person. */
export async function rejectIfPersonUnderLegalHold(db: Db, userId: number): Promise<void> {
  if ((await usersUnderLegalHold(db, [userId])).size > 0) throw errors.conflict(underHold);
}

/** 409 when a legal hold covers a school. */
export async function rejectIfSchoolUnderLegalHold(db: Db, schoolId: number): Promise<void> {
  if (await isSchoolUnderLegalHold(db, schoolId)) throw errors.conflict(underHold);
}

/** 409 when a legal hold covers an activity, or what lies in its trash. */
export async function rejectIfActivityUnderLegalHold(
  db: Db,
  activity: { id: number; schoolId: number },
): Promise<void> {
  if (await isActivityUnderLegalHold(db, activity)) throw errors.conflict(underHold);
}
