import { type RawBuilder, sql } from 'kysely';
import type { SchoolScope } from '../../http/viewer.ts';
import type { Db } from '../database.ts';
import { inSchools, isOneOf } from './conditions.ts';

/** The schools of a request's scope that verify hours. */
export type VerifyingSchools = readonly number[];

/** The schools of a scope that verify hours; with an activity, only its school. */
export async function verifyingSchools(
  db: Db,
  schools: SchoolScope,
  activityId?: number,
): Promise<VerifyingSchools> {
  const ofActivity =
    activityId === undefined
      ? sql``
      : sql`and id = (select school_id from activities where activities.id = ${activityId})`;
  const { rows } = await sql<{ id: number }>`select id from schools
    where verification = 'on' and ${inSchools('id', schools)} ${ofActivity} order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Whether a live entry is verified, at a school that verifies hours. */
export function isVerified(verifying: VerifyingSchools): RawBuilder<boolean> {
  return isInState(verifying, 'verified');
}

/** Whether a live entry is in a state, at a school that verifies hours. */
export function isInState(
  verifying: VerifyingSchools,
  status: 'waiting' | 'verified' | 'declined',
): RawBuilder<boolean> {
  return sql<boolean>`time_entries.verification = ${sql.lit(status)} and time_entries.deleted_at is null
    and ${isOneOf('time_entries.school_id', verifying)}`;
}

/**
 * The counted hundredths of an entry or a rollup row. Decisions made before a school stopped verifying stay
 * stored, but do not count.
 */
export function countedHundredths(verifying: VerifyingSchools, table: string): RawBuilder<number> {
  if (verifying.length === 0) return sql<number>`0`;
  return sql<number>`case when ${isOneOf(`${table}.school_id`, verifying)}
    then ${sql.ref(`${table}.counted_hundredths`)} else 0 end`;
}
