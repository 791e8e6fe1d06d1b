import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Which reminders people asked for, and what they were last sent: at most two letters a week, one of each kind a day. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  await sql`create table reminder_mail (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    after_events ${t.flag('after_events')} not null,
    weekly ${t.flag('weekly')} not null,
    decisions ${t.flag('decisions')} not null,
    last_event_day ${t.date('last_event_day')},
    last_weekly_day ${t.date('last_weekly_day')},
    week_from ${t.date('week_from')},
    letters ${t.whole} not null default 0
  ) ${t.end}`.execute(db);
}
