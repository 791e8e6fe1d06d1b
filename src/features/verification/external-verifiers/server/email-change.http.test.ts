import { expect, test } from 'vitest';
import { verifyRollups } from '#features/time-entries/rollups/server/rollups.ts';
import { changeAccountEmail } from '#features/users/server/email-confirmation.ts';
import { ownAddresses } from '#features/users/server/own-emails.ts';
import { transaction } from '#server/db/database.ts';
import { recordOf } from '#test/audit-log.ts';
import { anActivity, anAddress, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const ada = await anAdministrator(app);
const { db } = app.deps.database;

const send = (call: string, body: object, token = ada.token) => app.call(call, { token, body });

type Person = Awaited<ReturnType<typeof aPerson>>;

async function becomesAWalkIn({ id, email }: { id: number; email: string }) {
  const walkIn = { is_walk_in: 1, password_hash: null, contact_email: email } as const;
  await db.updateTable('users').set(walkIn).where('id', '=', id).execute();
}

/** Every way in which an account gets an email address. */
const WAYS: Readonly<Record<string, (person: Person, email: string) => Promise<unknown>>> = {
  'in the profile': ({ token }, email) => send('PUT /api/profile', { email }, token),
  'by confirming an emailed link': ({ id: userId }, email) => {
    const request = { at: app.clock.now(), address: '10.0.0.1', requestId: 'test', agent: 'test' };
    return transaction(app.deps.database, (trx) =>
      changeAccountEmail(trx, app.deps, request, { userId, email }),
    );
  },
  'by an administrator': ({ id }, email) => send(`PUT /api/admin/users/${id}`, { email }),
  'as a guest volunteer, from an administrator': async (person, email) => {
    await becomesAWalkIn(person);
    await send(`PUT /api/admin/users/${person.id}`, { email });
  },
  'with the account of a former guest volunteer': async (person, email) => {
    await becomesAWalkIn(person);
    await send(`POST /api/admin/users/${person.id}/invite`, { email });
  },
};

test.each(Object.entries(WAYS))(
  'hours verified from an address are reopened when the volunteer gets that address %s',
  async (_, get) => {
    const school = await aSchool(app, { verification: 'on' });
    const person = await aPerson(app, { schools: [school] });
    const activity = await anActivity(app, { school });
    const address = anAddress();
    const decided = async (by: string) => {
      const { id } = await anEntry(app, { by: person, activity, hours: 12 });
      const state = { verification: 'verified', counted_hundredths: 1200, decided_by_external: by } as const;
      await db
        .updateTable('time_entries')
        .set({ ...state, decided_at: app.clock.now() })
        .where('id', '=', id)
        .execute();
      return id;
    };
    const [own, others] = [await decided(address.toUpperCase()), await decided('coach@outside.example')];
    await get(person, address);
    const stateOf = async (id: number) => {
      const { verification, counted_hundredths } = await db
        .selectFrom('time_entries')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return [verification, counted_hundredths];
    };
    expect(await stateOf(own)).toEqual(['waiting', 0]);
    expect(await stateOf(others)).toEqual(['verified', 1200]);
    expect((await recordOf(app, 'time-entry', own)).at(-1)).toMatchObject({ action: 'entry.reopen' });
    expect(await verifyRollups(app.deps.database)).toEqual([]);
  },
);

test.each<[string, (walkIn: Person) => Promise<number>]>([
  [
    'gets an account at another address',
    async ({ id }) => {
      await send(`POST /api/admin/users/${id}/invite`, { email: anAddress() });
      return id;
    },
  ],
  [
    'is merged into an account',
    async ({ id }) => {
      const into = await aPerson(app);
      await send(`POST /api/admin/users/${id}/merge`, { into: into.id });
      return into.id;
    },
  ],
])(
  'the sign-in sheet address of a guest volunteer still counts as their own when the guest %s',
  async (_, change) => {
    const walkIn = await aPerson(app, { schools: [await aSchool(app)] });
    const email = anAddress();
    await becomesAWalkIn({ ...walkIn, email });
    const id = await change(walkIn);
    const isOwn = await ownAddresses(db, [id]);
    expect(isOwn(id, email)).toBe(true);
  },
);
