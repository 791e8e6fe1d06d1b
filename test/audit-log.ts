import type { TestApp } from './harness.ts';

/** The audit events of a record, oldest first. */
export async function recordOf(app: TestApp, subject: string, id: number) {
  const rows = await app.deps.database.db
    .selectFrom('audit_events')
    .selectAll()
    .where('subject', '=', subject)
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    action: row.action,
    actorId: row.actor_id,
    schoolId: row.school_id,
    at: row.at,
    address: row.address,
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  }));
}
