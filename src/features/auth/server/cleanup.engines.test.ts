import { expect, test } from 'vitest';
import { deleteOldInvitations } from '#features/users/invitations/server/actions.ts';
import { deleteExpiredConfirmations } from '#features/users/server/email-confirmation.ts';
import { transaction } from '#server/db/database.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { anAdministrator, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';
import { deleteOldPasswordLinks } from '../passwords/server/password-link-store.ts';
import { deleteExpiredSessions } from '../sessions/server/actions.ts';
import { deleteOldKnownDevices } from './known-device-store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CLEANUPS = [
  deleteExpiredConfirmations,
  deleteOldInvitations,
  deleteOldKnownDevices,
  deleteOldPasswordLinks,
  deleteExpiredSessions,
];

test('expired links, sessions, invitations and known devices are deleted after their retention periods', async () => {
  const app = await startApp({ REGISTRATION: 'verify-email' });
  const { db } = app.deps.database;
  const school = await aSchool(app);
  const { token } = await anAdministrator(app);
  const { email } = await aPerson(app);
  const began = app.clock.now();
  const [ann, bob, cleo] = [{ email }, { email: 'bob@maple.example' }, { email: 'cleo@maple.example' }];
  const schoolIds = [school.id];
  await app.call('POST /api/auth/login', { body: { ...ann, password: PASSWORD } });
  await app.call('POST /api/auth/forgot-password', { body: ann });
  await app.call('POST /api/admin/invites', { token, body: { ...bob, schoolIds } });
  const registration = { ...cleo, password: PASSWORD, firstName: 'Cleo', lastName: 'Case', schoolIds };
  await app.call('POST /api/auth/register', { body: registration });

  const keptAfter = async (milliseconds: number) => {
    const now: Instant = plusMilliseconds(began, milliseconds);
    await transaction(app.deps.database, async (trx) => {
      for (const cleanUp of CLEANUPS) await cleanUp(trx, now);
    });
    const tables = ['email_confirmations', 'sessions', 'password_links', 'invites', 'known_devices'] as const;
    const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
    return tables.filter((_, index) => rows[index]?.length !== 0);
  };
  expect(await keptAfter(DAY)).toHaveLength(5);
  expect(await keptAfter(DAY + 1)).toEqual(['sessions', 'password_links', 'invites', 'known_devices']);
  expect(await keptAfter(30 * DAY)).toHaveLength(4);
  expect(await keptAfter(30 * DAY + 1)).toEqual(['password_links', 'invites', 'known_devices']);
  expect(await keptAfter(30 * DAY + HOUR)).toHaveLength(3);
  expect(await keptAfter(30 * DAY + HOUR + 1)).toEqual(['invites', 'known_devices']);
  expect(await keptAfter(44 * DAY)).toHaveLength(2);
  expect(await keptAfter(44 * DAY + 1)).toEqual(['known_devices']);
  expect(await keptAfter(90 * DAY)).toHaveLength(1);
  expect(await keptAfter(90 * DAY + 1)).toEqual([]);
});
