import type { Actor } from '#server/audit-log.ts';
import { inChunks } from '#server/db/chunks.ts';
import type { Trx } from '#server/db/database.ts';
import { newToken } from '#server/secrets.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { cleanEmail } from '#shared/email-address.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { emailKey } from '../../contract.ts';
import { insertActiveMemberships } from '../../server/bulk-accounts-store.ts';
import { withAddress } from '../../server/email-change-store.ts';
import { keysOf, vouched } from '../../server/store.ts';

/** A person on a paper sign-in sheet; `email` is blank if the sheet has none. */
export type GuestVolunteerNames = Readonly<{ firstName: string; lastName: string; email: string }>;

/** Adds people who cannot sign in as active members of a school. Returns their IDs in the given order. */
export async function insertGuestVolunteers(
  trx: Trx,
  people: readonly GuestVolunteerNames[],
  { schoolId, at }: { schoolId: number; at: Instant },
): Promise<number[]> {
  // An address that cannot be guessed, at a domain that receives no mail (RFC 2606).
  const made = people.map((person) => ({ person, email: `walk-in-${newToken()}@walk-in.invalid` }));
  const ids = new Map<string, number>();
  await inChunks(made, async (some) => {
    const rows = await trx
      .insertInto('users')
      .values(
        some.map(({ person, email }) => ({
          ...namesOf(person),
          email,
          email_key: emailKey(email),
          role: 'user' as const,
          is_active: 1 as const,
          is_walk_in: 1 as const,
          created_at: at,
        })),
      )
      .returning(['id', 'email'])
      .execute();
    for (const row of rows) ids.set(row.email, row.id);
  });
  const inOrder = made.flatMap(({ email }) => ids.get(email) ?? []);
  const memberships = inOrder.map((userId) => ({ userId, schoolId }));
  await insertActiveMemberships(trx, memberships, at);
  return inOrder;
}

/** Changes the details of a guest volunteer. */
export async function updateGuestVolunteer(
  trx: Trx,
  actor: Actor,
  id: number,
  { isActive, ...person }: GuestVolunteerNames & { isActive: boolean },
): Promise<void> {
  await withAddress(trx, actor, { userId: id, email: person.email }, () =>
    trx
      .updateTable('users')
      .set((eb) => ({ ...namesOf(person), is_active: isActive ? 1 : 0, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('is_walk_in', '=', 1)
      .execute(),
  );
}

/**
 * Turns a guest volunteer into an account whose address the actor vouches for. A unique violation means that the address is
 * taken.
 */
export async function upgradeGuestVolunteer(
  trx: Trx,
  actor: Actor,
  id: number,
  person: GuestVolunteerNames,
): Promise<void> {
  await withAddress(trx, actor, { userId: id, email: person.email }, () =>
    trx
      .updateTable('users')
      .set((eb) => ({
        ...keysOf(person),
        email: cleanEmail(person.email),
        contact_email: null,
        is_walk_in: 0,
        ...vouched(actor.userId, actor.at),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .where('is_walk_in', '=', 1)
      .execute(),
  );
}

function namesOf({ firstName, lastName, email }: GuestVolunteerNames) {
  return {
    first_name: firstName,
    last_name: lastName,
    contact_email: email === '' ? null : cleanEmail(email),
    sort_key: foldForSearch(`${lastName} ${firstName}`),
    search_key: foldForSearch(`${firstName} ${lastName} ${email}`.trim()),
  };
}
