import { sql } from 'kysely';
import type { TestApp } from '#test/harness.ts';
import type { Persona } from './users.ts';

/**
 * The users who may read a column. 'nobody': it never leaves the server. 'the person': the row's person, and administrators.
 * 'the school': the members of the row's school, and administrators. 'public': anyone, or it reveals nothing.
 */
export type Readers = 'nobody' | 'administrators' | 'the person' | 'the school' | 'public';

/** Every text column with its readers. All others have times, dates or one of a few fixed values. */
export const READERS: Readonly<Record<string, Readonly<Record<string, Readers>>>> = {
  users: {
    email: 'the person',
    email_key: 'nobody',
    password_hash: 'nobody',
    first_name: 'the person',
    last_name: 'the person',
    sort_key: 'nobody',
    search_key: 'nobody',
    role: 'public',
    contact_email: 'the person',
    language: 'public',
  },
  schools: {
    name: 'public',
    name_key: 'nobody',
    logo_url: 'public',
    verification: 'public',
    letter_signer: 'administrators',
    letter_title: 'administrators',
    letter_wording: 'administrators',
    translations: 'public',
    translated_key: 'nobody',
  },
  school_logos: { name: 'public', type: 'public' },
  user_schools: { status: 'public' },
  user_grants: { role: 'public' },
  invite_grants: { role: 'public' },
  sessions: {
    token_hash: 'nobody',
    address: 'the person',
    agent: 'the person',
    provider_session: 'nobody',
    provider_id_token: 'nobody',
    signed_in_by: 'public',
  },
  known_devices: { mark: 'nobody' },
  provider_links: { provider: 'the person', issuer: 'the person', subject: 'the person' },
  provider_redirects: { token_hash: 'nobody', purpose: 'nobody', browser_hash: 'nobody', sealed: 'nobody' },
  provider_logouts: { token_hash: 'nobody' },
  sign_in_links: { token_hash: 'nobody', browser_hash: 'nobody' },
  passkeys: {
    credential_id: 'nobody',
    user_handle: 'nobody',
    public_key: 'nobody',
    transports: 'nobody',
    rp_id: 'public',
    name: 'the person',
  },
  used_challenges: { challenge_hash: 'nobody' },
  totp_secrets: { sealed: 'nobody' },
  totp_offers: { sealed: 'nobody' },
  recovery_codes: { code_hash: 'nobody' },
  sign_in_challenges: { token_hash: 'nobody', device_hash: 'nobody', sealed: 'nobody' },
  past_addresses: { email_key: 'the person' },
  password_links: { token_hash: 'nobody' },
  email_confirmations: {
    token_hash: 'nobody',
    email: 'the person',
    email_key: 'nobody',
    first_name: 'the person',
    last_name: 'the person',
    school_ids: 'nobody',
  },
  invites: { token_hash: 'nobody', email: 'administrators', email_key: 'nobody', role: 'public' },
  deletion_requests: { reason: 'the person' },
  legal_holds: { reason: 'administrators' },
  categories: {
    name: 'the school',
    name_key: 'nobody',
    description: 'the school',
    color: 'public',
    kind: 'public',
    translations: 'the school',
    translated_key: 'nobody',
  },
  activities: {
    name: 'the school',
    name_key: 'nobody',
    description: 'the school',
    description_prompt: 'the school',
    verification: 'public',
    external_verifier: 'the school',
    log_code: 'administrators',
    translations: 'the school',
    translated_key: 'nobody',
  },
  activity_suggestions: {
    name: 'the person',
    description: 'the person',
    reason: 'the person',
    status: 'public',
    admin_reason: 'the person',
  },
  time_entries: {
    notes: 'the person',
    verification: 'public',
    decided_by_external: 'the person',
    decision_note: 'the person',
    reopen_note: 'the person',
    external_verifier: 'the person',
  },
  external_verifier_requests: {
    token_hash: 'nobody',
    address: 'administrators',
    address_key: 'nobody',
    delivery: 'public',
  },
  external_verifier_unsubscribes: { address_hash: 'nobody' },
  verification_batches: { decision: 'nobody' },
  verification_batch_entries: { before: 'nobody' },
  school_volunteers: { sort_key: 'nobody' },
  photos: {
    caption: 'the school',
    original_name: 'the school',
    storage_key: 'nobody',
    sha256: 'nobody',
    source_sha256: 'nobody',
    view_sha256: 'nobody',
    thumbnail_sha256: 'nobody',
    large_sha256: 'nobody',
    screen_sha256: 'nobody',
    google_photos_url: 'the school',
    google_photos_id: 'the school',
    review: 'public',
    hidden_reason: 'administrators',
  },
  orphaned_photo_files: { storage_key: 'nobody' },
  audit_events: {
    action: 'public',
    subject: 'public',
    before: 'administrators',
    after: 'administrators',
    address: 'administrators',
    request_id: 'administrators',
  },
  idempotency_keys: { owner: 'nobody', key: 'nobody', fingerprint: 'nobody', reply: 'nobody' },
  rate_limits: { key: 'nobody' },
  emails: { message_id: 'nobody', kind: 'public', sealed: 'nobody', failure: 'nobody' },
  time_entry_imports: { state: 'public', reason: 'nobody' },
  time_entry_import_chunks: { entries: 'nobody' },
  exports: { token_hash: 'nobody', format: 'public', asked: 'nobody', outcome: 'public', made_by: 'nobody' },
  service_letter_files: { token_hash: 'nobody', form: 'public', outcome: 'public', made_by: 'nobody' },
  // The sender's, even if their role has changed.
  announcements: { subject: 'the person', sealed: 'nobody' },
  household_members: { household: 'nobody', joined_with: 'the person', code: 'the person' },
  service_letters: {
    code: 'the person',
    name_mark: 'nobody',
    school_ids: 'nobody',
    school: 'public',
    language: 'public',
    record_mark: 'nobody',
  },
  service_letter_names: { first_name: 'the person', last_name: 'the person' },
  district_settings: { name: 'public', value: 'public' },
  server_state: { name: 'nobody', value: 'nobody' },
  system_warnings: { name: 'public', detail: 'nobody' },
  failed_requests: { method: 'public', route: 'administrators', last_id: 'administrators' },
  daily_jobs: { name: 'nobody' },
  drive_connection: { refresh_token: 'nobody', access_token: 'nobody', account: 'administrators' },
  drive_attempts: { state_hash: 'nobody', verifier: 'nobody', problem: 'nobody' },
  drive_root: { folder_id: 'nobody', name: 'administrators', url: 'administrators' },
  drive_folders: { folder_id: 'nobody', lease: 'nobody' },
  drive_files: { file_id: 'nobody', upload_session: 'nobody' },
  drive_syncs: { kind: 'public' },
  drive_sync_activities: {
    name: 'administrators',
    state: 'public',
    error: 'administrators',
    folder_name: 'administrators',
    folder_url: 'administrators',
  },
  account_merges: { sealed: 'nobody' },
  account_merge_rows: { deed: 'nobody', place: 'nobody', sealed: 'nobody' },
  drive_sync_photos: { state: 'public', error: 'nobody' },
};

/** Columns that are used for lookups or have a checked format. Their values are not replaced, and are recognized by format. */
const AS_THEY_ARE = [
  'schools.name_key',
  'users.email',
  'users.contact_email',
  'users.email_key',
  'past_addresses.email_key',
  'users.password_hash',
  'sessions.token_hash',
  'sessions.address',
  'known_devices.mark',
  'provider_links.provider',
  'provider_links.issuer',
  'provider_links.subject',
  'sign_in_links.token_hash',
  'sign_in_links.browser_hash',
  'totp_secrets.sealed',
  'totp_offers.sealed',
  'recovery_codes.code_hash',
  'password_links.token_hash',
  'email_confirmations.token_hash',
  'activities.external_verifier',
  'activities.translations',
  'categories.translations',
  'activities.log_code',
  'time_entries.external_verifier',
  'external_verifier_requests.token_hash',
  'external_verifier_requests.address',
  'external_verifier_requests.address_key',
  'email_confirmations.email',
  'email_confirmations.email_key',
  'email_confirmations.first_name',
  'email_confirmations.last_name',
  'email_confirmations.school_ids',
  'invites.token_hash',
  'invites.email',
  'invites.email_key',
  'photos.sha256',
  'photos.source_sha256',
  'photos.view_sha256',
  'photos.thumbnail_sha256',
  'photos.large_sha256',
  'photos.screen_sha256',
  'exports.token_hash',
  'exports.asked',
  'exports.made_by',
  'service_letter_files.token_hash',
  'service_letter_files.made_by',
  'announcements.subject',
  'household_members.household',
  'household_members.joined_with',
  'household_members.code',
  'service_letters.code',
  'service_letters.name_mark',
  'service_letters.school_ids',
  'service_letters.record_mark',
  'drive_attempts.state_hash',
  'drive_attempts.verifier',
  'verification_batches.decision',
  'verification_batch_entries.before',
  'time_entry_import_chunks.entries',
];
/** Tables with temporary rows, or that reject changes. */
const WITHOUT_MARKS = [
  'audit_events',
  'idempotency_keys',
  'rate_limits',
  'emails',
  'server_state',
  'system_warnings',
  'failed_requests',
  'daily_jobs',
  'orphaned_photo_files',
  'school_volunteers',
  'provider_redirects',
  'provider_logouts',
  'sign_in_challenges',
  'used_challenges',
  'account_merges',
  'account_merge_rows',
  'external_verifier_unsubscribes',
  // Nothing is connected here.
  'drive_connection',
  'drive_root',
];

/** The name of an existing file. */
const FILE_KEY = sql.lit('_'.repeat(32));

/** The columns by which a row identifies its person and school. */
const PERSON: Readonly<Record<string, string>> = { users: 'id' };
const OF_PEOPLE = [
  'sessions',
  'passkeys',
  'activity_suggestions',
  'time_entries',
  'photos',
  'deletion_requests',
  'service_letter_names',
];
const OF_SCHOOLS = ['categories', 'activities', 'activity_suggestions', 'time_entries', 'photos'];
const WITHOUT_ID: Readonly<Record<string, string>> = {
  deletion_requests: 'user_id',
  past_addresses: 'user_id',
  service_letter_names: 'letter_id',
  drive_attempts: 'user_id',
  verification_batch_entries: 'batch_id',
  drive_folders: 'activity_id',
  drive_files: 'photo_id',
  drive_sync_activities: 'activity_id',
  drive_sync_photos: 'photo_id',
};

const COLUMNS = Object.entries(READERS).flatMap(([table, columns]) =>
  Object.entries(columns).map(([column, readers]) => ({
    table,
    column,
    readers,
    name: `${table}.${column}`,
  })),
);

// A cursor has the key of a page's last row, so key and name get the same mark.
const indexOf = ({ table, column }: { table: string; column: string }) =>
  COLUMNS.findIndex(({ name }) => name === `${table}.${column === 'name_key' ? 'name' : column}`);

const MARKED = COLUMNS.map((one) => ({ ...one, index: indexOf(one) })).filter(
  ({ table, name, readers }) =>
    readers !== 'public' && !WITHOUT_MARKS.includes(table) && !AS_THEY_ARE.includes(name),
);

/**
 * Columns that at least one user may read. The test requires that one of them reads each column, or the marks would prove
 * nothing.
 */
export const READABLE = MARKED.filter(({ readers }) => readers !== 'nobody').map(({ name }) => name);

/** Replaces every personal text by a mark with its owner and column. */
export async function markTexts({ deps }: TestApp): Promise<void> {
  for (const table of Object.keys(READERS)) {
    const marked = MARKED.filter((one) => one.table === table);
    if (marked.length === 0) continue;
    const person = sql.ref(
      PERSON[table] ?? (OF_PEOPLE.includes(table) ? 'user_id' : (WITHOUT_ID[table] ?? 'id')),
    );
    const school = OF_SCHOOLS.includes(table) ? sql`school_id` : table === 'schools' ? sql`id` : sql`0`;
    const row = sql.ref(WITHOUT_ID[table] ?? 'id');
    const values = marked.map(
      ({ index, column }) =>
        sql`${sql.ref(column)} = case when ${sql.ref(column)} like ${FILE_KEY} then ${sql.ref(column)} else
          ${sql.lit(`zq${index}p`)} || coalesce(${person}, 0) || 's' || ${school} || 'r' || ${row} || 'z' end`,
    );
    const first = sql.ref(marked[0]?.column ?? '');
    await sql`update ${sql.table(table)} set ${sql.join(values)} where ${first} is null or ${first} not like 'zq%'`.execute(
      deps.database.db,
    );
  }
}

/** People whom a grant makes visible: members of the granted schools, and people who acted there. */
export type People = Readonly<{
  mayKnow: (grant: Persona['grant'], person: number) => boolean;
  mayKnowAddress: (grant: Persona['grant'], address: string) => boolean;
}>;

const NOBODY_KNOWN: People = { mayKnow: () => false, mayKnowAddress: () => false };

/**
 * Reads which users belong to which school, have records there, or are in its audit log. District administrators act
 * everywhere, so their names are known but not their addresses.
 */
export async function findKnownPeople({ deps }: TestApp): Promise<People> {
  const { rows } = await sql<{ id: number; email: string; school_id: number | null }>`
    select users.id, users.email, there.school_id from users join (
      select user_id, school_id from user_schools union select user_id, school_id from user_grants
      union select user_id, school_id from time_entries union select user_id, school_id from photos
      union select user_id, school_id from activity_suggestions
      union select subject_id, school_id from audit_events where subject = 'user' and school_id is not null
      union select from_user_id, school_id from account_merges
        join user_schools on user_schools.user_id = account_merges.into_user_id
      union select id, null from users where role = 'admin') there on there.user_id = users.id`.execute(
    deps.database.db,
  );
  const people = Map.groupBy(rows, (row) => row.id);
  const addresses = Map.groupBy(rows, (row) => row.email);
  const isThere = (grant: Persona['grant'], schoolId: number | null) =>
    schoolId !== null && isWithinGrant(grant, schoolId);
  return {
    mayKnow: (grant, person) =>
      grant !== undefined &&
      // A grant for all schools includes people without a school.
      (grant.school === null ||
        (people.get(person) ?? []).some((row) => row.school_id === null || isThere(grant, row.school_id))),
    mayKnowAddress: (grant, address) =>
      (addresses.get(address) ?? []).some((row) => isThere(grant, row.school_id)),
  };
}

function isWithinGrant(grant: Persona['grant'], schoolId: number): boolean {
  return grant !== undefined && (grant.school === null || grant.school.id === schoolId);
}

/** The marks, addresses and hashes in a reply that this persona may not read, and those that were read. */
export function findUnreadableMarks(
  { role, id, schools, grant }: Pick<Persona, 'role' | 'id' | 'schools' | 'grant'>,
  text: string,
  known: People = NOBODY_KNOWN,
): { unfit: string[]; read: string[] } {
  const read: string[] = [];
  const unfit = [...text.matchAll(/\$argon2|\b[0-9a-f]{64}\b/g)].map(([found]) => `a hash: ${found}`);
  for (const [, index, person, school] of text.matchAll(/zq(\d+)p(\d+)s(\d+)r\d+z/g)) {
    const { name = '', readers = 'nobody' } = COLUMNS[Number(index)] ?? {};
    const isTheirs = Number(person) === id && id !== 0;
    const isMember = schools.some((one) => one.id === Number(school));
    const isGranted = Number(school) !== 0 && isWithinGrant(grant, Number(school));
    const isKnown = Number(school) === 0 ? known.mayKnow(grant, Number(person)) : isGranted;
    const may = {
      nobody: false,
      administrators: role === 'administrator' || isGranted,
      'the person': role === 'administrator' || isTheirs || isKnown,
      'the school': role === 'administrator' || isMember || isTheirs || isGranted,
      public: true,
    }[readers];
    read.push(name);
    if (!may) unfit.push(`${name} of person ${person} at school ${school}`);
  }
  return { unfit, read };
}
