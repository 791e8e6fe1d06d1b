import type { Db } from '#server/db/database.ts';
import { heldAmong, isActivityHeld, isSchoolHeld } from '#server/personal-data/legal-hold-store.ts';
import { refuse } from '#shared/errors.ts';
import { sayFrom } from '#shared/i18n/message.ts';
import type texts from '../messages.emails.en.json';

const say = sayFrom<typeof texts>('district-settings');

/** Why something stays that a legal hold covers, among others that are deleted. */
export const keptUnderHold = say('keptUnderHold');

/** Why something is refused that a legal hold covers. */
export const underHold = say('underHold');

/** 409 when a legal hold covers a person. */
export async function refuseHeldPerson(db: Db, userId: number): Promise<void> {
  if ((await heldAmong(db, [userId])).size > 0) throw refuse.conflict(underHold);
}

/** 409 when a legal hold covers a school. */
export async function refuseHeldSchool(db: Db, schoolId: number): Promise<void> {
  if (await isSchoolHeld(db, schoolId)) throw refuse.conflict(underHold);
}

/** 409 when a legal hold covers an activity, or what lies in its trash. */
export async function refuseHeldActivity(db: Db, activity: { id: number; schoolId: number }): Promise<void> {
  if (await isActivityHeld(db, activity)) throw refuse.conflict(underHold);
}
