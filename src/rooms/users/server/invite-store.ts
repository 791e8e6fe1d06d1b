import type { Instant } from '#base/calendar-date.ts';
import type { Db } from '#server/db/connect.ts';
import type { Page } from '#server/db/page.ts';
import { containsWords } from '#server/db/search.ts';
import type { Invite } from '../contract.ts';

/** Which invitations: those a search finds, and only those that can be used at a moment when one is given. */
export type InviteFilter = Readonly<{ search: string; openAt: Instant | undefined }>;

/** A page of invitations, the latest first; one more than the page's limit, to see if more come. */
export async function pageOfInvites(db: Db, filter: InviteFilter, page: Page): Promise<Invite[]> {
  const [id] = page.after ?? [];
  const rows = await filtered(db, filter)
    .leftJoin('users', 'users.id', 'invites.invited_by')
    .select(SHOWN)
    .$if(id !== undefined, (query) => query.where('invites.id', '<', Number(id)))
    .orderBy('invites.id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return asInvites(db, rows);
}

/** How many invitations a filter finds. */
export async function countInvites(db: Db, filter: InviteFilter): Promise<number> {
  const { count } = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** An invitation, or nothing. */
export async function findInvite(db: Db, id: number): Promise<Invite | undefined> {
  const rows = await db
    .selectFrom('invites')
    .leftJoin('users', 'users.id', 'invites.invited_by')
    .select(SHOWN)
    .where('invites.id', '=', id)
    .execute();
  return (await asInvites(db, rows))[0];
}

/** The schools that invitations open, by name. */
export function schoolsOfInvites(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('invite_schools')
    .innerJoin('schools', 'schools.id', 'invite_schools.school_id')
    .select(['invite_schools.invite_id', 'schools.id', 'schools.name', 'schools.logo_url as logoUrl'])
    .where('invite_schools.invite_id', 'in', ids)
    .orderBy('schools.name_key')
    .execute();
}

const SHOWN = [
  'invites.id',
  'invites.email',
  'invites.role',
  'invites.created_at',
  'invites.expires_at',
  'invites.used_at',
  'invites.invited_by',
  'users.first_name',
  'users.last_name',
] as const;

type ShownRow = Readonly<{
  id: number;
  email: string;
  role: Invite['role'];
  created_at: Instant;
  expires_at: Instant;
  used_at: Instant | null;
  invited_by: number | null;
  first_name: string | null;
  last_name: string | null;
}>;

function filtered(db: Db, { search, openAt }: InviteFilter) {
  return db
    .selectFrom('invites')
    .where(containsWords('invites.email_key', search))
    .$if(openAt !== undefined, (query) =>
      query.where('invites.used_at', 'is', null).where('invites.expires_at', '>', openAt as Instant),
    );
}

async function asInvites(db: Db, rows: readonly ShownRow[]): Promise<Invite[]> {
  const schools = await schoolsOfInvites(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    role: row.role,
    schools: schools
      .filter((school) => school.invite_id === row.id)
      .map(({ id, name, logoUrl }) => ({ id, name, logoUrl })),
    invitedBy:
      row.invited_by === null
        ? null
        : { id: row.invited_by, firstName: row.first_name ?? '', lastName: row.last_name ?? '' },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
  }));
}
