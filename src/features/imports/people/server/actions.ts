import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { endAssignedPasswords } from '#features/auth/passwords/server/assigned-password.ts';
import { createPasswordLinks } from '#features/auth/passwords/server/password-reset.ts';
import { schoolsExist } from '#features/schools/server/actions.ts';
import { messages as adminMessages } from '#features/users/admin-contract.ts';
import { emailKey } from '#features/users/contract.ts';
import { inviteIfNotInvited } from '#features/users/memberships/server/school-access.ts';
import {
  giveGrants,
  grantsForAudit,
  rejectOtherSchools,
  requireRecentAuthToGrant,
} from '#features/users/roles/server/actions.ts';
import { addManyToSchools, makeAccounts } from '#features/users/server/bulk-accounts.ts';
import { shareableLink } from '#features/users/server/shareable-link.ts';
import { type Actor, type AuditEvent, recordEvent, recordEvents } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { linkTo } from '#server/email/email.ts';
import { type EncryptedEmail, encryptEmail, queueEncryptedEmails } from '#server/email/outbox.ts';
import { describeCounts } from '#server/http/reference-check.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import { type Acting, actorOf, isWithin, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { serverSingleton } from '#server/process/server-singleton.ts';
import { hashToken, newToken, sign } from '#server/secrets.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import {
  IMPORT,
  type ImportFile,
  type ImportInput,
  type ImportPreview,
  messages,
  type UserImport,
} from '../contract.ts';
import { importedAccountEmail } from './emails.ts';
import { type NewPerson, type PlannedRow, planImport } from './import-plan.ts';
import { parsePeopleCsv } from './people-csv.ts';
import {
  findImport,
  insertCreatedUsers,
  insertGrantedMemberships,
  insertImport,
  listSchools,
  pageOfImports,
  type SchoolName,
} from './store.ts';

const LIST = 'user-imports';
const DAY_MS = 86_400_000;
const EMAILS_PER_TURN = 200;
/**
 * The number of an import's emails that become due each second. The limit prevents a password reset email from waiting behind
 * all of them.
 */
const EMAILS_PER_SECOND = 5;

/** A template file to fill in, with a byte-order mark so that Excel reads it as UTF-8. */
export async function templateFile(): Promise<FileAnswer> {
  const rows = [
    'firstName,lastName,email,role,schools',
    'Maria,Example,maria@example.org,user,Lincoln Elementary|Oak Middle School',
  ];
  return {
    name: 'users-template.csv',
    type: 'text/csv; charset=utf-8',
    content: `\uFEFF${rows.map((row) => `${row}\r\n`).join('')}`,
  };
}

/** The parsed file, and what importing it would do. */
type Plan = Readonly<{
  rows: readonly PlannedRow[];
  schools: readonly SchoolName[];
  unusedColumns: readonly string[];
  /** A signature of the plan: the same plan gives the same key, which only the server can create. */
  key: string;
}>;

/** Returns what an import would do, row by row, and writes nothing. */
export async function previewUserImport(
  deps: Deps,
  viewer: Viewer,
  file: ImportFile,
): Promise<{ preview: ImportPreview }> {
  const plan = await planUserImport(deps.database.db, deps, viewer, {
    file,
    csv: await parsePeopleCsv(file.csv),
  });
  const faulty = plan.rows.filter((row) => row.outcome === 'faulty');
  const others = plan.rows.filter((row) => row.outcome !== 'faulty');
  const count = (outcome: PlannedRow['outcome']) => plan.rows.filter((row) => row.outcome === outcome).length;
  return {
    preview: {
      key: plan.key,
      counts: {
        rows: plan.rows.length,
        created: count('created'),
        extended: count('extended'),
        invited: count('invited'),
        waiting: count('waiting'),
        unchanged: count('unchanged'),
        faulty: faulty.length,
      },
      unusedColumns: [...plan.unusedColumns],
      rows: [...faulty, ...others].slice(0, IMPORT.listed).map((row) => toImportRow(deps, plan.schools, row)),
    },
  };
}

/** An import that is ready to be written: parsed, with its emails encrypted. */
export type ReadyImport = Readonly<{
  file: Awaited<ReturnType<typeof parsePeopleCsv>>;
  emails: ReadonlyMap<string, Readonly<{ tokenHash: string; letter: EncryptedEmail; link: string }>>;
}>;

/** A finished import; `links` are set when there is no mail server. */
type Imported = { userImport: UserImport; message: string; links: { email: string; link: string }[] | null };

/** Does the slow work before the transaction, which blocks all other writers. */
export async function prepareImport(
  deps: Deps,
  { viewer, request }: Acting,
  input: ImportInput,
): Promise<ReadyImport> {
  const file = await parsePeopleCsv(input.csv);
  const plan = await planUserImport(deps.database.db, deps, viewer, { file: input, csv: file });
  // A changed plan is not rejected here, because the request may repeat an import that has finished.
  const people = input.sendMail && plan.key === input.key ? newPeople(plan) : [];
  return { file, emails: await encryptEmails(deps, request, people) };
}

/** Creates the new people and adds existing ones to the schools of their rows: all of it, or nothing. */
export async function runImport(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  { input, ready }: { input: ImportInput; ready: ReadyImport },
): Promise<Imported> {
  // Planned again because data may have changed since the first plan.
  const plan = await planUserImport(trx, deps, viewer, { file: input, csv: ready.file });
  rejectChanged(plan, input);
  const people = newPeople(plan);
  for (const { role, grant } of people) {
    requireRecentAuthToGrant({ viewer, request }, { role, grants: grant === undefined ? [] : [grant] });
  }
  const links = input.sendMail
    ? shareableLink(deps, { viewer, request }, () => toLinks(people, ready))
    : null;
  const joined = plan.rows.flatMap((row) =>
    row.outcome === 'extended' ? row.joined.map((school) => ({ userId: row.userId, ...school })) : [],
  );
  const invited = plan.rows.flatMap((row) => (row.outcome === 'invited' ? [row] : []));
  const { at } = request;
  const made = { by: viewer.userId, at, people: people.length, memberships: joined.length };
  const id = await insertImport(trx, { ...made, hasMail: input.sendMail });
  const ids = await makeAccounts(trx, people, made).catch(rejectTaken);
  await grantRoles(trx, people, ids, at);
  await insertCreatedUsers(trx, id, [...ids.values()]);
  await addManyToSchools(trx, joined, at);
  await insertGrantedMemberships(trx, id, joined);
  const joinedSchools = joined.map(({ userId, schoolId }) => ({ userId, gift: { schoolIds: [schoolId] } }));
  await endAssignedPasswords(trx, deps, { viewer, request }, joinedSchools);
  for (const person of invited) await inviteIfNotInvited(trx, deps, { viewer, request }, person);
  const isShown = deps.config.smtpUrl === undefined;
  if (input.sendMail) await queueEmails(trx, request, people, ids, { ...ready, isShown });
  await recordImport(trx, actorOf(viewer, request), { id, people, ids, rows: plan.rows, made });
  const userImport = await requireImport(trx, { viewer, request }, id);
  const counts = [...importCounts(made), { count: invited.length, say: messages.countedInvited }];
  const message = translate(deps, messages.imported(describeCounts(deps, counts)));
  return { userImport, message, links };
}

/** A page of imports, latest first. */
export async function listUserImports(
  deps: Deps,
  { viewer, request }: Acting,
  query: { limit?: number | undefined; cursor?: string | undefined },
) {
  const { rows, nextCursor } = await pageByKey(deps.secretKey, LIST, query, {
    read: (page) => pageOfImports(deps.database.db, viewer, page, undoableSince(request)),
    keyOf: (row) => [row.id],
  });
  return { userImports: rows, nextCursor };
}

/** Returns an import. Throws 404 if there is none that the viewer may see. */
export async function requireImport(trx: Trx, { viewer, request }: Acting, id: number): Promise<UserImport> {
  const found = await findImport(trx, viewer, id, undoableSince(request));
  if (found === undefined) throw errors.notFound(messages.notFound);
  return found;
}

/** The counts of an import or an undo, each with its message. */
export function importCounts({ people, memberships }: { people: number; memberships: number }) {
  return [
    { count: people, say: messages.countedPeople },
    { count: memberships, say: messages.countedMemberships },
  ];
}

async function planUserImport(
  db: Db,
  deps: Deps,
  viewer: Viewer,
  {
    file: { schoolIds = [], unconfirmed },
    csv,
  }: { file: Pick<ImportFile, 'schoolIds' | 'unconfirmed'>; csv: Awaited<ReturnType<typeof parsePeopleCsv>> },
): Promise<Plan> {
  const requestedIds = [...new Set(schoolIds)];
  rejectOtherSchools(viewer, requestedIds);
  if (!(await schoolsExist(db, requestedIds))) {
    throw errors.invalid(adminMessages.schoolRequired, { schoolIds: adminMessages.schoolRequired });
  }
  const schools = (await listSchools(db)).filter(({ id }) => isWithin(viewer.schools, id));
  const chosen = { schools, schoolIds: requestedIds, unconfirmed: unconfirmed === true };
  const planned = await planImport(db, viewer, csv, chosen);
  const rows = viewer.schools === 'all' ? planned : planned.map(limitToSchools);
  return { rows, schools, unusedColumns: csv.unusedColumns, key: signPlan(deps, rows) };
}

// A school administrator cannot create district administrators, and learns nothing about an account from its address.
function limitToSchools(row: PlannedRow): PlannedRow {
  const { row: number, name, email, outcome } = row;
  if (outcome === 'created' && isDistrictAdministrator(row.person)) {
    const problem = { column: 'role', text: messages.unknownRole(row.person.role) } as const;
    return { row: number, name, email, notes: [], outcome: 'faulty', problems: [problem] };
  }
  // This note repeats only what the file contains.
  if (outcome === 'unchanged' && row.isGone) return row;
  if (outcome === 'extended' || outcome === 'unchanged') return { ...row, notes: [] };
  if (outcome === 'invited') return { ...row, notes: [messages.mustAccept] };
  return outcome === 'waiting' ? { ...row, notes: [messages.waitsForProof(email)] } : row;
}

// Signed with a key, so that it reveals nothing about people.
function signPlan(deps: Deps, rows: readonly PlannedRow[]): string {
  return sign(deps.secretKey, 'user-import', JSON.stringify(rows)).slice(0, 22);
}

function rejectChanged(plan: Plan, input: ImportInput): void {
  if (plan.key !== input.key) throw errors.conflict(messages.changed);
  const faults = plan.rows.filter((row) => row.outcome === 'faulty').length;
  if (faults > 0 && input.leaveOutFaulty !== true) {
    throw errors.invalid(messages.hasFaults(faults), { csv: messages.hasFaults(faults) });
  }
  if (!plan.rows.some((row) => EFFECTIVE_OUTCOMES.includes(row.outcome))) {
    throw errors.invalid(messages.nothing, { csv: messages.nothing });
  }
}

const EFFECTIVE_OUTCOMES: readonly PlannedRow['outcome'][] = ['created', 'extended', 'invited'];

function rejectTaken(error: unknown): never {
  if (databaseFailure(error) === 'unique') throw errors.conflict(messages.changed);
  throw error;
}

function newPeople(plan: Plan): NewPerson[] {
  return plan.rows.flatMap((row) => (row.outcome === 'created' ? [row.person] : []));
}

function toImportRow(deps: Deps, schools: readonly SchoolName[], planned: PlannedRow) {
  const { row, name, email, outcome, notes } = planned;
  const joined =
    planned.outcome === 'created'
      ? planned.person.schoolIds
      : planned.outcome === 'extended'
        ? planned.joined.map(({ schoolId }) => schoolId)
        : planned.outcome === 'invited'
          ? planned.schoolIds
          : [];
  return {
    row,
    name,
    email,
    outcome,
    schools: schools.filter(({ id }) => joined.includes(id)).map((school) => school.name),
    notes: notes.map((note) => translate(deps, note)),
    problems:
      planned.outcome === 'faulty'
        ? planned.problems.map(({ column, text: problem }) => ({ column, text: translate(deps, problem) }))
        : [],
  };
}

function toLinks(people: readonly NewPerson[], { emails }: ReadyImport) {
  return people.map(({ email }) => ({ email, link: emails.get(emailKey(email))?.link ?? '' }));
}

async function encryptEmails(deps: Deps, request: Request, people: readonly NewPerson[]) {
  const emails = new Map<string, { tokenHash: string; letter: EncryptedEmail; link: string }>();
  const expiresAt = linkExpiry(request);
  for (const [at, person] of people.entries()) {
    const token = newToken();
    const encrypted = encryptEmail(deps, {
      kind: 'welcome',
      letter: importedAccountEmail(deps, { ...person, id: null, language: null, isProven: true }, token),
      at: request.at,
      dueAt: plusMilliseconds(request.at, Math.floor(at / EMAILS_PER_SECOND) * 1000),
      expiresAt,
    });
    const link = linkTo(deps, 'token', token);
    emails.set(emailKey(person.email), { tokenHash: hashToken(token), letter: encrypted, link });
    if (at % EMAILS_PER_TURN === 0) await yieldToEventLoop();
  }
  return emails;
}

async function queueEmails(
  trx: Trx,
  request: Request,
  people: readonly NewPerson[],
  ids: ReadonlyMap<string, number>,
  ready: ReadyImport & { isShown: boolean },
): Promise<void> {
  const { isShown } = ready;
  const queued = people.flatMap((person) => {
    const key = emailKey(person.email);
    const userId = ids.get(key);
    const sealed = ready.emails.get(key);
    return userId === undefined || sealed === undefined ? [] : [{ userId, ...sealed }];
  });
  await createPasswordLinks(trx, queued, { at: request.at, expiresAt: linkExpiry(request), isShown });
  await queueEncryptedEmails(trx, queued);
}

async function grantRoles(
  trx: Trx,
  people: readonly NewPerson[],
  ids: ReadonlyMap<string, number>,
  at: Request['at'],
): Promise<void> {
  for (const person of people) {
    const userId = ids.get(emailKey(person.email));
    if (userId !== undefined) await giveGrants(trx, userId, grantsIn(person), at);
  }
}

function grantsIn({ grant, schoolIds }: Pick<NewPerson, 'grant' | 'schoolIds'>) {
  return grant === undefined ? [] : schoolIds.map((schoolId) => ({ role: grant, schoolId }));
}

// Each person gets their own audit event, as if created by hand; one more describes the import.
async function recordImport(
  trx: Trx,
  actor: Actor,
  done: {
    id: number;
    people: readonly NewPerson[];
    ids: ReadonlyMap<string, number>;
    rows: readonly PlannedRow[];
    made: { people: number; memberships: number };
  },
): Promise<void> {
  const importId = done.id;
  const { people, memberships } = done.made;
  const created = done.people.map(
    (person): AuditEvent => ({
      action: 'account.create',
      subject: 'user',
      subjectId: done.ids.get(emailKey(person.email)) ?? null,
      after: { ...auditFieldsOf(person), importId },
    }),
  );
  const joined = done.rows.flatMap((row): AuditEvent[] =>
    row.outcome === 'extended'
      ? [
          {
            action: 'membership.add',
            subject: 'user',
            subjectId: row.userId,
            after: { schoolIds: row.joined.map(({ schoolId }) => schoolId), importId },
          },
        ]
      : [],
  );
  await recordEvents(trx, actor, [...created, ...joined]);
  const whole = { action: 'users.import', subject: 'user-import', subjectId: importId };
  await recordEvent(trx, actor, { ...whole, after: { people, memberships } });
}

function auditFieldsOf(person: NewPerson) {
  const { grant, ...account } = person;
  return { ...account, isActive: true, ...grantsForAudit(grantsIn(person)) };
}

function linkExpiry(request: Request) {
  return plusMilliseconds(request.at, IMPORT.linkDays * DAY_MS);
}

function undoableSince({ at }: Pick<Request, 'at'>) {
  return plusMilliseconds(at, -IMPORT.undoDays * DAY_MS);
}

/** An import running on this server: its importer and start. It is one transaction, so there is no progress. */
export type RunningImport = Readonly<{ by: number; startedAt: Instant }>;

const runningOf = serverSingleton(() => new Set<RunningImport>());

/** Runs an import and lists it while it is running. */
export async function trackRunningImport<Done>(
  deps: Deps,
  one: RunningImport,
  work: () => Promise<Done>,
): Promise<Done> {
  const running = runningOf(deps);
  running.add(one);
  try {
    return await work();
  } finally {
    running.delete(one);
  }
}

/** The imports running on this server. */
export function runningImports(deps: Deps): readonly RunningImport[] {
  return [...runningOf(deps)];
}
