import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureLogAddress } from '#features/activities/log-codes/server/actions.ts';
import { replaceMagicLink } from '#features/auth/magic-link/server/store.ts';
import { RETURN } from '#features/auth/oidc/server/redirects.ts';
import { insertLink, insertPendingProviderSignIn } from '#features/auth/oidc/server/store.ts';
import { insertPasswordLinks } from '#features/auth/passwords/server/password-link-store.ts';
import { startSession } from '#features/auth/sessions/server/actions.ts';
import { generateRecoveryCodes } from '#features/auth/two-factor/server/code-verification.ts';
import { insertPasskey } from '#features/auth/two-factor/server/passkey-store.ts';
import { challenge } from '#features/auth/two-factor/server/pending-sign-in.ts';
import { fileNames, newStorageKey } from '#features/photos/server/photo-files.ts';
import { createLinks } from '#features/photos/server/signed-links.ts';
import { insertHold } from '#features/privacy/legal-holds/server/store.ts';
import { issueSingleLetter } from '#features/reports/service-letters/server/issue-letters.ts';
import { insertInvite } from '#features/users/invitations/server/store.ts';
import { insertBatch } from '#features/verification/server/store.ts';
import { transaction } from '#server/db/database.ts';
import { asViewer } from '#server/http/viewer.ts';
import { hashToken, newToken, seal } from '#server/secrets.ts';
import { day, plusMilliseconds } from '#shared/calendar-date.ts';
import { type Capability, type GrantRole, schoolsWhereAllowed } from '#shared/permissions.ts';
import { anAuthenticator } from '../../authenticator.ts';
import {
  aCategory,
  anActivity,
  anAddress,
  anAdministrator,
  anEntry,
  anOutsideLetter,
  aPerson,
  aPhoto,
  aSchool,
  aSuggestion,
} from '../../builders.ts';
import type { TestApp } from '../../harness.ts';
import { type Permission, requiredCapability, type Thing } from './permission-table.ts';
import type { Persona, Schools } from './users.ts';

/** How a thing relates to the user who names it. */
export type Relation = 'own' | 'own school' | 'another school' | 'a school left' | 'deleted' | 'not there';

/** The target of a request: `name` is its id, token or file name, `schoolId` its school. */
export type Target = Readonly<{ name: string; schoolId: number; query?: string }>;

const OWNED: readonly Thing[] = [
  'entry',
  'deleted entry',
  'decided entry',
  'entry sent to a verifier',
  'photo',
  'deleted photo',
];
/** Things that only the volunteer of the hours may use, whatever permissions others have. */
const OF_VOLUNTEERS: readonly Thing[] = ['decided entry', 'entry sent to a verifier'];
/** A sign-in sheet of blank lines. */
export const SHEET = { date: '2026-03-04', people: 'nobody', blankLines: 5, paper: 'letter' };

/** The browser key with which provider sign-ins were started. */
export const BROWSER_KEY = 'b'.repeat(43);

/** Things that belong to one user, whatever their permissions. */
const OF_PEOPLE: readonly Thing[] = ['linked provider', 'session', 'passkey'];
const OF_SCHOOLS: readonly Thing[] = ['school', 'activity'];
/** Things that only their creator may use. */
const OF_MAKERS: readonly Thing[] = ['export', 'import', 'decision', 'letter file'];
const ABSENT = { number: '999999', word: 'x'.repeat(43) };
const WORDS: readonly Thing[] = [
  'logo URL',
  'invitation',
  'email confirmation link',
  'external verifier link',
  'password link',
  'sign-in code',
  'sign-in link',
  'account-linking token',
  'two-factor challenge',
  'export link',
  'letter link',
  'letter code',
  'activity code',
  'sign-in sheet link',
  'job',
];

/** How a thing of this kind can relate to a persona. */
export function relationsOf(thing: Thing, { role, schools }: Persona): readonly Relation[] {
  if (thing === 'nothing') return ['own'];
  const isOfMakers = thing === 'export' || thing === 'decision' || thing === 'letter file';
  if (isOfMakers || OF_PEOPLE.includes(thing) || (thing === 'import' && role === 'holder')) {
    return ['own', 'another school', 'not there'];
  }
  const isVolunteer = role === 'volunteer';
  if (role === 'holder' && !OWNED.includes(thing)) return ['own school', 'another school', 'not there'];
  if (OWNED.includes(thing) && role !== 'nobody') {
    const living = thing === 'entry' || thing === 'photo';
    const own: readonly Relation[] =
      isVolunteer && schools.length === 0
        ? ['a school left']
        : isVolunteer || role === 'holder'
          ? ['own', 'own school']
          : ['own'];
    return [...own, 'another school', ...(living ? (['deleted'] as const) : []), 'not there'];
  }
  if (OF_SCHOOLS.includes(thing) && schools.length > 0) return ['own school', 'another school', 'not there'];
  return ['another school', 'not there'];
}

/** Whether a persona may send a call about a thing with this relation to it. */
export function isWithinReach(permission: Permission, persona: Persona, relation: Relation): boolean {
  const { reach, thing } = permission;
  const { role, grant } = persona;
  if (role === 'holder') {
    const capability = permission.deed ?? requiredCapability(permission);
    if (OF_PEOPLE.includes(thing) || OF_VOLUNTEERS.includes(thing)) return relation === 'own';
    if (capability === undefined) return relation !== 'not there';
    if (grant === undefined || !holds(grant.role, capability)) return false;
    if (OF_MAKERS.includes(thing)) return relation === 'own';
    if (relation === 'deleted' || relation === 'not there') return false;
    return grant.school === null || relation !== 'another school';
  }
  const nearest = { none: [], own: ['own'], 'own schools': ['own', 'own school'] } as const;
  const far = reach[role];
  if (far === 'any') return relation !== 'deleted' && relation !== 'not there';
  return (nearest[far] as readonly Relation[]).includes(relation);
}

/** Whether a role includes a capability. */
export function holds(role: GrantRole, capability: Capability): boolean {
  return schoolsWhereAllowed({ role: 'user', grants: [{ role, schoolId: 1 }] }, capability).length > 0;
}

/** Makes a thing with this relation to a persona; `isFilled` adds hours and a photo if it can have them. */
export async function make(
  app: TestApp,
  schools: Schools,
  thing: Thing,
  { persona, relation, isFilled = false }: { persona: Persona; relation: Relation; isFilled?: boolean },
): Promise<Target> {
  const [own = schools.home] = persona.schools;
  const other = own.id === schools.home.id ? schools.away : schools.home;
  const isNear =
    relation === 'own' || relation === 'own school' || relation === 'a school left' || relation === 'deleted';
  const school = isNear ? own : other;
  if (relation === 'not there') {
    const name = WORDS.includes(thing) ? ABSENT.word : ABSENT.number;
    return {
      name,
      schoolId: school.id,
      ...(thing === 'signed photo link' ? { query: signed(app, 999_999) } : {}),
    };
  }
  const isOwn = relation === 'own' || relation === 'a school left' || relation === 'deleted';
  const isAlone = thing === 'school' || (isOwn && persona.id !== 0);
  const owner = isAlone ? persona : await aPerson(app, { schools: [school] });
  const name = await MAKERS[thing](app, { school, owner, isDeleted: relation === 'deleted', isFilled });
  return {
    name: String(name),
    schoolId: school.id,
    ...(thing === 'signed photo link' ? { query: signed(app, Number(name)) } : {}),
  };
}

type Given = Readonly<{
  school: { id: number };
  owner: { id: number };
  isDeleted: boolean;
  isFilled: boolean;
}>;

const MAKERS: Readonly<Record<Thing, (app: TestApp, given: Given) => Promise<number | string>>> = {
  nothing: async () => 0,
  school: async (_app, { school }) => school.id,
  'logo URL': aLogo,
  category: async (app, { school }) => (await aCategory(app, { school })).id,
  activity: async (app, { school, isFilled }) => {
    const activity = await anActivity(app, { school });
    if (!isFilled) return activity.id;
    const by = await aPerson(app, { schools: [school] });
    await aPhoto(app, { by, activity });
    await anEntry(app, { by, activity });
    return activity.id;
  },
  'sign-in sheet link': async (app, { school }) => {
    const activity = await anActivity(app, { school });
    const { body } = await app.call(`POST /api/admin/activities/${activity.id}/sign-in-sheet`, {
      token: (await anAdministrator(app)).token,
      body: SHEET,
    });
    return String(body.url).split('/').at(-1) ?? '';
  },
  'activity code': async (app, { school }) => {
    const activity = await anActivity(app, { school });
    const { code } = await transaction(app.deps.database, (trx) =>
      ensureLogAddress(trx, app.deps, activity.id),
    );
    return code;
  },
  suggestion: async (app, { school, owner }) => {
    const category = await aCategory(app, { school });
    return (await aSuggestion(app, { by: owner, school, category })).id;
  },
  entry: entry,
  'deleted entry': (app, given) => entry(app, { ...given, isDeleted: true }),
  'decided entry': async (app, given) => {
    const id = await entry(app, given);
    const { db } = app.deps.database;
    await db.updateTable('schools').set({ verification: 'on' }).where('id', '=', given.school.id).execute();
    const decided = {
      verification: 'declined',
      decided_at: app.clock.now(),
      decision_note: 'Not there',
    } as const;
    await db
      .updateTable('time_entries')
      .set({ ...decided, decided_by_external: 'coach@rink.example' })
      .where('id', '=', id)
      .execute();
    return id;
  },
  'entry sent to a verifier': async (app, given) => {
    const id = await entry(app, given);
    const { db } = app.deps.database;
    await db.updateTable('schools').set({ verification: 'on' }).where('id', '=', given.school.id).execute();
    const waiting = { verification: 'waiting', external_verifier: 'coach@rink.example' } as const;
    const { activity_id } = await db
      .updateTable('time_entries')
      .set(waiting)
      .where('id', '=', id)
      .returning('activity_id')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('activities')
      .set({ verification: 'outside' })
      .where('id', '=', activity_id)
      .execute();
    return id;
  },
  decision: async (app, { owner }) => {
    const made = { decision: 'verify', by: owner.id, at: app.clock.now() } as const;
    return transaction(app.deps.database, (trx) => insertBatch(trx, made));
  },
  photo: photo,
  'waiting photo': async (app, given) => {
    const id = await photo(app, given);
    await app.deps.database.db
      .updateTable('photos')
      .set({ review: 'reported', hidden_at: app.clock.now() })
      .where('id', '=', id)
      .execute();
    return id;
  },
  'deleted photo': (app, given) => photo(app, { ...given, isDeleted: true }),
  'signed photo link': aPhotoWithFile,
  account: async (_app, { owner }) => owner.id,
  'account with hours': async (app, given) => {
    await verifiedEntry(app, given);
    return given.owner.id;
  },
  'service letter': async (app, given) => (await aServiceLetter(app, given)).id,
  'letter file': async (app, given) => (await aServiceLetter(app, given)).fileId,
  'letter link': async (app, given) =>
    (await aServiceLetter(app, { ...given, owner: await anAdministrator(app) })).token,
  'letter code': async (app, given) => (await aServiceLetter(app, given)).code,
  'erasure request': async (app, { owner }) => {
    const wish = { user_id: owner.id, reason: null, requested_at: app.clock.now() };
    await app.deps.database.db.insertInto('deletion_requests').values(wish).execute();
    return owner.id;
  },
  'membership request': async (app, { owner, school }) => {
    await app.deps.database.db
      .updateTable('user_schools')
      .set({ status: 'pending' })
      .where('user_id', '=', owner.id)
      .where('school_id', '=', school.id)
      .execute();
    return owner.id;
  },
  invite: async (app, given) => (await anInvite(app, given)).id,
  invitation: async (app, given) => (await anInvite(app, given)).token,
  'email confirmation link': aConfirmation,
  // At a new school, because turning on verification changes the replies about the others.
  'external verifier link': async (app, { owner }) => {
    const activity = await anActivity(app, { school: await aSchool(app) });
    return (await anOutsideLetter(app, { by: owner, activity })).token;
  },
  'password link': aPasswordLink,
  'sign-in link': aSignInLink,
  'sign-in code': async (app, { owner }) => {
    const linkId = await aLinkedProvider(app, owner);
    const { issuer, subject } = await app.deps.database.db
      .selectFrom('provider_links')
      .selectAll()
      .where('id', '=', linkId)
      .executeTakeFirstOrThrow();
    return aReturn(app, 'sign-in', { provider: 'district', identity: { issuer, subject } });
  },
  'account-linking token': async (app) => {
    const { id: userId } = await aPerson(app);
    const identity = { issuer: 'https://issuer.example', subject: newToken() };
    return aReturn(app, 'link', { provider: 'district', identity, userId });
  },
  'two-factor challenge': async (app, { owner: { id: userId } }) => {
    const request = { at: app.clock.now(), address: '127.0.0.1', requestId: 'none', agent: '' };
    await anAuthenticator(app, { id: userId });
    return transaction(app.deps.database, async (trx) => {
      const [code = ''] = await generateRecoveryCodes(trx, app.deps, userId, request.at);
      const firstProof = { userId, by: 'password', deed: { action: 'session.start' } } as const;
      return `${await challenge(trx, app.deps, request, firstProof)} ${code}`;
    });
  },
  'linked provider': (app, { owner }) => aLinkedProvider(app, owner),
  session: aSession,
  passkey: (app, { owner }) => aPasskey(app, owner),
  'activity batch': anActivityBatch,
  import: anImport,
  'hours import': anHoursImport,
  export: async (app, given) => (await anExport(app, given.owner)).id,
  'export link': async (app) => (await anExport(app, await anAdministrator(app))).token,
  sync: aSync,
  'queued email': aLetter,
  job: async () => 'sweepReplies',
  merge: async (app, { school }) => {
    const [admin, from, into] = [
      await anAdministrator(app),
      await aPerson(app, { schools: [school] }),
      await aPerson(app, { schools: [school] }),
    ];
    const reply = await app.call(`POST /api/admin/users/${from.id}/merge`, {
      token: admin.token,
      body: { into: into.id },
    });
    return reply.body.merge.id;
  },
  'legal hold': async (app, { owner }) => {
    const placed = { userId: null, schoolId: null, reason: 'Court order', by: owner.id, at: app.clock.now() };
    const about = { ...placed, userId: (await aPerson(app)).id };
    return transaction(app.deps.database, (trx) => insertHold(trx, about));
  },
};

async function entry(app: TestApp, { school, owner, isDeleted }: Given) {
  const activity = await anActivity(app, { school });
  const { id } = await anEntry(app, { by: owner, activity, ...(isDeleted ? { deletedBy: owner } : {}) });
  return id;
}

async function photo(app: TestApp, { school, owner, isDeleted }: Given) {
  const activity = await anActivity(app, { school });
  const { id } = await aPhoto(app, { by: owner, activity, ...(isDeleted ? { deletedBy: owner } : {}) });
  return id;
}

async function aPhotoWithFile(app: TestApp, given: Given) {
  const id = await photo(app, given);
  const key = newStorageKey();
  await app.deps.database.db.updateTable('photos').set({ storage_key: key }).where('id', '=', id).execute();
  for (const name of fileNames(key)) {
    const path = join(app.dataDir, randomUUID());
    writeFileSync(path, 'picture');
    await app.deps.files.put(name, path);
  }
  return id;
}

function signed(app: TestApp, id: number): string {
  const { signedUrl } = createLinks(app.deps.secretKey, { id, reviewRound: 0 }, app.clock.now());
  return new URL(signedUrl, 'http://here').search.slice(1);
}

function aPasskey(app: TestApp, owner: { id: number }) {
  return transaction(app.deps.database, (trx) =>
    insertPasskey(trx, {
      user_id: owner.id,
      credential_id: newToken(),
      user_handle: newToken(),
      public_key: newToken(),
      counter: 0,
      transports: '[]',
      rp_id: 'elsewhere.example',
      name: 'My phone',
      created_at: app.clock.now(),
    }),
  );
}

async function aSession(app: TestApp, { owner }: Given) {
  const request = { at: app.clock.now(), address: '10.0.0.1', requestId: 'test', agent: 'test' };
  const token = await transaction(app.deps.database, (trx) => startSession(trx, owner.id, request));
  const { id } = await app.deps.database.db
    .selectFrom('sessions')
    .select('id')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow();
  return id;
}

async function aLogo(app: TestApp) {
  const name = `${randomUUID().replaceAll('-', '')}.png`;
  const { id } = await aSchool(app);
  const content = Buffer.from('picture');
  await app.deps.database.db
    .insertInto('school_logos')
    .values({ school_id: id, name, type: 'image/png', content, created_at: app.clock.now() })
    .execute();
  return name;
}

async function anInvite(app: TestApp, { school }: Given) {
  // The sender must keep the permission to invite while the invitation is open.
  const sender = await anAdministrator(app);
  const token = newToken();
  const at = app.clock.now();
  const expiresAt = plusMilliseconds(at, 86_400_000);
  const id = await transaction(app.deps.database, (trx) =>
    insertInvite(trx, {
      tokenHash: hashToken(token),
      email: anAddress(),
      role: 'user',
      by: sender.id,
      at,
      expiresAt,
      schoolIds: [school.id],
    }),
  );
  return { id, token };
}

async function aConfirmation(app: TestApp, { owner }: Given) {
  const token = newToken();
  const at = app.clock.now();
  const { email, email_key } = await app.deps.database.db
    .selectFrom('users')
    .select(['email', 'email_key'])
    .where('id', '=', owner.id)
    .executeTakeFirstOrThrow();
  await app.deps.database.db
    .insertInto('email_confirmations')
    .values({
      token_hash: hashToken(token),
      email,
      email_key,
      user_id: owner.id,
      first_name: null,
      last_name: null,
      school_ids: null,
      created_at: at,
      expires_at: plusMilliseconds(at, 86_400_000),
    })
    .execute();
  return token;
}

async function aPasswordLink(app: TestApp, { owner }: Given) {
  const token = newToken();
  const at = app.clock.now();
  const times = { at, expiresAt: plusMilliseconds(at, 3_600_000) };
  await transaction(app.deps.database, (trx) =>
    insertPasswordLinks(trx, [{ userId: owner.id, tokenHash: hashToken(token) }], times),
  );
  return token;
}

async function aSignInLink(app: TestApp, { owner }: Given) {
  const token = newToken();
  const at = app.clock.now();
  const key = { tokenHash: hashToken(token), browserHash: hashToken(BROWSER_KEY) };
  const times = { at, expiresAt: plusMilliseconds(at, 60_000) };
  await transaction(app.deps.database, (trx) => replaceMagicLink(trx, owner.id, key, times));
  return token;
}

function aLinkedProvider(app: TestApp, owner: { id: number }): Promise<number> {
  const link = { issuer: 'https://issuer.example', subject: newToken(), provider: 'district' };
  return transaction(app.deps.database, (trx) =>
    insertLink(trx, { ...link, userId: owner.id, at: app.clock.now() }),
  );
}

async function aReturn(app: TestApp, purpose: 'sign-in' | 'link', content: object): Promise<string> {
  const { db } = app.deps.database;
  const token = newToken();
  const key = { tokenHash: hashToken(token), purpose, browserHash: hashToken(BROWSER_KEY) };
  const expiresAt = plusMilliseconds(app.clock.now(), 60_000);
  await insertPendingProviderSignIn(db, key, {
    sealed: seal(app.deps.secretKey, RETURN, JSON.stringify(content)),
    expiresAt,
  });
  return token;
}

async function anActivityBatch(app: TestApp, { school }: Given) {
  const { id } = await app.deps.database.db
    .insertInto('activity_batches')
    .values({
      school_id: school.id,
      made_at: app.clock.now(),
      activities: 0,
      categories: 0,
      undone_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function anImport(app: TestApp, { owner }: Given) {
  const { id } = await app.deps.database.db
    .insertInto('user_imports')
    .values({
      imported_by: owner.id,
      imported_at: app.clock.now(),
      people: 0,
      memberships: 0,
      has_mail: 0,
      undone_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function anHoursImport(app: TestApp, { owner, school }: Given) {
  const { id } = await app.deps.database.db
    .insertInto('time_entry_imports')
    .values({
      school_id: school.id,
      imported_by: owner.id,
      imported_at: app.clock.now(),
      state: 'done',
      counts_immediately: 0,
      reason: null,
      planned: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function anExport(app: TestApp, owner: { id: number }) {
  const token = newToken();
  const at = app.clock.now();
  const { id } = await app.deps.database.db
    .insertInto('exports')
    .values({
      token_hash: hashToken(token),
      user_id: owner.id,
      format: 'csv',
      asked: JSON.stringify({ sortBy: 'entryDate', sortOrder: 'desc' }),
      total: 0,
      created_at: at,
      expires_at: plusMilliseconds(at, 300_000),
      started_at: null,
      seen_at: null,
      outcome: null,
      made_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, token };
}

async function aSync(app: TestApp, { owner, school }: Given) {
  const activity = await anActivity(app, { school });
  const { id } = await app.deps.database.db
    .insertInto('drive_syncs')
    .values({
      kind: 'manual',
      requested_by: owner.id,
      requested_at: app.clock.now(),
      waiting_until: null,
      cancelled_at: null,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.deps.database.db
    .insertInto('drive_sync_activities')
    .values({
      sync_id: id,
      activity_id: activity.id,
      position: 0,
      name: activity.name,
      state: 'queued',
      error: null,
      folder_name: 'Book fair',
      folder_url: 'https://drive.google.com/drive/folders/1',
    })
    .execute();
  return id;
}

async function aLetter(app: TestApp, { owner }: Given) {
  const { id } = await app.deps.database.db
    .insertInto('emails')
    .values({
      message_id: `${randomUUID()}@maplegrove.example`,
      kind: 'test',
      user_id: owner.id,
      sealed: 'sealed',
      created_at: app.clock.now(),
      expires_at: plusMilliseconds(app.clock.now(), 3_600_000),
      due_at: app.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Hours that count at any school. */
export async function verifyAll(app: TestApp, owner: { id: number }): Promise<void> {
  await app.deps.database.db
    .updateTable('time_entries')
    .set((eb) => ({ verification: 'verified', counted_hundredths: eb.ref('hours_hundredths') }))
    .where('user_id', '=', owner.id)
    .where('deleted_at', 'is', null)
    .execute();
}

async function verifiedEntry(app: TestApp, given: Given): Promise<void> {
  await entry(app, { ...given, isDeleted: false });
  await verifyAll(app, given.owner);
}

async function aServiceLetter(app: TestApp, given: Given) {
  await verifiedEntry(app, given);
  // Names are overwritten between two things, and a valid letter under another name would prevent the next one.
  await app.deps.database.db
    .updateTable('service_letters')
    .set({ withdrawn_at: app.clock.now() })
    .where('user_id', '=', given.owner.id)
    .where('withdrawn_at', 'is', null)
    .execute();
  const by = { userId: given.owner.id, sessionId: 0, role: 'user', schoolIds: [], grants: [] } as const;
  const request = { at: app.clock.now(), address: '10.0.0.1', requestId: 'test', agent: 'test' };
  const { letter, url } = await transaction(app.deps.database, (trx) =>
    issueSingleLetter(
      trx,
      app.deps,
      { viewer: asViewer(by), request },
      {
        schoolId: given.school.id,
        startDate: day('2026-03-01'),
        endDate: day('2026-03-04'),
        withDates: false,
        language: 'en',
      },
    ),
  );
  const { id, code } = letter;
  const { file_id } = await app.deps.database.db
    .selectFrom('service_letters')
    .select('file_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, code, fileId: file_id ?? 0, token: url.split('/').at(-1) ?? '' };
}
