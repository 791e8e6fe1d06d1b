import { startSession } from '#features/auth/sessions/server/actions.ts';
import { insertMemberships, insertUser } from '#features/users/server/store.ts';
import { TOKEN_PREFIX } from '#features/verification/external-verifiers/contract.ts';
import { insertVerifierEmail } from '#features/verification/external-verifiers/server/store.ts';
import { transaction } from '#server/db/database.ts';
import { hashPassword } from '#server/passwords.ts';
import { hashToken } from '#server/secrets.ts';
import { type CalendarDate, day, plusMilliseconds } from '#shared/calendar-date.ts';
import { canonicalMailbox } from '#shared/email-address.ts';
import { toHundredths } from '#shared/hours.ts';
import type { GrantRole } from '#shared/permissions.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { type TestApp, TODAY } from './harness.ts';

/** The password of all accounts that the builders make. */
export const PASSWORD = 'sunny-meadow-17';

let lastNumber = 0;
const next = () => ++lastNumber;

/** Returns an unused email address, even if a test runs a second time. */
export const anAddress = () => `vera${next()}@maplegrove.example`;

let hashedPassword: Promise<string> | undefined;

/** Whether schools verify hours by default. With VERIFYING=1 a file's tests run at schools that do. */
const VERIFICATION = process.env['VERIFYING'] === '1' ? 'on' : 'off';

/** The text that a verifying school's screen adds to the hours of a day without verified ones. */
export const NONE_VERIFIED = VERIFICATION === 'on' ? ', 0 verified' : '';

/** Makes a school. */
export async function aSchool(app: TestApp, given: { name?: string; verification?: 'off' | 'on' } = {}) {
  const name = given.name ?? `School ${next()}`;
  const { verification = VERIFICATION } = given;
  const { id } = await app.deps.database.db
    .insertInto('schools')
    .values({
      name,
      name_key: foldForSearch(name),
      logo_url: null,
      verification,
      created_at: app.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name };
}

/** Makes an account and signs it in; pass its `token` to `call`. */
export async function aPerson(
  app: TestApp,
  given: {
    role?: 'user' | 'admin';
    schools?: readonly { id: number }[];
    firstName?: string;
    lastName?: string;
    email?: string;
    /** Whether the address is confirmed; true by default. */
    isProven?: boolean;
  } = {},
) {
  hashedPassword ??= hashPassword(PASSWORD);
  const passwordHash = await hashedPassword;
  const number = next();
  const person = {
    email: given.email ?? `person${number}@maplegrove.example`,
    firstName: given.firstName ?? 'Pat',
    lastName: given.lastName ?? `Person ${number}`,
    role: given.role ?? 'user',
  } as const;
  return transaction(app.deps.database, async (trx) => {
    const id = await insertUser(trx, {
      ...person,
      isActive: true,
      passwordHash,
      at: app.clock.now(),
      isVerified: given.isProven !== false,
    });
    const schoolIds = (given.schools ?? []).map((school) => school.id);
    await insertMemberships(trx, id, schoolIds, { at: app.clock.now(), isApproved: true });
    const request = { at: app.clock.now(), address: '10.0.0.1', requestId: 'test', agent: 'test' };
    const token = await startSession(trx, id, request);
    return { id, token, ...person };
  });
}

/** Makes an account with a role at a school, or at all schools when `school` is null. */
export async function aPersonWithRole(
  app: TestApp,
  role: GrantRole,
  school: { id: number } | null,
  given: Parameters<typeof aPerson>[1] = {},
) {
  const person = await aPerson(app, given);
  await aGrant(app, person, role, school);
  return person;
}

/** Grants a role at a school, or at all schools when `school` is null. */
export async function aGrant(
  app: TestApp,
  person: { id: number },
  role: GrantRole,
  school: { id: number } | null,
): Promise<void> {
  const grant = { user_id: person.id, role, school_id: school?.id ?? null };
  await app.deps.database.db
    .insertInto('user_grants')
    .values({ ...grant, created_at: app.clock.now() })
    .execute();
}

export const anAdministrator = (app: TestApp) => aPerson(app, { role: 'admin', firstName: 'Ada' });

/** Makes a category of a school. */
export async function aCategory(
  app: TestApp,
  given: { school: { id: number }; name?: string; kind?: 'event' | 'classroom' | 'other'; color?: string },
) {
  const name = given.name ?? `Category ${next()}`;
  const { id } = await app.deps.database.db
    .insertInto('categories')
    .values({
      school_id: given.school.id,
      name,
      name_key: foldForSearch(name),
      description: null,
      color: given.color ?? '#3498db',
      kind: given.kind ?? 'event',
      created_at: app.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name, schoolId: given.school.id };
}

/** Makes an activity of a school, in a new category unless one is given. */
export async function anActivity(
  app: TestApp,
  given: {
    school: { id: number };
    category?: { id: number };
    name?: string;
    isActive?: boolean;
    activeFrom?: CalendarDate | null;
    activeUntil?: CalendarDate | null;
    descriptionPrompt?: string;
  },
) {
  const category = given.category ?? (await aCategory(app, { school: given.school }));
  const name = given.name ?? `Activity ${next()}`;
  const { id } = await app.deps.database.db
    .insertInto('activities')
    .values({
      school_id: given.school.id,
      category_id: category.id,
      name,
      name_key: foldForSearch(name),
      description: null,
      is_active: given.isActive === false ? 0 : 1,
      active_from: given.activeFrom ?? null,
      active_until: given.activeUntil ?? null,
      requires_description: given.descriptionPrompt === undefined ? 0 : 1,
      description_prompt: given.descriptionPrompt ?? null,
      created_at: app.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name, schoolId: given.school.id, categoryId: category.id };
}

/** Makes a time entry, by default of today. */
export async function anEntry(
  app: TestApp,
  given: {
    by: { id: number };
    activity: { id: number; schoolId: number };
    hours?: number;
    date?: string;
    notes?: string;
    deletedBy?: { id: number };
  },
) {
  const hours = given.hours ?? 1;
  const { id } = await app.deps.database.db
    .insertInto('time_entries')
    .values({
      user_id: given.by.id,
      school_id: given.activity.schoolId,
      activity_id: given.activity.id,
      hours_hundredths: toHundredths(hours),
      entry_date: day(given.date ?? TODAY),
      notes: given.notes ?? null,
      created_at: app.clock.now(),
      deleted_at: given.deletedBy === undefined ? null : app.clock.now(),
      deleted_by: given.deletedBy?.id ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, hours };
}

/** The external verifier of `anOutsideLetter` by default. */
export const SUPERVISOR = 'coach@outside.example';

/** Makes entries that wait for an external verifier, and the emailed link. Turns on verification at their school. */
export async function anOutsideLetter(
  app: TestApp,
  given: {
    by: { id: number };
    activity: { id: number; schoolId: number };
    hours?: readonly number[];
    notes?: string;
    address?: string;
  },
) {
  const { activity, by, address = SUPERVISOR } = given;
  const { db } = app.deps.database;
  await db.updateTable('schools').set({ verification: 'on' }).where('id', '=', activity.schoolId).execute();
  await db
    .updateTable('activities')
    .set({ verification: 'outside', external_verifier: address })
    .where('id', '=', activity.id)
    .execute();
  const entries: { id: number; hours: number }[] = [];
  for (const hours of given.hours ?? [1.5]) {
    const entry = await anEntry(app, {
      by,
      activity,
      hours,
      ...(given.notes === undefined ? {} : { notes: given.notes }),
    });
    await db
      .updateTable('time_entries')
      .set({ verification: 'waiting' })
      .where('id', '=', entry.id)
      .execute();
    entries.push(entry);
  }
  const about = entries.map(({ id }) => ({ entryId: id, version: 1 }));
  return { ...(await aLetterAbout(app, { school: { id: activity.schoolId }, address, about })), entries };
}

/** Makes an email to an external verifier about entries in a version; `token` is that of its link. */
export async function aLetterAbout(
  app: TestApp,
  given: {
    school: { id: number };
    address: string;
    about: readonly { entryId: number; version: number }[];
  },
) {
  const token = `${TOKEN_PREFIX}${String(next()).padStart(43, 'x')}`;
  const madeAt = app.clock.now();
  const letter = {
    tokenHash: hashToken(token),
    schoolId: given.school.id,
    address: given.address,
    addressKey: canonicalMailbox(given.address),
    madeAt,
    madeDay: day(TODAY),
    expiresAt: plusMilliseconds(madeAt, 14 * 86_400_000),
  };
  const letterId = await transaction(app.deps.database, (trx) =>
    insertVerifierEmail(trx, letter, given.about),
  );
  return { token, letterId };
}

/** Makes the row of a photo, without a file. */
export async function aPhoto(
  app: TestApp,
  given: { by: { id: number }; activity: { id: number; schoolId: number }; deletedBy?: { id: number } },
) {
  const number = next();
  return app.deps.database.db
    .insertInto('photos')
    .values({
      activity_id: given.activity.id,
      school_id: given.activity.schoolId,
      user_id: given.by.id,
      caption: null,
      original_name: `photo-${number}.jpg`,
      file_size: 1000,
      storage_key: `photo-${number}`,
      sha256: String(number).padStart(64, '0'),
      width: 40,
      height: 30,
      google_photos_url: null,
      google_photos_id: null,
      created_at: app.clock.now(),
      deleted_at: given.deletedBy === undefined ? null : app.clock.now(),
      deleted_by: given.deletedBy?.id ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Makes an activity suggestion, by default pending. */
export async function aSuggestion(
  app: TestApp,
  given: {
    by: { id: number };
    school: { id: number };
    category?: { id: number };
    name?: string;
    /** The activity that it was approved as. */
    activity?: { id: number };
    status?: 'pending' | 'rejected' | 'deleted';
    adminReason?: string;
  },
) {
  const status = given.activity === undefined ? (given.status ?? 'pending') : 'approved';
  return app.deps.database.db
    .insertInto('activity_suggestions')
    .values({
      user_id: given.by.id,
      school_id: given.school.id,
      category_id: given.category?.id ?? null,
      name: given.name ?? `Suggestion ${next()}`,
      description: null,
      reason: null,
      is_year_long: 0,
      active_from: null,
      active_until: null,
      status,
      admin_reason: given.adminReason ?? null,
      approved_activity_id: given.activity?.id ?? null,
      decided_by: null,
      decided_at: status === 'pending' ? null : app.clock.now(),
      created_at: app.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** The request body for an edit of an entry, which must have its activity and hours. */
export async function editOf(app: TestApp, id: number, change: object) {
  const entry = await app.deps.database.db
    .selectFrom('time_entries')
    .select(['activity_id', 'hours_hundredths'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { activityId: entry.activity_id, hours: entry.hours_hundredths / 100, ...change };
}
