import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * Whether somebody of the district let a member in, for districts that show photos to those alone. Of members so far, not
 * those who registered themselves without an invitation to the school and without an approval.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  await sql`alter table user_schools add column is_approved ${t.flag('is_approved')} not null default 1`.execute(
    db,
  );
  await sql`update user_schools set is_approved = 0
    where (status = 'pending' or exists (
        select 1 from audit
        where audit.subject = 'user' and audit.subject_id = user_schools.user_id and audit.action = 'account.register'))
      and not exists (
        select 1 from audit
        where audit.subject = 'user' and audit.subject_id = user_schools.user_id
          and audit.action = 'membership.approve' and audit.school_id = user_schools.school_id)
      and not exists (
        select 1 from invites join invite_schools on invite_schools.invite_id = invites.id
        where invites.used_by = user_schools.user_id and invite_schools.school_id = user_schools.school_id)`.execute(
    db,
  );
}
