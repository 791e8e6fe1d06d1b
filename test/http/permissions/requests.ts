import { newCode } from '#server/secrets.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { anAuthenticator, codeOf } from '#test/authenticator.ts';
import { anActivity, anAddress, anEntry, aPerson, PASSWORD } from '#test/builders.ts';
import { type TestApp, TODAY } from '#test/harness.ts';
import { multipart } from '#test/upload.ts';
import { callOf } from '../../all-endpoints.ts';
import { phonePhoto } from '../../images/draw-image.ts';
import type { Thing } from './permission-table.ts';
import { BROWSER_KEY, SHEET, type Target, verifyAll } from './resources.ts';
import type { Persona } from './users.ts';

/** A request with its plain path; `number` is the thing's id in that path, if any. */
export type Sent = Readonly<{
  method: Endpoint['method'];
  path: string;
  number?: string;
  body?: object;
  headers?: Readonly<Record<string, string>>;
}>;

/** Creates a valid request of a call about a thing. */
export async function requestOf(
  app: TestApp,
  endpoint: Endpoint,
  { thing, target, persona }: { thing: Thing; target: Target; persona: Persona },
): Promise<Sent> {
  const call = callOf(endpoint);
  const { method, path, parts } = endpoint;
  const [param] = /:\w+/.exec(path) ?? [];
  const isInPath = param !== undefined && param !== ':format';
  const asked = parts.query === undefined || isInPath ? undefined : IN_QUERY[thing];
  const named = path
    .replace(':size', 'view')
    .replace(':format', 'csv')
    .replace(/:\w+/, () => target.name);
  const other = call === PREVIEW ? `into=${await another(app, target)}` : undefined;
  const query = target.query ?? other ?? (asked === undefined ? '' : `${asked}=${target.name}`);
  const body = await BODIES[call]?.(app, target, persona);
  const files = parts.files === undefined ? undefined : await picture(parts.files.field);
  return {
    method,
    path: `/api${named}${query === '' ? '' : `?${query}`}`,
    ...(isInPath && /^\d+$/.test(target.name) ? { number: target.name } : {}),
    ...(files ?? (body === undefined ? {} : { body })),
    ...(BROWSERS.includes(thing) || call === 'POST /auth/sign-in-link'
      ? { headers: { cookie: `vtt-sign-in=${BROWSER_KEY}`, 'x-device-key': BROWSER_KEY } }
      : {}),
  };
}

const PREVIEW = 'GET /admin/users/:id/merge';

// Another member of the same school.
async function another(app: TestApp, { schoolId }: Target): Promise<number> {
  const { id } = await aPerson(app, { schools: [{ id: schoolId }] });
  return id;
}

const IN_QUERY: Partial<Record<Thing, string>> = { school: 'schoolId', account: 'userId' };

// These things work only in the browser that requested them.
const BROWSERS: readonly Thing[] = ['sign-in code', 'account-linking token', 'sign-in link'];

let drawn: ReturnType<typeof phonePhoto> | undefined;

async function picture(field: string) {
  drawn ??= phonePhoto(8, 8);
  return multipart(field, [{ name: 'a.jpg', content: await drawn }]);
}

type Body = (
  app: TestApp,
  target: Target,
  persona: Persona,
) => object | undefined | Promise<object | undefined>;

const ANSWER = {
  id: 'eA',
  rawId: 'eA',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'eA', signature: 'eA' },
};

let made = 0;
const aName = () => `Made ${++made}`;
// Only previewed, because this name matches different things for different users.
const namesToTranslate = () => ({
  language: 'es',
  names: [{ name: aName(), translation: aName() }],
  preview: true,
});
const id = ({ name }: Target) => Number(name);
const CSV = 'firstName,lastName,email,role,schools\nAnn,Lee,ann.lee@maplegrove.example,admin,\n';

const withSecondProof: Body = async (app, _target, { id: userId }) => {
  if (userId !== 0) await anAuthenticator(app, { id: userId });
  return undefined;
};

// The values that a call needs in addition to its thing, so that only the sender decides the outcome.
const BODIES: Readonly<Record<string, Body>> = {
  'POST /auth/login': async (app) => ({ email: (await aPerson(app)).email, password: PASSWORD }),
  'POST /auth/register': (_app, { schoolId }) => ({
    email: anAddress(),
    password: PASSWORD,
    firstName: 'Nia',
    lastName: 'New',
    schoolIds: [schoolId],
  }),
  'POST /auth/verify-email': (_app, { name }) => ({ token: name }),
  'POST /auth/sign-in-link': () => ({ email: anAddress() }),
  'POST /auth/sign-in-link/open': (_app, { name }) => ({ token: name }),
  'POST /verify/:token': () => ({ unknownPerson: true }),
  'POST /auth/oidc/exchange': (_app, { name }) => ({ code: name }),
  'POST /auth/passkey': () => ({ passkey: ANSWER }),
  'POST /auth/second-factor/passkey': (_app, { name }) => ({ challenge: name.split(' ')[0] }),
  'POST /profile/second-factor/passkeys': () => ({
    name: aName(),
    passkey: { ...ANSWER, response: { clientDataJSON: 'e30', attestationObject: 'e30' } },
  }),
  'PUT /profile/second-factor/passkeys/:id': () => ({ name: aName() }),
  'POST /auth/oidc/link': (_app, { name }) => ({ challenge: name, password: PASSWORD }),
  'POST /auth/second-factor': (_app, { name }) => {
    const [challenge = '', code = 'x'] = name.split(' ');
    return { challenge, code };
  },
  'POST /profile/second-factor/totp/confirm': async (app, _target, { token }) => {
    const { body } = await app.call('POST /api/profile/second-factor/totp', { token });
    return { code: body.secret === undefined ? 'x' : codeOf(body.secret, app.clock.now()) };
  },
  'DELETE /admin/users/:id/second-factor': async (app, { name }) => {
    // An account that does not exist has nothing to take.
    await anAuthenticator(app, { id: Number(name) }).catch(() => undefined);
    return undefined;
  },
  'DELETE /profile/second-factor/totp': withSecondProof,
  'POST /profile/second-factor/recovery-codes': withSecondProof,
  'POST /auth/forgot-password': () => ({ email: anAddress() }),
  'POST /auth/reset-password': (_app, { name }) => ({ token: name, newPassword: 'sunny-meadow-19' }),
  'PUT /profile': () => ({ firstName: aName() }),
  'POST /auth/fresh': () => ({ password: PASSWORD }),
  'PUT /auth/change-password': () => ({ currentPassword: PASSWORD, newPassword: 'sunny-meadow-20' }),
  'POST /profile/erasure-request': () => ({ reason: 'I move away' }),
  'PUT /my-activity-suggestions/mail': () => ({ decisions: false }),
  'POST /profile/household/code': async (app, _target, { token }) => {
    await app.call('POST /api/profile/household', { token });
    return undefined;
  },
  'POST /profile/household/join': async (app, _target, { token }) => {
    await app.call('DELETE /api/profile/household', { token });
    const host = await aPerson(app);
    const { body } = await app.call('POST /api/profile/household', { token: host.token });
    return { code: body.household.code.code, agrees: true };
  },
  'PUT /profile/goal': () => ({ hours: 20 }),
  'POST /profile/thanks/put-away': () => ({ hours: 10 }),
  'PUT /admin/milestones': () => ({ milestones: [{ hours: 10, words: 'Thank you!' }] }),
  'POST /admin/milestones/people/file': () => ({ hours: 10 }),
  'PUT /profile/mailings': () => ({ isWanted: false }),
  'PUT /profile/reminders': () => ({ weekly: true }),
  'PUT /my-verifications/mail': () => ({ isWanted: false }),
  'PUT /admin/system/backup-mail': () => ({ isWanted: false }),
  'POST /admin/system/clock/confirm': () => ({ today: TODAY }),
  'POST /admin/activities/:id/log-code': () => ({ renew: true }),
  'POST /admin/activities/:id/sign-in-sheet': () => SHEET,
  'POST /log-codes/open': (_app, { name }) => ({ code: name }),
  'POST /activity-suggestions': (_app, target) => ({ name: aName(), schoolId: id(target) }),
  'POST /time-entries': (_app, target) => ({ activityId: id(target), hours: 1 }),
  'POST /time-entries/several': (_app, target) => ({ activityId: id(target), hours: 1, dates: [TODAY] }),
  'POST /time-entries/several/undo': async (app, target, { token }) => {
    const body = { activityId: id(target), hours: 1, dates: [TODAY] };
    const logged = await app.call('POST /api/time-entries/several', { token, body });
    return { batch: logged.body.batch ?? 'x' };
  },
  // Not an account's address, because the reply repeats it.
  'POST /time-entries/:id/supervisor': () => ({ address: `coach${++made}@rink.test` }),
  'POST /time-entries/:id/reopen-request': () => ({ note: aName() }),
  'PUT /time-entries/:id': async (app, { name }) => ({
    activityId: await activityOfEntry(app, Number(name)),
    hours: 2,
    notes: aName(),
  }),
  'POST /reports/statement': () => PERIOD,
  'POST /reports/letters': (_app, target) => ({ ...LETTER, schoolId: null, userId: id(target) }),
  'POST /reports/letter-files': async (app, target) => ({
    ...LETTER,
    schoolId: id(target),
    userIds: [await withHours(app, target)],
    form: 'pdf',
  }),
  // Wrong codes are counted.
  'POST /letters/check': async (app, { name }) => {
    const code = name.includes('-') ? name : newCode();
    return { code, lastName: await nameInLetter(app, code) };
  },
  'PUT /photos/:id': () => ({ caption: aName() }),
  'POST /photos/:id/takedown': () => ({ reason: 'My child is in it' }),
  'POST /admin/users': (_app, { schoolId }) => ({
    email: anAddress(),
    firstName: 'Nia',
    lastName: 'New',
    schoolIds: [schoolId],
  }),
  'POST /admin/users/export': () => ({ format: 'csv' }),
  'POST /admin/schools/export': () => ({ format: 'csv' }),
  'POST /admin/categories/export': (_app, target) => ({ format: 'csv', schoolId: id(target) }),
  'POST /admin/activities/export': (_app, target) => ({ format: 'csv', schoolId: id(target) }),
  'POST /admin/activity-suggestions/export': (_app, target) => ({ format: 'csv', schoolId: id(target) }),
  'POST /admin/mailings/preview': (_app, target) => ({ userIds: [id(target)] }),
  'POST /admin/mailings': (_app, target) => ({
    userIds: [id(target)],
    subject: 'A word',
    text: 'Hello',
    receivers: 1,
  }),
  'POST /admin/users/many': (_app, target) => ({ userIds: [id(target)], count: 1, deed: 'activate' }),
  'POST /admin/users/:id/merge': async (app, target) => ({ into: await another(app, target) }),
  'PUT /admin/users/:id/apart': async (app, target) => ({ other: await another(app, target), areTwo: true }),
  'PUT /admin/users/:id': () => ({ firstName: aName() }),
  'POST /admin/users/:id/invite': async (app, { name }) => {
    // Only a user who cannot sign in is invited.
    await app.deps.database.db
      .updateTable('users')
      .set({ is_walk_in: 1 })
      .where('id', '=', Number(name))
      .execute();
    return { email: anAddress() };
  },
  'POST /admin/memberships/approve': (_app, target) => ({
    userId: id(target),
    schoolId: target.schoolId,
    unconfirmed: true,
  }),
  'POST /admin/memberships/decline': (_app, target) => ({ userId: id(target), schoolId: target.schoolId }),
  'POST /admin/invites': (_app, { schoolId }) => ({ email: anAddress(), schoolIds: [schoolId] }),
  'POST /admin/user-imports/preview': (_app, target, persona) => importOf(target, persona),
  'POST /admin/user-imports': async (app, target, persona) => {
    const file = importOf(target, persona);
    const { token } = persona;
    const { body } = await app.call('POST /api/admin/user-imports/preview', { token, body: file });
    return { ...file, key: body?.preview?.key ?? 'x', sendMail: false };
  },
  'POST /admin/schools/translations': () => namesToTranslate(),
  'POST /admin/schools': () => ({ name: aName() }),
  'PUT /admin/schools/:id': () => ({ name: aName() }),
  'POST /admin/categories/translations': (_app, target) => ({
    ...namesToTranslate(),
    schoolId: id(target),
  }),
  'POST /admin/categories': (_app, target) => ({ name: aName(), schoolId: id(target) }),
  'PUT /admin/categories/:id': () => ({ name: aName() }),
  'POST /admin/activities/translations': (_app, target) => ({
    ...namesToTranslate(),
    schoolId: id(target),
  }),
  'POST /admin/activities': (_app, target) => ({
    name: aName(),
    schoolId: target.schoolId,
    categoryId: id(target),
  }),
  'POST /admin/activities/bulk': async (app, target) => ({
    schoolId: id(target),
    activities: [{ name: aName(), category: await aCategoryNameAt(app, id(target)) }],
  }),
  'PUT /admin/activities/:id': () => ({ name: aName() }),
  'POST /admin/activity-suggestions/:id/approve': () => ({}),
  'POST /admin/activity-suggestions/:id/reject': () => ({}),
  'POST /admin/time-entries': async (app, target) => ({
    userId: (await member(app, target)).id,
    activityId: id(target),
    hours: 1,
  }),
  'POST /admin/time-entries/roster': async (app, target) => ({
    activityId: id(target),
    entries: [{ userId: (await member(app, target)).id, hours: 1 }],
  }),
  'POST /admin/time-entries/roster/undo': async (app, target, { token }) => {
    const entries = [{ userId: (await member(app, target)).id, hours: 1 }];
    const body = { activityId: id(target), entries };
    const logged = await app.call('POST /api/admin/time-entries/roster', { token, body });
    return { batch: logged.body.batch ?? 'x' };
  },
  'POST /admin/time-entry-imports/preview': (app, target) => hoursOf(app, target),
  'POST /admin/time-entry-imports': async (app, target, persona) => {
    const file = await hoursOf(app, target);
    const { body } = await app.call('POST /api/admin/time-entry-imports/preview', {
      token: persona.token,
      body: file,
    });
    return { ...file, key: body?.preview?.key ?? 'x' };
  },
  'POST /admin/verifications': () => ({ decision: 'verify', entryIds: [999_999] }),
  'PUT /admin/time-entries/:id': () => ({ hours: 2, notes: aName() }),
  'POST /admin/time-entries/export': (_app, target) => ({ format: 'csv', schoolId: id(target) }),
  'PUT /admin/photos/settings': () => ({ review: false }),
  'PUT /admin/google-drive/settings': () => ({ nightly: false }),
  'POST /admin/google-drive/sync-activities': () => ({ activityIds: [1] }),
  'PUT /admin/settings': () => ({ retention: { exports: 2 } }),
  'PUT /admin/first-run': () => ({ isOpen: true }),
  'POST /admin/settings/test-mail': () => ({ to: 'post@maplegrove.example' }),
  'POST /admin/settings/preview': () => ({ retention: { entries: 12 } }),
  'POST /admin/legal-holds': async (app) => ({ userId: (await aPerson(app)).id, reason: 'Court order' }),
  'PUT /admin/reports/rate': () => ({ hourlyRate: 33.49, source: 'Independent Sector', year: 2026 }),
  'POST /admin/reports/in-kind/:format': (_app, target) => ({ ...PERIOD, schoolId: id(target) }),
  'POST /admin/reports/summary': (_app, target) => ({ ...PERIOD, schoolId: id(target) }),
};

// Only a district administrator may create another one.
function importOf({ schoolId }: Target, { role }: Persona) {
  if (role !== 'holder') return { csv: CSV };
  return { csv: CSV.replace('ann.lee', 'ann.ray').replace('admin', 'user'), schoolIds: [schoolId] };
}

// Hours of a user at the school of the named activity, if it exists. Both are found by id, because their names are overwritten
// before it is sent.
async function hoursOf(app: TestApp, target: Target) {
  const activity = await app.deps.database.db
    .selectFrom('activities')
    .select('school_id')
    .where('id', '=', id(target))
    .executeTakeFirst();
  const schoolId = activity?.school_id ?? 999_999;
  const { id: userId } = await aPerson(app, { schools: activity === undefined ? [] : [{ id: schoolId }] });
  return {
    csv: 'name,activity,date,hours\nSomebody,Something,2026-03-01,1',
    schoolId,
    people: [{ who: 'somebody', userId }],
    activities: [{ name: 'Something', activityId: id(target) }],
  };
}

const PERIOD = { startDate: '2026-03-01', endDate: '2026-03-04' };

const LETTER = { ...PERIOD, withDates: true, language: 'es' };

const member = (app: TestApp, { schoolId }: Target) => aPerson(app, { schools: [{ id: schoolId }] });

async function withHours(app: TestApp, { schoolId }: Target): Promise<number> {
  const school = { id: schoolId };
  const by = await aPerson(app, { schools: [school] });
  await anEntry(app, { by, activity: await anActivity(app, { school }) });
  await verifyAll(app, by);
  return by.id;
}

async function nameInLetter(app: TestApp, code: string): Promise<string> {
  const row = await app.deps.database.db
    .selectFrom('service_letters')
    .innerJoin('service_letter_names', 'service_letter_names.letter_id', 'service_letters.id')
    .select('last_name')
    .where('code', '=', code.replaceAll('-', ''))
    .executeTakeFirst();
  return row?.last_name ?? 'Volt';
}

/** The name of an existing category, because not everyone who adds activities may add one. */
async function aCategoryNameAt(app: TestApp, schoolId: number): Promise<string> {
  const row = await app.deps.database.db
    .selectFrom('categories')
    .select('name')
    .where('school_id', '=', schoolId)
    .executeTakeFirst();
  return row?.name ?? 'Events';
}

// An edit must have the entry's activity; for an entry that does not exist, any.
async function activityOfEntry(app: TestApp, id: number): Promise<number> {
  const entry = await app.deps.database.db
    .selectFrom('time_entries')
    .select('activity_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return entry?.activity_id ?? 1;
}
