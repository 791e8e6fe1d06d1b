import { type Kysely, sql } from 'kysely';
import { type ColumnTypes, columnTypes, type Engine } from '../column-types.ts';
import { makeTriggers } from './baseline-triggers.ts';

type Maker = Readonly<{
  t: ColumnTypes;
  run: (statement: ReturnType<typeof sql>) => Promise<unknown>;
  /** For tables with a primary key of several columns, which SQLite would otherwise store twice. */
  withoutRowid: ReturnType<typeof sql>;
  /**
   * The column of a partial index that covering indexes on SQLite must include, because SQLite reads the column in any case.
   */
  deletedAt: ReturnType<typeof sql>;
}>;

/**
 * All tables, indexes and triggers of version 1.0.0. It may be edited until that release freezes it. Limits repeat the values
 * in the contracts, because a released migration must never change.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const maker: Maker = {
    t: columnTypes(engine),
    run: (statement) => statement.execute(db),
    withoutRowid: engine === 'sqlite' ? sql`strict, without rowid` : sql``,
    deletedAt: engine === 'sqlite' ? sql`, deleted_at` : sql``,
  };
  await makeSchools(maker);
  await makeUsers(maker);
  await makeAuth(maker);
  await makeActivities(maker);
  await makeTimeEntries(maker);
  await makeSums(maker);
  await makeVerification(maker);
  await makePhotos(maker);
  await makeReports(maker);
  await makeEmail(maker);
  await makeOperations(maker);
  await makeTriggers(db, engine);
}

async function makeSchools({ run, t }: Maker): Promise<void> {
  await run(sql`create table schools (
    id ${t.id},
    name ${t.text} not null check (length(name) between 1 and 120),
    name_key ${t.key} not null unique,
    logo_url ${t.text},
    created_at ${t.instant('created_at')} not null,
    version ${t.whole} not null default 1,
    verification ${t.key} not null default 'off' check (verification in ('off', 'on')),
    closed_before ${t.date('closed_before')},
    late_after_days ${t.whole} check (late_after_days between 1 and 366),
    letter_signer ${t.text} check (length(letter_signer) between 1 and 120),
    letter_title ${t.text} check (length(letter_title) between 1 and 120),
    letter_wording ${t.text} check (length(letter_wording) between 1 and 2000),
    translations ${t.json},
    translated_key ${t.key} not null default ''
  ) ${t.end}`);
  await run(
    sql`create unique index schools_translated on schools (translated_key) where translated_key <> ''`,
  );

  await run(sql`create table school_logos (
    school_id ${t.ref} primary key references schools (id) on delete cascade,
    name ${t.key} not null check (length(name) between 8 and 100),
    type ${t.text} not null check (type in ('image/png', 'image/webp')),
    content ${t.bytes} not null,
    created_at ${t.instant('created_at')} not null
  ) ${t.end}`);
  await run(sql`create index school_logos_by_name on school_logos (name)`);

  await run(sql`create table district_settings (
    name ${t.key} primary key check (length(name) between 1 and 60),
    value ${t.text} not null check (length(value) between 1 and 20000)
  ) ${t.end}`);
}

async function makeUsers({ run, t }: Maker): Promise<void> {
  await run(sql`create table users (
    id ${t.id},
    email ${t.text} not null check (length(email) between 3 and 254),
    email_key ${t.key} not null unique,
    password_hash ${t.text},
    first_name ${t.text} not null check (length(first_name) between 1 and 60),
    last_name ${t.text} not null check (length(last_name) between 1 and 60),
    sort_key ${t.key} not null,
    search_key ${t.key} not null,
    role ${t.text} not null check (role in ('user', 'admin')),
    is_active ${t.flag('is_active')} not null default 1,
    created_at ${t.instant('created_at')} not null,
    last_login_at ${t.instant('last_login_at')},
    version ${t.whole} not null default 1,
    email_verified_at ${t.instant('email_verified_at')},
    failed_logins ${t.whole} not null default 0 check (failed_logins >= 0),
    erased_at ${t.instant('erased_at')},
    is_walk_in ${t.flag('is_walk_in')} not null default 0,
    contact_email ${t.text} check (length(contact_email) between 1 and 254),
    language ${t.key},
    vouched_at ${t.instant('vouched_at')},
    vouched_by ${t.ref} references users (id) on delete set null,
    deactivated_by_district ${t.flag('deactivated_by_district')} not null default 0,
    password_given_at ${t.instant('password_given_at')},
    password_given_by ${t.ref} references users (id) on delete set null
  ) ${t.end}`);
  await run(sql`create index users_by_name on users (sort_key, id)`);
  await run(sql`create index administrators on users (id) where role = 'admin' and is_active = 1`);
  await run(
    sql`create index users_by_sign_in on users (coalesce(last_login_at, '0001-01-01T00:00:00.000Z'), id)`,
  );
  await run(sql`create index users_by_voucher on users (vouched_by)`);
  await run(sql`create index users_by_password_giver on users (password_given_by)`);

  await run(sql`create table user_schools (
    user_id ${t.ref} not null references users (id) on delete cascade,
    school_id ${t.ref} not null references schools (id) on delete cascade,
    status ${t.text} not null check (status in ('active', 'pending')),
    created_at ${t.instant('created_at')} not null,
    is_approved ${t.flag('is_approved')} not null default 1,
    primary key (user_id, school_id)
  ) ${t.end}`);
  await run(sql`create index user_schools_of_school on user_schools (school_id, status, user_id)`);
  await run(
    sql`create index pending_memberships on user_schools (created_at, user_id, school_id) where status = 'pending'`,
  );

  await run(sql`create table invites (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    email ${t.text} not null check (length(email) between 3 and 254),
    email_key ${t.key} not null,
    role ${t.text} not null check (role in ('user', 'admin')),
    invited_by ${t.ref} references users (id) on delete set null,
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    used_at ${t.instant('used_at')},
    used_by ${t.ref} references users (id) on delete set null,
    is_shown ${t.flag('is_shown')} not null default 0,
    check (used_by is null or used_at is not null)
  ) ${t.end}`);
  await run(sql`create index invites_of_address on invites (email_key, id)`);
  await run(sql`create index invites_by_inviter on invites (invited_by)`);
  await run(sql`create index invites_by_user on invites (used_by)`);

  await run(sql`create table invite_schools (
    invite_id ${t.ref} not null references invites (id) on delete cascade,
    school_id ${t.ref} not null references schools (id) on delete cascade,
    primary key (invite_id, school_id)
  ) ${t.end}`);
  await run(sql`create index invite_schools_of_school on invite_schools (school_id)`);

  await run(sql`create table deletion_requests (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    reason ${t.text} check (length(reason) between 1 and 500),
    requested_at ${t.instant('requested_at')} not null
  ) ${t.end}`);
  await run(sql`create index deletion_requests_by_age on deletion_requests (requested_at, user_id)`);

  await run(sql`create table user_imports (
    id ${t.id},
    imported_by ${t.ref} references users (id) on delete set null,
    imported_at ${t.instant('imported_at')} not null,
    people ${t.whole} not null check (people >= 0),
    memberships ${t.whole} not null check (memberships >= 0),
    has_mail ${t.flag('has_mail')} not null,
    undone_at ${t.instant('undone_at')}
  ) ${t.end}`);
  await run(sql`create index user_imports_by_importer on user_imports (imported_by)`);
  await run(sql`create index user_imports_by_age on user_imports (imported_at)`);

  await run(sql`create table user_import_users (
    import_id ${t.ref} not null references user_imports (id) on delete cascade,
    user_id ${t.ref} not null references users (id) on delete cascade,
    primary key (import_id, user_id)
  ) ${t.end}`);
  await run(sql`create index user_import_users_of_user on user_import_users (user_id)`);

  await run(sql`create table user_import_memberships (
    import_id ${t.ref} not null references user_imports (id) on delete cascade,
    user_id ${t.ref} not null references users (id) on delete cascade,
    school_id ${t.ref} not null references schools (id) on delete cascade,
    was_pending ${t.flag('was_pending')} not null,
    primary key (import_id, user_id, school_id)
  ) ${t.end}`);
  await run(sql`create index user_import_memberships_of_user on user_import_memberships (user_id)`);
  await run(sql`create index user_import_memberships_of_school on user_import_memberships (school_id)`);

  await run(sql`create table legal_holds (
    id ${t.id},
    user_id ${t.ref},
    school_id ${t.ref},
    reason ${t.text} check (length(reason) between 1 and 2000),
    placed_by ${t.ref} not null,
    placed_at ${t.instant('placed_at')} not null,
    lifted_by ${t.ref},
    lifted_at ${t.instant('lifted_at')},
    check ((user_id is null) <> (school_id is null)),
    check ((lifted_by is null) = (lifted_at is null))
  ) ${t.end}`);
  await run(
    sql`create unique index holds_in_force_by_user_id on legal_holds (user_id) where lifted_at is null and user_id is not null`,
  );
  await run(
    sql`create unique index holds_in_force_by_school_id on legal_holds (school_id) where lifted_at is null and school_id is not null`,
  );

  await run(sql`create table user_grants (
    user_id ${t.ref} not null references users (id) on delete cascade,
    created_at ${t.instant('created_at')} not null,
    role ${t.key} not null check (role in ('school-admin', 'coordinator', 'auditor')),
    school_id ${t.ref} references schools (id) on delete cascade,
    check (school_id is not null or role = 'auditor')
  ) ${t.end}`);
  await run(sql`create unique index user_grants_once on user_grants (user_id, role, coalesce(school_id, 0))`);
  await run(sql`create index user_grants_of_school on user_grants (school_id, user_id)`);

  await run(sql`create table invite_grants (
    invite_id ${t.ref} not null references invites (id) on delete cascade,
    role ${t.key} not null check (role in ('school-admin', 'coordinator', 'auditor')),
    school_id ${t.ref} references schools (id) on delete cascade,
    check (school_id is not null or role = 'auditor')
  ) ${t.end}`);
  await run(
    sql`create unique index invite_grants_once on invite_grants (invite_id, role, coalesce(school_id, 0))`,
  );
  await run(sql`create index invite_grants_of_school on invite_grants (school_id)`);

  await run(sql`create table account_merges (
    id ${t.id},
    from_user_id ${t.ref} not null references users (id) on delete cascade,
    into_user_id ${t.ref} not null references users (id) on delete cascade,
    merged_by ${t.ref} references users (id) on delete set null,
    merged_at ${t.instant('merged_at')} not null,
    undone_by ${t.ref} references users (id) on delete set null,
    undone_at ${t.instant('undone_at')},
    sealed ${t.text},
    check (from_user_id <> into_user_id)
  ) ${t.end}`);
  await run(
    sql`create unique index account_merges_in_force on account_merges (from_user_id) where undone_at is null`,
  );
  await run(sql`create index account_merges_of_from on account_merges (from_user_id)`);
  await run(sql`create index account_merges_of_into on account_merges (into_user_id)`);
  await run(sql`create index account_merges_by_merger on account_merges (merged_by)`);
  await run(sql`create index account_merges_by_undoer on account_merges (undone_by)`);
  await run(sql`create index account_merges_to_sweep on account_merges (merged_at) where sealed is not null`);

  await run(sql`create table account_merge_rows (
    merge_id ${t.ref} not null references account_merges (id) on delete cascade,
    deed ${t.key} not null check (deed in ('moved', 'aside', 'given')),
    place ${t.key} not null,
    row_id ${t.ref},
    sealed ${t.text},
    check ((row_id is null) <> (sealed is null))
  ) ${t.end}`);
  await run(sql`create index account_merge_rows_of_merge on account_merge_rows (merge_id, place)`);

  await run(sql`create table not_duplicates (
    low_user_id ${t.ref} not null references users (id) on delete cascade,
    high_user_id ${t.ref} not null references users (id) on delete cascade,
    said_by ${t.ref} references users (id) on delete set null,
    said_at ${t.instant('said_at')} not null,
    primary key (low_user_id, high_user_id),
    check (low_user_id < high_user_id)
  ) ${t.end}`);
  await run(sql`create index not_duplicates_by_high on not_duplicates (high_user_id)`);
  await run(sql`create index not_duplicates_by_sayer on not_duplicates (said_by)`);

  await run(sql`create table household_members (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    household ${t.key} not null,
    joined_at ${t.instant('joined_at')} not null,
    joined_with ${t.key},
    code ${t.key} unique,
    code_until ${t.instant('code_until')},
    check ((code is null) = (code_until is null))
  ) ${t.end}`);
  await run(sql`create index household_members_of_household on household_members (household)`);

  await run(sql`create table past_addresses (
    user_id ${t.ref} not null references users (id) on delete cascade,
    email_key ${t.key} not null,
    primary key (user_id, email_key)
  ) ${t.end}`);
}

async function makeAuth({ run, t }: Maker): Promise<void> {
  await run(sql`create table provider_links (
    id ${t.id},
    user_id ${t.ref} not null references users (id) on delete cascade,
    provider ${t.key} not null check (length(provider) between 1 and 40),
    issuer ${t.key} not null check (length(issuer) between 1 and 2000),
    subject ${t.key} not null check (length(subject) between 1 and 255),
    created_at ${t.instant('created_at')} not null,
    last_used_at ${t.instant('last_used_at')} not null,
    unique (issuer, subject)
  ) ${t.end}`);
  await run(sql`create index provider_links_of_user on provider_links (user_id)`);

  await run(sql`create table sessions (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    created_at ${t.instant('created_at')} not null,
    last_used_at ${t.instant('last_used_at')} not null,
    address ${t.text} not null,
    agent ${t.text} not null,
    provider_link_id ${t.ref} references provider_links (id) on delete set null,
    provider_session ${t.text},
    provider_id_token ${t.text},
    signed_in_by ${t.key} check (signed_in_by in ('password', 'provider', 'passkey', 'link')),
    proven_at ${t.instant('proven_at')}
  ) ${t.end}`);
  await run(sql`create index sessions_of_user on sessions (user_id)`);
  await run(sql`create index sessions_by_age on sessions (created_at, id)`);
  await run(sql`create index sessions_of_provider_link on sessions (provider_link_id)`);
  await run(sql`create index sessions_of_provider_session on sessions (provider_session)`);

  await run(sql`create table password_links (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    used_at ${t.instant('used_at')},
    is_shown ${t.flag('is_shown')} not null default 0
  ) ${t.end}`);
  await run(sql`create index password_links_of_user on password_links (user_id)`);

  await run(sql`create table rate_limits (
    key ${t.key} primary key,
    failures ${t.whole} not null,
    window_started_at ${t.instant('window_started_at')} not null,
    blocked_until ${t.instant('blocked_until')},
    strikes ${t.whole} not null default 0
  ) ${t.end}`);
  await run(sql`create index rate_limits_by_age on rate_limits (window_started_at, key)`);

  await run(sql`create table known_devices (
    user_id ${t.ref} not null references users (id) on delete cascade,
    mark ${t.key} not null check (length(mark) between 1 and 100),
    last_used_at ${t.instant('last_used_at')} not null,
    failed_logins ${t.whole} not null default 0 check (failed_logins >= 0),
    primary key (user_id, mark)
  ) ${t.end}`);
  await run(sql`create index known_devices_by_age on known_devices (last_used_at)`);

  await run(sql`create table email_confirmations (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    email ${t.text} not null check (length(email) between 3 and 254),
    email_key ${t.key} not null unique,
    user_id ${t.ref} references users (id) on delete cascade,
    first_name ${t.text} check (length(first_name) between 1 and 60),
    last_name ${t.text} check (length(last_name) between 1 and 60),
    school_ids ${t.text},
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    check ((user_id is null) = (first_name is not null)),
    check ((user_id is null) = (last_name is not null)),
    check ((user_id is null) = (school_ids is not null))
  ) ${t.end}`);
  await run(sql`create index email_confirmations_of_user on email_confirmations (user_id)`);
  await run(sql`create index email_confirmations_by_age on email_confirmations (expires_at)`);

  await run(sql`create table sign_in_links (
    token_hash ${t.key} primary key check (length(token_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    browser_hash ${t.key} not null check (length(browser_hash) = 64),
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index sign_in_links_of_user on sign_in_links (user_id)`);
  await run(sql`create index sign_in_links_by_age on sign_in_links (expires_at)`);

  await run(sql`create table provider_logouts (
    token_hash ${t.key} primary key check (length(token_hash) = 64),
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index provider_logouts_by_age on provider_logouts (expires_at)`);

  await run(sql`create table totp_secrets (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    sealed ${t.text} not null,
    last_step ${t.whole} not null check (last_step >= 0),
    created_at ${t.instant('created_at')} not null,
    last_used_at ${t.instant('last_used_at')}
  ) ${t.end}`);

  await run(sql`create table totp_offers (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    sealed ${t.text} not null,
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index totp_offers_by_age on totp_offers (expires_at)`);

  await run(sql`create table recovery_codes (
    user_id ${t.ref} not null references users (id) on delete cascade,
    code_hash ${t.key} not null check (length(code_hash) > 0),
    created_at ${t.instant('created_at')} not null,
    primary key (user_id, code_hash)
  ) ${t.end}`);

  await run(sql`create table sign_in_challenges (
    token_hash ${t.key} primary key check (length(token_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    device_hash ${t.key} check (length(device_hash) = 64),
    sealed ${t.text} not null,
    mistakes ${t.whole} not null default 0 check (mistakes >= 0),
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index sign_in_challenges_by_age on sign_in_challenges (expires_at)`);
  await run(sql`create index sign_in_challenges_of_user on sign_in_challenges (user_id)`);

  await run(sql`create table two_factor_grace_periods (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    begins_at ${t.instant('begins_at')} not null
  ) ${t.end}`);

  await run(sql`create table passkeys (
    id ${t.id},
    user_id ${t.ref} not null references users (id) on delete cascade,
    credential_id ${t.key} not null unique check (length(credential_id) between 1 and 2000),
    user_handle ${t.key} not null,
    public_key ${t.text} not null,
    counter ${t.whole} not null check (counter >= 0),
    transports ${t.text} not null,
    rp_id ${t.key} not null,
    name ${t.text} not null check (length(name) between 1 and 60),
    created_at ${t.instant('created_at')} not null,
    last_used_at ${t.instant('last_used_at')}
  ) ${t.end}`);
  await run(sql`create index passkeys_of_user on passkeys (user_id)`);
  await run(sql`create index passkeys_of_relying_party on passkeys (rp_id)`);

  await run(sql`create table used_challenges (
    challenge_hash ${t.key} primary key check (length(challenge_hash) = 64),
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index used_challenges_by_age on used_challenges (expires_at)`);

  await run(sql`create table provider_redirects (
    token_hash ${t.key} primary key check (length(token_hash) = 64),
    purpose ${t.key} not null check (purpose in ('sign-in', 'link', 'fresh')),
    browser_hash ${t.key} not null check (length(browser_hash) = 64),
    sealed ${t.text} not null,
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index provider_redirects_by_age on provider_redirects (expires_at)`);
}

async function makeActivities({ run, t }: Maker): Promise<void> {
  await run(sql`create table activity_batches (
    id ${t.id},
    school_id ${t.ref} not null references schools (id) on delete cascade,
    made_at ${t.instant('made_at')} not null,
    activities ${t.whole} not null check (activities >= 0),
    categories ${t.whole} not null check (categories >= 0),
    undone_at ${t.instant('undone_at')}
  ) ${t.end}`);
  await run(sql`create index activity_batches_of_school on activity_batches (school_id, made_at)`);

  await run(sql`create table categories (
    id ${t.id},
    school_id ${t.ref} not null references schools (id),
    name ${t.text} not null check (length(name) between 1 and 80),
    name_key ${t.key} not null,
    description ${t.text} check (length(description) between 1 and 500),
    color ${t.text} not null check (length(color) between 3 and 30),
    kind ${t.text} not null check (kind in ('event', 'classroom', 'other')),
    created_at ${t.instant('created_at')} not null,
    version ${t.whole} not null default 1,
    batch_id ${t.ref} references activity_batches (id) on delete set null,
    translations ${t.json},
    translated_key ${t.key} not null default '',
    unique (school_id, name_key),
    unique (id, school_id)
  ) ${t.end}`);
  await run(sql`create index categories_by_name on categories (name_key, id)`);
  await run(sql`create index categories_of_batch on categories (batch_id)`);
  await run(
    sql`create unique index categories_translated on categories (school_id, translated_key) where translated_key <> ''`,
  );

  await run(sql`create table activities (
    id ${t.id},
    school_id ${t.ref} not null references schools (id),
    category_id ${t.ref} not null,
    name ${t.text} not null check (length(name) between 1 and 120),
    name_key ${t.key} not null,
    description ${t.text} check (length(description) between 1 and 1000),
    is_active ${t.flag('is_active')} not null default 1,
    active_from ${t.date('active_from')},
    active_until ${t.date('active_until')},
    requires_description ${t.flag('requires_description')} not null default 0,
    description_prompt ${t.text} check (length(description_prompt) between 1 and 200),
    created_at ${t.instant('created_at')} not null,
    version ${t.whole} not null default 1,
    verification ${t.key} not null default 'school' check (verification in ('school', 'trusted', 'outside')),
    external_verifier ${t.text} check (length(external_verifier) between 3 and 254),
    batch_id ${t.ref} references activity_batches (id) on delete set null,
    log_code ${t.key} check (length(log_code) between 1 and 32),
    translations ${t.json},
    translated_key ${t.key} not null default '',
    foreign key (category_id, school_id) references categories (id, school_id),
    unique (id, school_id),
    check (active_until is null or (active_from is not null and active_until >= active_from)),
    check (requires_description = 0 or description_prompt is not null)
  ) ${t.end}`);
  await run(sql`create index activities_of_school on activities (school_id, name_key, id)`);
  await run(sql`create index activities_by_name on activities (name_key, id)`);
  await run(sql`create index activities_of_category on activities (category_id)`);
  await run(sql`create index activities_of_school_by_date on activities (school_id, active_from, id)`);
  await run(sql`create index activities_by_date on activities (active_from, id)`);
  await run(sql`create index activities_of_batch on activities (batch_id)`);
  await run(
    sql`create unique index activities_by_log_code on activities (log_code) where log_code is not null`,
  );

  await run(sql`create table activity_suggestions (
    id ${t.id},
    user_id ${t.ref} not null references users (id),
    school_id ${t.ref} not null references schools (id),
    category_id ${t.ref} references categories (id) on delete set null,
    name ${t.text} not null check (length(name) between 1 and 100),
    description ${t.text} check (length(description) between 1 and 200),
    reason ${t.text} check (length(reason) between 1 and 500),
    is_year_long ${t.flag('is_year_long')} not null default 0,
    active_from ${t.date('active_from')},
    active_until ${t.date('active_until')},
    status ${t.text} not null check (status in ('pending', 'approved', 'rejected', 'deleted')),
    admin_reason ${t.text} check (length(admin_reason) between 1 and 500),
    approved_activity_id ${t.ref} references activities (id) on delete set null,
    decided_by ${t.ref},
    decided_at ${t.instant('decided_at')},
    created_at ${t.instant('created_at')} not null,
    version ${t.whole} not null default 1,
    check (active_until is null or (active_from is not null and active_until >= active_from)),
    check (is_year_long = 0 or active_from is null),
    check ((status = 'pending') = (decided_at is null))
  ) ${t.end}`);
  await run(sql`create index suggestions_of_user on activity_suggestions (user_id, id)`);
  await run(sql`create index suggestions_of_school on activity_suggestions (school_id, status, id)`);
  await run(sql`create index suggestions_by_status on activity_suggestions (status, id)`);
  await run(sql`create index suggestions_of_category on activity_suggestions (category_id)`);
  await run(sql`create index suggestions_of_activity on activity_suggestions (approved_activity_id)`);
  await run(sql`create index suggestions_of_user_by_status on activity_suggestions (user_id, status, id)`);
  await run(sql`create index decided_suggestions on activity_suggestions (id) where status <> 'pending'`);
  await run(
    sql`create index decided_suggestions_of_school on activity_suggestions (school_id, id) where status <> 'pending'`,
  );

  await run(sql`create table suggestion_email_preferences (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    decisions ${t.flag('decisions')} not null default 1,
    digest ${t.flag('digest')} not null default 0
  ) ${t.end}`);
  await run(sql`create index suggestion_digests on suggestion_email_preferences (user_id) where digest = 1`);
}

async function makeTimeEntries({ run, t, deletedAt }: Maker): Promise<void> {
  await run(sql`create table time_entries (
    id ${t.id},
    user_id ${t.ref} not null references users (id),
    school_id ${t.ref} not null,
    activity_id ${t.ref} not null,
    hours_hundredths ${t.whole} not null check (hours_hundredths between 25 and 2400),
    entry_date ${t.date('entry_date')} not null,
    notes ${t.text} check (length(notes) between 1 and 500),
    created_at ${t.instant('created_at')} not null,
    deleted_at ${t.instant('deleted_at')},
    deleted_by ${t.ref},
    version ${t.whole} not null default 1,
    verification ${t.key} check (verification in ('waiting', 'verified', 'declined')),
    counted_hundredths ${t.whole} not null default 0 check (counted_hundredths between 0 and 2400),
    decided_by ${t.ref},
    decided_by_external ${t.text},
    decided_at ${t.instant('decided_at')},
    decided_version ${t.whole},
    decision_note ${t.text} check (length(decision_note) between 1 and 500),
    reopen_note ${t.text} check (length(reopen_note) between 1 and 500),
    reopen_asked_at ${t.instant('reopen_asked_at')},
    external_verifier ${t.text} check (length(external_verifier) between 3 and 254),
    foreign key (activity_id, school_id) references activities (id, school_id),
    check ((deleted_at is null) = (deleted_by is null))
  ) ${t.end}`);
  await run(sql`create index deleted_entries_of_user on time_entries (user_id) where deleted_at is not null`);
  await run(
    sql`create index entries_of_school on time_entries (school_id, entry_date, id, activity_id, hours_hundredths, user_id${deletedAt}) where deleted_at is null`,
  );
  await run(
    sql`create index entries_by_date on time_entries (entry_date, id, activity_id, hours_hundredths, user_id${deletedAt}) where deleted_at is null`,
  );
  await run(
    sql`create index entries_of_school_by_hours on time_entries (school_id, hours_hundredths, id, entry_date, activity_id, user_id${deletedAt}) where deleted_at is null`,
  );
  await run(
    sql`create index entries_by_hours on time_entries (hours_hundredths, id, entry_date, activity_id, user_id${deletedAt}) where deleted_at is null`,
  );
  await run(
    sql`create index entries_of_user_in_school on time_entries (user_id, school_id, entry_date, id, activity_id, hours_hundredths${deletedAt}) where deleted_at is null`,
  );
  await run(
    sql`create index entries_of_user on time_entries (user_id, entry_date, id, school_id, activity_id, hours_hundredths${deletedAt}) where deleted_at is null`,
  );
  await run(
    sql`create index entries_of_activity on time_entries (activity_id, entry_date, id, deleted_at, user_id, hours_hundredths)`,
  );
  await run(sql`create index entries_of_person on time_entries (user_id)`);
  await run(
    sql`create index deleted_entries_by_date on time_entries (entry_date, id) where deleted_at is not null`,
  );
  await run(
    sql`create index entries_by_verification on time_entries (school_id, verification, entry_date, id, activity_id, user_id, hours_hundredths, counted_hundredths${deletedAt}) where verification is not null and deleted_at is null`,
  );
  await run(
    sql`create index entries_waiting_by_age on time_entries (school_id, created_at) where verification = 'waiting' and deleted_at is null`,
  );
  await run(sql`create index entries_by_decider on time_entries (decided_by) where decided_by is not null`);

  await run(sql`create table exports (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    format ${t.text} not null check (format in ('csv', 'xlsx')),
    asked ${t.text} not null,
    total ${t.whole} not null check (total >= 0),
    done ${t.whole} not null default 0 check (done >= 0),
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    started_at ${t.instant('started_at')},
    seen_at ${t.instant('seen_at')},
    outcome ${t.text} check (outcome in ('done', 'failed', 'cancelled')),
    made_by ${t.text},
    check ((started_at is null) = (seen_at is null))
  ) ${t.end}`);
  await run(sql`create index exports_of_user on exports (user_id)`);
  await run(sql`create index exports_by_age on exports (created_at)`);
  await run(
    sql`create index exports_running on exports (id) where started_at is not null and outcome is null`,
  );

  await run(sql`create table time_entry_imports (
    id ${t.id},
    school_id ${t.ref} not null references schools (id) on delete cascade,
    imported_by ${t.ref} references users (id) on delete set null,
    imported_at ${t.instant('imported_at')} not null,
    state ${t.key} not null check (state in ('running', 'done', 'stopped', 'undoing', 'undone')),
    counts_immediately ${t.flag('counts_immediately')} not null,
    reason ${t.text} check (length(reason) between 1 and 500),
    planned ${t.whole} not null check (planned > 0),
    made ${t.whole} not null default 0 check (made >= 0),
    made_hundredths ${t.whole} not null default 0 check (made_hundredths >= 0),
    left_out ${t.whole} not null default 0 check (left_out >= 0),
    undone ${t.whole} not null default 0 check (undone >= 0),
    undone_at ${t.instant('undone_at')},
    undone_by ${t.ref} references users (id) on delete set null
  ) ${t.end}`);
  await run(
    sql`create unique index time_entry_imports_at_work on time_entry_imports (school_id) where state in ('running', 'undoing')`,
  );
  await run(sql`create index time_entry_imports_of_school on time_entry_imports (school_id, id)`);
  await run(sql`create index time_entry_imports_by_importer on time_entry_imports (imported_by)`);
  await run(sql`create index time_entry_imports_by_undoer on time_entry_imports (undone_by)`);
  await run(sql`create index time_entry_imports_by_age on time_entry_imports (imported_at, id)`);

  await run(sql`create table time_entry_import_chunks (
    import_id ${t.ref} not null references time_entry_imports (id) on delete cascade,
    piece ${t.whole} not null,
    entries ${t.text} not null,
    primary key (import_id, piece)
  ) ${t.end}`);

  await run(sql`create table time_entry_import_entries (
    import_id ${t.ref} not null references time_entry_imports (id) on delete cascade,
    entry_id ${t.ref} not null references time_entries (id) on delete cascade,
    is_kept ${t.flag('is_kept')} not null,
    primary key (import_id, entry_id)
  ) ${t.end}`);
  await run(sql`create index time_entry_import_entries_of_entry on time_entry_import_entries (entry_id)`);

  await run(sql`create table hour_goals (
    user_id ${t.ref} not null references users (id) on delete cascade,
    year_from ${t.date('year_from')} not null,
    hours_hundredths ${t.whole} not null check (hours_hundredths > 0),
    primary key (user_id, year_from)
  ) ${t.end}`);

  await run(sql`create table milestone_thanks (
    user_id ${t.ref} not null references users (id) on delete cascade,
    year_from ${t.date('year_from')} not null,
    hours_hundredths ${t.whole} not null check (hours_hundredths > 0),
    primary key (user_id, year_from, hours_hundredths)
  ) ${t.end}`);
}

async function makeSums({ run, t, withoutRowid }: Maker): Promise<void> {
  await run(sql`create table school_sums (
    school_id ${t.ref} not null references schools (id) on delete cascade primary key,
    entries ${t.whole} not null check (entries >= 0),
    hours_hundredths ${t.whole} not null check (hours_hundredths >= 0),
    people ${t.whole} not null default 0 check (people >= 0),
    counted_hundredths ${t.whole} not null default 0 check (counted_hundredths >= 0)
  ) ${withoutRowid}`);

  await run(sql`create table activity_sums (
    activity_id ${t.ref} not null references activities (id) on delete cascade primary key,
    entries ${t.whole} not null check (entries >= 0),
    hours_hundredths ${t.whole} not null check (hours_hundredths >= 0),
    people ${t.whole} not null default 0 check (people >= 0),
    counted_hundredths ${t.whole} not null default 0 check (counted_hundredths >= 0)
  ) ${withoutRowid}`);

  await run(sql`create table day_sums (
    school_id ${t.ref} not null references schools (id) on delete cascade,
    entry_date ${t.date('entry_date')} not null,
    entries ${t.whole} not null check (entries >= 0),
    hours_hundredths ${t.whole} not null check (hours_hundredths >= 0),
    counted_hundredths ${t.whole} not null default 0 check (counted_hundredths >= 0),
    primary key (school_id, entry_date)
  ) ${withoutRowid}`);

  await run(sql`create table month_sums (
    school_id ${t.ref} not null references schools (id) on delete cascade,
    month ${t.date('month')} not null,
    activity_id ${t.ref} not null references activities (id) on delete cascade,
    entries ${t.whole} not null check (entries >= 0),
    hours_hundredths ${t.whole} not null check (hours_hundredths >= 0),
    counted_hundredths ${t.whole} not null default 0 check (counted_hundredths >= 0),
    primary key (school_id, month, activity_id)
  ) ${withoutRowid}`);
  await run(sql`create index month_sums_of_activity on month_sums (activity_id)`);

  await run(sql`create table school_volunteers (
    school_id ${t.ref} not null references schools (id) on delete cascade,
    user_id ${t.ref} not null references users (id) on delete cascade,
    sort_key ${t.key} not null,
    entries ${t.whole} not null check (entries >= 0),
    hours_hundredths ${t.whole} not null check (hours_hundredths >= 0),
    counted_hundredths ${t.whole} not null default 0 check (counted_hundredths >= 0),
    primary key (school_id, user_id)
  ) ${withoutRowid}`);
  await run(
    sql`create unique index school_volunteers_by_name on school_volunteers (school_id, sort_key, user_id)`,
  );
  await run(sql`create index school_volunteers_of_user on school_volunteers (user_id, entries)`);

  await run(sql`create table activity_volunteers (
    activity_id ${t.ref} not null references activities (id) on delete cascade,
    user_id ${t.ref} not null references users (id) on delete cascade,
    entries ${t.whole} not null check (entries >= 0),
    hours_hundredths ${t.whole} not null check (hours_hundredths >= 0),
    counted_hundredths ${t.whole} not null default 0 check (counted_hundredths >= 0),
    primary key (activity_id, user_id)
  ) ${withoutRowid}`);
  await run(sql`create index activity_volunteers_of_user on activity_volunteers (user_id)`);

  await run(sql`create table month_volunteers (
    school_id ${t.ref} not null references schools (id) on delete cascade,
    month ${t.date('month')} not null,
    user_id ${t.ref} not null references users (id) on delete cascade,
    days ${t.whole} not null check (days > 0 and days < 2147483648),
    last_before ${t.date('last_before')},
    primary key (school_id, month, user_id)
  ) ${withoutRowid}`);
  await run(sql`create index month_volunteers_of_user on month_volunteers (user_id)`);
}

async function makeVerification({ run, t }: Maker): Promise<void> {
  await run(sql`create table verification_batches (
    id ${t.id},
    decided_by ${t.ref} not null,
    decided_at ${t.instant('decided_at')} not null,
    decision ${t.key} not null check (decision in ('verify', 'decline', 'reopen')),
    undone_at ${t.instant('undone_at')}
  ) ${t.end}`);

  await run(sql`create table verification_batch_entries (
    batch_id ${t.ref} not null references verification_batches (id) on delete cascade,
    entry_id ${t.ref} not null references time_entries (id) on delete cascade,
    version ${t.whole} not null,
    before ${t.text} not null
  ) ${t.end}`);
  await run(sql`create index verification_batch_entries_of_batch on verification_batch_entries (batch_id)`);
  await run(sql`create index verification_batch_entries_of_entry on verification_batch_entries (entry_id)`);

  await run(sql`create table external_verifier_requests (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    school_id ${t.ref} not null references schools (id) on delete cascade,
    address ${t.text} not null,
    address_key ${t.key} not null,
    mail_id ${t.ref},
    made_at ${t.instant('made_at')} not null,
    made_day ${t.date('made_day')} not null,
    expires_at ${t.instant('expires_at')} not null,
    ended_at ${t.instant('ended_at')},
    delivery ${t.key} check (delivery in ('sent', 'failed')),
    unique (address_key, made_day, school_id)
  ) ${t.end}`);
  await run(sql`create index external_verifier_requests_of_school on external_verifier_requests (school_id)`);
  await run(
    sql`create index external_verifier_requests_to_address on external_verifier_requests (address_key, made_at)`,
  );
  await run(sql`create index external_verifier_requests_by_age on external_verifier_requests (expires_at)`);

  await run(sql`create table external_verifier_request_entries (
    letter_id ${t.ref} not null references external_verifier_requests (id) on delete cascade,
    entry_id ${t.ref} not null references time_entries (id) on delete cascade,
    version ${t.whole} not null,
    primary key (entry_id, letter_id)
  ) ${t.end}`);
  await run(
    sql`create index external_verifier_request_entries_of_letter on external_verifier_request_entries (letter_id)`,
  );

  await run(sql`create table external_verifier_unsubscribes (
    address_hash ${t.key} primary key,
    stopped_at ${t.instant('stopped_at')} not null
  ) ${t.end}`);

  await run(sql`create table verifier_email_preferences (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    is_wanted ${t.flag('is_wanted')} not null,
    last_week ${t.date('last_week')}
  ) ${t.end}`);
}

async function makePhotos({ run, t, deletedAt }: Maker): Promise<void> {
  await run(sql`create table photos (
    id ${t.id},
    activity_id ${t.ref} not null,
    school_id ${t.ref} not null,
    user_id ${t.ref} not null references users (id),
    caption ${t.text} check (length(caption) between 1 and 500),
    original_name ${t.text} not null check (length(original_name) between 1 and 255),
    file_size ${t.whole} not null check (file_size between 1 and 15728640),
    storage_key ${t.key} not null unique,
    sha256 ${t.key} not null check (length(sha256) = 64),
    width ${t.whole} not null check (width > 0),
    height ${t.whole} not null check (height > 0),
    google_photos_url ${t.text},
    google_photos_id ${t.text},
    created_at ${t.instant('created_at')} not null,
    deleted_at ${t.instant('deleted_at')},
    deleted_by ${t.ref},
    version ${t.whole} not null default 1,
    source_sha256 ${t.key} check (length(source_sha256) = 64),
    view_sha256 ${t.key} check (length(view_sha256) = 64),
    thumbnail_sha256 ${t.key} check (length(thumbnail_sha256) = 64),
    contains_students ${t.flag('contains_students')} not null default 0,
    review ${t.text} not null default 'visible' check (review in ('visible', 'waiting', 'reported')),
    hidden_reason ${t.text} check (length(hidden_reason) between 1 and 500),
    hidden_at ${t.instant('hidden_at')},
    hidden_by ${t.ref},
    review_round ${t.whole} not null default 0 check (review_round >= 0),
    large_sha256 ${t.key} check (length(large_sha256) = 64),
    screen_sha256 ${t.key} check (length(screen_sha256) = 64),
    foreign key (activity_id, school_id) references activities (id, school_id),
    check ((deleted_at is null) = (deleted_by is null))
  ) ${t.end}`);
  await run(sql`create index deleted_photos on photos (deleted_at, id) where deleted_at is not null`);
  await run(
    sql`create unique index photos_once on photos (activity_id, source_sha256) where deleted_at is null`,
  );
  await run(sql`create index photos_of_activity on photos (activity_id, id, deleted_at, review, user_id)`);
  await run(
    sql`create index photos_of_school on photos (school_id, id, review, user_id${deletedAt}) where deleted_at is null`,
  );
  await run(sql`create index photos_of_user on photos (user_id, id)`);
  await run(sql`create index photos_added_by on photos (user_id, created_at)`);
  await run(
    sql`create index photos_to_review on photos (id, school_id) where deleted_at is null and review <> 'visible'`,
  );
  await run(
    sql`create index photos_to_review_of_school on photos (school_id, id) where deleted_at is null and review <> 'visible'`,
  );
  await run(sql`create index photos_taken_down_by on photos (hidden_by) where hidden_by is not null`);
  await run(
    sql`create index deleted_photos_of_school on photos (school_id, deleted_at, id) where deleted_at is not null`,
  );
  await run(sql`create index photos_by_size on photos (file_size) where deleted_at is null`);
  await run(sql`create index photos_by_age on photos (created_at, id)`);
  await run(sql`create index photos_without_screens on photos (id) where screen_sha256 is null`);

  await run(sql`create table orphaned_photo_files (
    storage_key ${t.key} primary key check (length(storage_key) between 1 and 100),
    due_at ${t.instant('due_at')} not null
  ) ${t.end}`);
  await run(sql`create index orphaned_photo_files_by_age on orphaned_photo_files (due_at)`);

  await run(sql`create table drive_connection (
    id ${t.whole} primary key check (id = 1),
    refresh_token ${t.text},
    access_token ${t.text},
    access_expires_at ${t.instant('access_expires_at')},
    account ${t.text} check (length(account) between 1 and 320),
    connected_by ${t.ref} not null,
    connected_at ${t.instant('connected_at')} not null,
    lost_at ${t.instant('lost_at')},
    check ((refresh_token is null) = (lost_at is not null))
  ) ${t.end}`);

  await run(sql`create table drive_attempts (
    state_hash ${t.key} primary key check (length(state_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    session_id ${t.ref} not null,
    verifier ${t.text} not null,
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    used_at ${t.instant('used_at')},
    problem ${t.text}
  ) ${t.end}`);
  await run(sql`create index drive_attempts_of_user on drive_attempts (user_id, created_at)`);
  await run(sql`create index drive_attempts_by_age on drive_attempts (created_at)`);

  await run(sql`create table drive_root (
    id ${t.whole} primary key check (id = 1),
    folder_id ${t.key} not null check (length(folder_id) between 10 and 100),
    name ${t.text} not null,
    url ${t.text},
    is_ready ${t.flag('is_ready')} not null,
    is_chosen ${t.flag('is_chosen')} not null
  ) ${t.end}`);

  await run(sql`create table drive_folders (
    activity_id ${t.ref} primary key,
    folder_id ${t.key} check (length(folder_id) between 10 and 100),
    is_ready ${t.flag('is_ready')} not null default 0,
    lease ${t.key},
    leased_until ${t.instant('leased_until')}
  ) ${t.end}`);

  await run(sql`create table drive_files (
    photo_id ${t.ref} primary key,
    activity_id ${t.ref} not null,
    file_id ${t.key} not null unique check (length(file_id) between 10 and 100),
    is_stored ${t.flag('is_stored')} not null default 0,
    is_unwanted ${t.flag('is_unwanted')} not null default 0,
    upload_session ${t.text}
  ) ${t.end}`);
  await run(sql`create index drive_files_of_activity on drive_files (activity_id, photo_id)`);
  await run(
    sql`create index drive_files_unwanted on drive_files (activity_id, photo_id) where is_unwanted = 1`,
  );

  await run(sql`create table drive_syncs (
    id ${t.id},
    kind ${t.text} not null check (kind in ('manual', 'nightly')),
    requested_by ${t.ref},
    requested_at ${t.instant('requested_at')} not null,
    waiting_until ${t.instant('waiting_until')},
    cancelled_at ${t.instant('cancelled_at')},
    finished_at ${t.instant('finished_at')}
  ) ${t.end}`);
  await run(sql`create index drive_syncs_open on drive_syncs (id) where finished_at is null`);
  await run(sql`create index drive_syncs_of_user on drive_syncs (requested_by, id)`);
  await run(sql`create index drive_syncs_by_age on drive_syncs (finished_at) where finished_at is not null`);

  await run(sql`create table drive_sync_activities (
    sync_id ${t.ref} not null references drive_syncs (id) on delete cascade,
    activity_id ${t.ref} not null,
    position ${t.whole} not null,
    name ${t.text} not null,
    state ${t.text} not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
    error ${t.text},
    folder_name ${t.text},
    folder_url ${t.text},
    primary key (sync_id, activity_id)
  ) ${t.end}`);
  await run(
    sql`create index drive_sync_activities_open on drive_sync_activities (sync_id, position) where state in ('queued', 'running')`,
  );

  await run(sql`create table drive_sync_photos (
    sync_id ${t.ref} not null,
    activity_id ${t.ref} not null,
    photo_id ${t.ref} not null,
    state ${t.text} not null check (state in ('waiting', 'stored', 'skipped', 'failed')),
    error ${t.text},
    primary key (sync_id, activity_id, photo_id),
    foreign key (sync_id, activity_id) references drive_sync_activities (sync_id, activity_id) on delete cascade
  ) ${t.end}`);
  await run(
    sql`create index drive_sync_photos_by_state on drive_sync_photos (sync_id, activity_id, state, photo_id)`,
  );
}

async function makeReports({ run, t }: Maker): Promise<void> {
  await run(sql`create table service_letter_files (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    form ${t.key} not null check (form in ('pdf', 'zip')),
    total ${t.whole} not null check (total > 0),
    done ${t.whole} not null default 0 check (done >= 0),
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    started_at ${t.instant('started_at')},
    seen_at ${t.instant('seen_at')},
    outcome ${t.key} check (outcome in ('done', 'failed', 'cancelled')),
    made_by ${t.text} check (length(made_by) between 1 and 200)
  ) ${t.end}`);
  await run(sql`create index service_letter_files_by_age on service_letter_files (created_at, id)`);
  await run(sql`create index service_letter_files_of_user on service_letter_files (user_id, created_at)`);

  await run(sql`create table service_letters (
    id ${t.id},
    code ${t.key} not null unique check (length(code) = 10),
    name_mark ${t.key} not null check (length(name_mark) between 40 and 64),
    user_id ${t.ref} references users (id) on delete set null,
    school_ids ${t.text} check (length(school_ids) between 3 and 20000),
    school ${t.text} check (length(school) between 1 and 40000),
    start_date ${t.date('start_date')} not null,
    end_date ${t.date('end_date')} not null,
    with_dates ${t.flag('with_dates')} not null,
    language ${t.key} not null check (language in ('en', 'es')),
    hours_hundredths ${t.whole} not null check (hours_hundredths > 0),
    is_verified_only ${t.flag('is_verified_only')} not null,
    record_mark ${t.key} not null check (length(record_mark) = 64),
    issued_by ${t.ref} references users (id) on delete set null,
    issued_at ${t.instant('issued_at')} not null,
    issue_date ${t.date('issue_date')} not null,
    withdrawn_at ${t.instant('withdrawn_at')},
    withdrawn_by ${t.ref} references users (id) on delete set null,
    file_id ${t.ref} references service_letter_files (id) on delete set null,
    check (start_date <= end_date),
    check ((school_ids is null) = (school is null))
  ) ${t.end}`);
  await run(sql`create index service_letters_of_user on service_letters (user_id, id)`);
  await run(sql`create index service_letters_of_file on service_letters (file_id, id)`);
  await run(sql`create index service_letters_by_issuer on service_letters (issued_by)`);
  await run(sql`create index service_letters_by_withdrawer on service_letters (withdrawn_by)`);

  await run(sql`create table service_letter_names (
    letter_id ${t.ref} primary key references service_letters (id) on delete cascade,
    user_id ${t.ref} not null references users (id) on delete cascade,
    first_name ${t.text} not null check (length(first_name) between 1 and 1000),
    last_name ${t.text} not null check (length(last_name) between 1 and 1000)
  ) ${t.end}`);
  await run(sql`create index service_letter_names_of_user on service_letter_names (user_id)`);
}

async function makeEmail({ run, t }: Maker): Promise<void> {
  await run(sql`create table emails (
    id ${t.id},
    message_id ${t.key} not null unique,
    kind ${t.text} not null check (length(kind) between 1 and 40),
    user_id ${t.ref},
    sealed ${t.text},
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    due_at ${t.instant('due_at')} not null,
    attempts ${t.whole} not null default 0 check (attempts >= 0),
    leased_until ${t.instant('leased_until')},
    sent_at ${t.instant('sent_at')},
    dropped_at ${t.instant('dropped_at')},
    failure ${t.text} check (length(failure) between 1 and 500),
    check ((sealed is null) = (sent_at is not null or dropped_at is not null)),
    check (sent_at is null or dropped_at is null),
    check (dropped_at is null or failure is not null)
  ) ${t.end}`);
  await run(sql`create index emails_waiting on emails (due_at, id) where sealed is not null`);
  await run(sql`create index emails_of_user on emails (user_id, id)`);
  await run(sql`create index emails_by_age on emails (created_at)`);
  await run(sql`create index emails_unsent on emails (id) where sent_at is null`);

  await run(sql`create table backup_email_preferences (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    is_wanted ${t.flag('is_wanted')} not null
  ) ${t.end}`);

  await run(sql`create table reminder_preferences (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    after_events ${t.flag('after_events')} not null,
    weekly ${t.flag('weekly')} not null,
    decisions ${t.flag('decisions')} not null,
    last_event_day ${t.date('last_event_day')},
    last_weekly_day ${t.date('last_weekly_day')},
    week_from ${t.date('week_from')},
    letters ${t.whole} not null default 0
  ) ${t.end}`);

  await run(sql`create table announcements (
    id ${t.id},
    sent_by ${t.ref} not null references users (id) on delete cascade,
    subject ${t.text} not null,
    sealed ${t.text},
    total ${t.whole} not null,
    posted ${t.whole} not null default 0,
    created_at ${t.instant('created_at')} not null,
    finished_at ${t.instant('finished_at')},
    check ((sealed is null) = (finished_at is not null))
  ) ${t.end}`);
  await run(sql`create index announcements_by_sender on announcements (sent_by, created_at)`);
  await run(sql`create index announcements_at_work on announcements (id) where finished_at is null`);
  await run(sql`create index announcements_to_sweep on announcements (finished_at)`);

  await run(sql`create table announcement_recipients (
    announcement_id ${t.ref} not null references announcements (id) on delete cascade,
    user_id ${t.ref} not null references users (id) on delete cascade,
    primary key (announcement_id, user_id)
  ) ${t.end}`);
  await run(sql`create index announcement_recipients_by_person on announcement_recipients (user_id)`);

  await run(sql`create table announcement_unsubscribes (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    stopped_at ${t.instant('stopped_at')} not null
  ) ${t.end}`);
}

async function makeOperations({ run, t }: Maker): Promise<void> {
  await run(sql`create table audit_events (
    id ${t.id},
    at ${t.instant('at')} not null,
    actor_id ${t.ref},
    action ${t.text} not null,
    subject ${t.text} not null,
    subject_id ${t.ref},
    school_id ${t.ref},
    before ${t.text},
    after ${t.text},
    address ${t.text},
    request_id ${t.text},
    person_id ${t.ref}
  ) ${t.end}`);
  await run(sql`create index audit_events_by_time on audit_events (at, id)`);
  await run(sql`create index audit_events_of_subject on audit_events (subject, subject_id, at, id)`);
  await run(sql`create index audit_events_of_actor on audit_events (actor_id, at, id)`);
  await run(
    sql`create index audit_events_of_person on audit_events (person_id, at, id) where person_id is not null`,
  );
  await run(
    sql`create index audit_events_of_action on audit_events (action, at, id) where action <> 'entry.log'`,
  );

  await run(sql`create table idempotency_keys (
    owner ${t.key} not null,
    key ${t.key} not null check (length(key) between 1 and 200),
    fingerprint ${t.text} not null,
    reply ${t.text},
    created_at ${t.instant('created_at')} not null,
    made_id ${t.ref},
    primary key (owner, key)
  ) ${t.end}`);
  await run(sql`create index idempotency_keys_by_age on idempotency_keys (created_at) where made_id is null`);
  await run(
    sql`create index idempotency_keys_with_reply on idempotency_keys (created_at) where made_id is not null and reply is not null`,
  );

  await run(sql`create table daily_jobs (
    name ${t.key} primary key check (length(name) between 1 and 60),
    last_day ${t.date('last_day')} not null
  ) ${t.end}`);

  await run(sql`create table server_state (
    name ${t.key} primary key,
    value ${t.text} not null,
    noted_at ${t.instant('noted_at')} not null
  ) ${t.end}`);

  await run(sql`create table system_warnings (
    name ${t.key} primary key check (length(name) between 1 and 60),
    detail ${t.text} not null,
    noted_at ${t.instant('noted_at')} not null
  ) ${t.end}`);

  await run(sql`create table failed_requests (
    day ${t.date('day')} not null,
    method ${t.key} not null check (length(method) between 1 and 20),
    route ${t.key} not null check (length(route) between 1 and 200),
    status ${t.whole} not null check (status between 500 and 599),
    count ${t.whole} not null check (count > 0),
    last_at ${t.instant('last_at')} not null,
    last_id ${t.key} not null check (length(last_id) between 1 and 60),
    primary key (day, method, route, status)
  ) ${t.end}`);
}
