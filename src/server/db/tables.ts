import type { Generated, Selectable } from 'kysely';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import type { Language } from '#shared/i18n/languages.ts';
import type { GrantRole } from '#shared/permissions.ts';

/** A boolean as both engines store it. */
export type Flag = 0 | 1;

/** A sign-in method; `link` is an emailed link. */
export type SignInWay = 'password' | 'provider' | 'passkey' | 'link';

/**
 * Totals of entries that are not deleted: their number and their hours in hundredths. Triggers update them in the transaction
 * of every write to an entry. When the last entry is deleted the row stays, with 0.
 */
type Sums = { entries: number; hours_hundredths: number; counted_hundredths: Generated<number> };

/**
 * All tables as the code reads and writes them; `migrations/` creates them with their constraints.
 * Columns ending in `_key` hold text folded for comparing, sorting and searching, because the engines fold accents differently.
 * `version` increases by one with every edit of the row.
 */
export type Tables = {
  schools: {
    id: Generated<number>;
    name: string;
    name_key: string;
    logo_url: string | null;
    created_at: Instant;
    version: Generated<number>;
    /** Whether this school verifies hours. */
    verification: Generated<'off' | 'on'>;
    /** Only administrators may change hours before this day. */
    closed_before: Generated<CalendarDate | null>;
    late_after_days: Generated<number | null>;
    /** The signer of the school's service letters, their title, and the school's own wording. */
    letter_signer: Generated<string | null>;
    letter_title: Generated<string | null>;
    letter_wording: Generated<string | null>;
    /** The school's names in other languages, as JSON by language, and the same names folded for searches ('' if none). */
    translations: Generated<string | null>;
    translated_key: Generated<string>;
  };

  /** A school's logo. `name` contains a hash of the content and is part of the logo's URL. */
  school_logos: {
    school_id: number;
    name: string;
    type: 'image/png' | 'image/webp';
    content: Buffer;
    created_at: Instant;
  };

  users: {
    id: Generated<number>;
    email: string;
    email_key: string;
    password_hash: string | null;
    first_name: string;
    last_name: string;
    /** Last name, then first name: the sort order of lists. */
    sort_key: string;
    /** First name, last name and email address, for searches. */
    search_key: string;
    role: 'user' | 'admin';
    is_active: Flag;
    /** Whether a district administrator deactivated the account; ignored while the account is active. */
    deactivated_by_district: Generated<Flag>;
    created_at: Instant;
    last_login_at: Instant | null;
    version: Generated<number>;
    /**
     * When the user proved that they own the address, by an emailed link or a sign-in service; null after the address changes.
     */
    email_verified_at: Instant | null;
    /**
     * The administrator who entered the address, and when. This does not confirm the address, but allows the permissions that
     * this administrator may grant.
     */
    vouched_at: Generated<Instant | null>;
    vouched_by: Generated<number | null>;
    /** When another user set the password, and who. Both null once the account's owner sets one with an emailed link. */
    password_given_at: Generated<Instant | null>;
    password_given_by: Generated<number | null>;
    /** Consecutive wrong passwords. After too many, only an emailed link opens the account. */
    failed_logins: Generated<number>;
    /** When the account was erased; the row stays as 'Former volunteer' because of its hours. */
    erased_at: Instant | null;
    /**
     * A guest volunteer, entered from a paper sheet, who cannot sign in. `email` is a made-up address in a domain that receives
     * no email. `contact_email` is the address on the sheet: nothing is sent to it, and several guests may share it.
     */
    is_walk_in: Generated<Flag>;
    contact_email: Generated<string | null>;
    /** The language the user chose; null if the browser decides. */
    language: Generated<Language | null>;
  };

  /** Memberships. A pending member requested to join and sees nothing of the school yet. */
  user_schools: {
    user_id: number;
    school_id: number;
    status: 'active' | 'pending';
    created_at: Instant;
    /** Whether an administrator added, invited, imported or approved the member; 0 for members who joined on their own. */
    is_approved: Generated<Flag>;
  };

  /** A role at one school. An auditor's `school_id` may be null, which means every school. */
  user_grants: {
    user_id: number;
    role: GrantRole;
    school_id: number | null;
    created_at: Instant;
  };

  /** A role that an invitation grants; `school_id` is null for an auditor of every school. */
  invite_grants: { invite_id: number; role: GrantRole; school_id: number | null };

  /** A session of a signed-in browser. Only the hash of its token is stored. */
  sessions: {
    id: Generated<number>;
    token_hash: string;
    user_id: number;
    created_at: Instant;
    last_used_at: Instant;
    address: string;
    agent: string;
    /** The linked account that the session was opened with, and the sign-in service's id for its own session. */
    provider_link_id: Generated<number | null>;
    provider_session: Generated<string | null>;
    /** The service's encrypted ID token, which is needed to sign out there. */
    provider_id_token: Generated<string | null>;
    /** The sign-in method; null if unknown. */
    signed_in_by: Generated<SignInWay | null>;
    /** When the user last proved their identity; null if they only used an emailed link. */
    proven_at: Generated<Instant | null>;
  };

  /** A linked account at a sign-in service (OpenID Connect). `provider` is the service's name in the settings. */
  provider_links: {
    id: Generated<number>;
    user_id: number;
    provider: string;
    issuer: string;
    subject: string;
    created_at: Instant;
    last_used_at: Instant;
  };

  /** The encrypted result of a redirect back from a sign-in service, stored for a few minutes until the browser fetches it. */
  provider_redirects: {
    token_hash: string;
    purpose: 'sign-in' | 'link' | 'fresh';
    browser_hash: string;
    sealed: string;
    expires_at: Instant;
  };

  /** A used logout token from a sign-in service, stored so that it is not accepted again. */
  provider_logouts: {
    token_hash: string;
    expires_at: Instant;
  };

  /** An emailed sign-in link. It works once, in the browser that requested it. */
  sign_in_links: {
    token_hash: string;
    user_id: number;
    browser_hash: string;
    created_at: Instant;
    expires_at: Instant;
  };

  /**
   * The encrypted secret of an authenticator app. `last_step` is the time step of the last code used; that code and earlier
   * ones no longer work.
   */
  totp_secrets: {
    user_id: number;
    sealed: string;
    last_step: number;
    created_at: Instant;
    last_used_at: Instant | null;
  };

  /** A secret shown during setup. It replaces the one in `totp_secrets` once a code has confirmed it. */
  totp_offers: { user_id: number; sealed: string; expires_at: Instant };

  /**
   * A passkey (WebAuthn). `rp_id` is the host name where it works, `counter` the last value received, `transports` a JSON list,
   * and `user_handle` the device's id for the user.
   */
  passkeys: {
    id: Generated<number>;
    user_id: number;
    credential_id: string;
    user_handle: string;
    public_key: string;
    counter: number;
    transports: string;
    rp_id: string;
    name: string;
    created_at: Instant;
    last_used_at: Generated<Instant | null>;
  };

  /** A used WebAuthn challenge, deleted when it would have expired. */
  used_challenges: { challenge_hash: string; expires_at: Instant };

  /** A recovery code for a user who lost their second factor. Deleted when used; only hashes are stored. */
  recovery_codes: { user_id: number; code_hash: string; created_at: Instant };

  /**
   * A sign-in that waits for its second step. `sealed` describes the first one. Only the browser with `device_hash` can
   * continue it, or any browser if that is null.
   */
  sign_in_challenges: {
    token_hash: string;
    user_id: number;
    device_hash: string | null;
    sealed: string;
    mistakes: Generated<number>;
    expires_at: Instant;
  };

  /** The start of an administrator's time to set up two-step sign-in, if it began after the requirement did. */
  two_factor_grace_periods: { user_id: number; begins_at: Instant };

  /** A link that sets a password once. Only the hash of its token is stored; a newer link replaces older ones. */
  password_links: {
    id: Generated<number>;
    token_hash: string;
    user_id: number;
    created_at: Instant;
    expires_at: Instant;
    used_at: Instant | null;
    /** Whether an administrator saw the link too; then opening it does not confirm the address. */
    is_shown: Generated<Flag>;
  };

  categories: {
    id: Generated<number>;
    school_id: number;
    name: string;
    name_key: string;
    description: string | null;
    color: string;
    kind: 'event' | 'classroom' | 'other';
    created_at: Instant;
    version: Generated<number>;
    /** The bulk creation that created the category. */
    batch_id: Generated<number | null>;
    /** Like `translations` in `schools`. */
    translations: Generated<string | null>;
    translated_key: Generated<string>;
  };

  /** A bulk creation of activities, which can be undone for 30 days. The audit log has who created it. */
  activity_batches: {
    id: Generated<number>;
    school_id: number;
    made_at: Instant;
    activities: number;
    categories: number;
    undone_at: Instant | null;
  };

  activities: {
    id: Generated<number>;
    school_id: number;
    category_id: number;
    name: string;
    name_key: string;
    description: string | null;
    is_active: Flag;
    active_from: CalendarDate | null;
    active_until: CalendarDate | null;
    requires_description: Flag;
    description_prompt: string | null;
    created_at: Instant;
    version: Generated<number>;
    /** Who verifies the hours: the school, an external verifier by email, or no one (trusted: they count immediately). */
    verification: Generated<'school' | 'trusted' | 'outside'>;
    external_verifier: Generated<string | null>;
    /** The bulk creation that created the activity. */
    batch_id: Generated<number | null>;
    /** The code in the URL on its sign-in sheets; null until one is printed. */
    log_code: Generated<string | null>;
    /** Like `translations` in `schools`. */
    translations: Generated<string | null>;
    translated_key: Generated<string>;
  };

  /** A time entry: hours of one user on one day. Deleted entries stay for undo and the audit log. */
  time_entries: {
    id: Generated<number>;
    user_id: number;
    school_id: number;
    activity_id: number;
    hours_hundredths: number;
    entry_date: CalendarDate;
    notes: string | null;
    created_at: Instant;
    deleted_at: Instant | null;
    deleted_by: number | null;
    version: Generated<number>;
    /** Null if the school does not verify hours. Earlier decisions stay stored while verification is off. */
    verification: Generated<'waiting' | 'verified' | 'declined' | null>;
    /** The hours that count; 0 while waiting or declined. */
    counted_hundredths: Generated<number>;
    /**
     * Who decided: a user, or the address of an external verifier. Both null while undecided, and if the activity is trusted.
     */
    decided_by: Generated<number | null>;
    decided_by_external: Generated<string | null>;
    decided_at: Generated<Instant | null>;
    /** The version that the deciding user saw. */
    decided_version: Generated<number | null>;
    decision_note: Generated<string | null>;
    reopen_note: Generated<string | null>;
    reopen_asked_at: Generated<Instant | null>;
    /** The verifier's address that the volunteer entered. The activity's own verifier takes precedence. */
    external_verifier: Generated<string | null>;
  };

  /** Entries decided in one action. */
  verification_batches: {
    id: Generated<number>;
    decided_by: number;
    decided_at: Instant;
    decision: 'verify' | 'decline' | 'reopen';
    undone_at: Instant | null;
  };

  /** The entry's previous state (`before`, JSON) and its new version, stored while the decision can be undone. */
  verification_batch_entries: { batch_id: number; entry_id: number; version: number; before: string };

  school_sums: Sums & { school_id: number; people: Generated<number> };

  activity_sums: Sums & { activity_id: number; people: Generated<number> };

  day_sums: Sums & { school_id: number; entry_date: CalendarDate };

  /** `month` is the month's first day. */
  month_sums: Sums & { school_id: number; month: CalendarDate; activity_id: number };

  /**
   * A volunteer's days in a month at a school: `days` is a bitmap (day 1 is bit 0), `last_before` their last day before that
   * month.
   */
  month_volunteers: {
    school_id: number;
    month: CalendarDate;
    user_id: number;
    days: number;
    last_before: CalendarDate | null;
  };

  /** Every user who ever logged hours at a school, member or not. `sort_key` is a copy of the user's. */
  school_volunteers: Sums & { school_id: number; user_id: number; sort_key: string };

  activity_volunteers: Sums & { activity_id: number; user_id: number };

  /** A verification request to an external verifier about hours at one school. */
  external_verifier_requests: {
    id: Generated<number>;
    token_hash: string;
    school_id: number;
    address: string;
    /** The address without tags and dots that lead to the same mailbox. */
    address_key: string;
    /** The email in the outbox, while its row exists. */
    mail_id: number | null;
    /** The result, once it is certain. */
    delivery: Generated<'sent' | 'failed' | null>;
    made_at: Instant;
    made_day: CalendarDate;
    expires_at: Instant;
    ended_at: Instant | null;
  };

  /** The entries of a request. An entry that was changed since then has another version and is not part of the answer. */
  external_verifier_request_entries: { letter_id: number; entry_id: number; version: number };

  /** SHA-256 hashes of the mailboxes that unsubscribed from verification requests. */
  external_verifier_unsubscribes: { address_hash: string; stopped_at: Instant };

  photos: {
    id: Generated<number>;
    activity_id: number;
    school_id: number;
    user_id: number;
    caption: string | null;
    original_name: string;
    file_size: number;
    /** The random name of its files in the photo storage; never derived from the id. */
    storage_key: string;
    sha256: string;
    width: number;
    height: number;
    google_photos_url: string | null;
    google_photos_id: string | null;
    created_at: Instant;
    deleted_at: Instant | null;
    deleted_by: number | null;
    version: Generated<number>;
    /** SHA-256 of the uploaded file, to detect the same photo again. */
    source_sha256: string | null;
    /** SHA-256 of the stored files in the other sizes. `sha256` is that of the full size. */
    view_sha256: string | null;
    thumbnail_sha256: string | null;
    large_sha256: string | null;
    screen_sha256: string | null;
    contains_students: Generated<Flag>;
    /** Who can see the photo: all members of the school, or only administrators until they decide. */
    review: Generated<'visible' | 'waiting' | 'reported'>;
    /** Increases with each such decision, which invalidates links from earlier ones. */
    review_round: Generated<number>;
    hidden_reason: string | null;
    hidden_at: Instant | null;
    hidden_by: number | null;
  };

  /** Files that may be in the photo storage without a photo; deleted after `due_at`. */
  orphaned_photo_files: { storage_key: string; due_at: Instant };

  /** Settings that administrators change on screen, by name. `value` is JSON. */
  district_settings: { name: string; value: string };

  activity_suggestions: {
    id: Generated<number>;
    user_id: number;
    school_id: number;
    category_id: number | null;
    name: string;
    description: string | null;
    reason: string | null;
    is_year_long: Flag;
    active_from: CalendarDate | null;
    active_until: CalendarDate | null;
    status: 'pending' | 'approved' | 'rejected' | 'deleted';
    admin_reason: string | null;
    approved_activity_id: number | null;
    decided_by: number | null;
    decided_at: Instant | null;
    created_at: Instant;
    version: Generated<number>;
  };

  /** The emails about suggestions that a user wants. A user without a row gets decisions but no digest. */
  suggestion_email_preferences: { user_id: number; decisions: Flag; digest: Flag };

  /** A previous email address of an account. */
  past_addresses: { user_id: number; email_key: string };

  /** Whether an administrator wants emails about backups. An administrator without a row gets them. */
  backup_email_preferences: { user_id: number; is_wanted: Flag };

  /** A user's own goal for a school year, which no one else sees. */
  hour_goals: { user_id: number; year_from: CalendarDate; hours_hundredths: number };

  /** A milestone whose thank-you message the user dismissed. */
  milestone_thanks: { user_id: number; year_from: CalendarDate; hours_hundredths: number };

  /**
   * A member of a household, whose random name (`household`) all members share. `joined_with` is the code the user joined with;
   * `code` lets one more person join until `code_until`.
   */
  household_members: {
    user_id: number;
    household: string;
    joined_at: Instant;
    joined_with: string | null;
    code: string | null;
    code_until: Instant | null;
  };

  /**
   * The reminders that a user wants. A user without a row gets none. `week_from` is the Monday of the week of the last
   * reminder, `letters` the number sent in that week.
   */
  reminder_preferences: {
    user_id: number;
    after_events: Flag;
    weekly: Flag;
    decisions: Flag;
    last_event_day: Generated<CalendarDate | null>;
    last_weekly_day: Generated<CalendarDate | null>;
    week_from: Generated<CalendarDate | null>;
    letters: Generated<number>;
  };

  /**
   * An announcement. `sealed` holds its encrypted text until the last email is queued; `total` is the number of recipients,
   * `posted` the number of emails queued so far.
   */
  announcements: {
    id: Generated<number>;
    sent_by: number;
    subject: string;
    sealed: string | null;
    total: number;
    posted: Generated<number>;
    created_at: Instant;
    finished_at: Instant | null;
  };

  /** Recipients whose email has not been queued yet. */
  announcement_recipients: { announcement_id: number; user_id: number };

  /** Users who unsubscribed from announcements. */
  announcement_unsubscribes: { user_id: number; stopped_at: Instant };

  /**
   * Whether a verifier wants the weekly email about pending hours. A verifier without a row gets it. `last_week` is the Monday
   * of the week of the last email.
   */
  verifier_email_preferences: {
    user_id: number;
    is_wanted: Flag;
    last_week: Generated<CalendarDate | null>;
  };

  /** Requests answered with a server error, counted by day, method, route pattern and status. */
  failed_requests: {
    day: CalendarDate;
    method: string;
    route: string;
    status: number;
    count: number;
    last_at: Instant;
    /** The request id of the last one, as in the log. */
    last_id: string;
  };

  /**
   * The audit log. Triggers allow only inserts, blanking personal data, and deletions after the retention period. `before` and
   * `after` are JSON.
   */
  audit_events: {
    id: Generated<number>;
    at: Instant;
    /** The acting user; null for the system and for people who are not signed in. */
    actor_id: number | null;
    /** For example 'entry.log', 'school.rename', 'session.fail'. */
    action: string;
    subject: string;
    subject_id: number | null;
    school_id: number | null;
    /** The affected user, if another user acted: the owner of the account or entry. */
    person_id: number | null;
    before: string | null;
    after: string | null;
    /** The client's network address, and the request id in the log. */
    address: string | null;
    request_id: string | null;
  };

  /** The first reply to a request, returned again when the request is repeated (header Idempotency-Key). */
  idempotency_keys: {
    /** 'user:7', or the name of the call for calls without sign-in. */
    owner: string;
    key: string;
    /** A keyed hash of call and body. The same key with another request is an error. */
    fingerprint: string;
    /** Null while the request runs, and for a permanent key once the reply was deleted. */
    reply: string | null;
    /** The id of the created record. A key with it is stored as long as its account. */
    made_id: number | null;
    created_at: Instant;
  };

  /** The counters of rate limits: one row per limit and account, email address or network. */
  rate_limits: {
    key: string;
    failures: number;
    window_started_at: Instant;
    blocked_until: Instant | null;
    /** How often in a row the limit was reached; each time doubles the block. */
    strikes: number;
  };

  /** A known browser or address: a keyed hash of the browser's key or of the IP address an account signed in from. */
  known_devices: {
    user_id: number;
    mark: string;
    last_used_at: Instant;
    /** Consecutive wrong passwords from this browser or address. */
    failed_logins: Generated<number>;
  };

  /** Problems of the installation that the server detected. */
  system_warnings: { name: 'proxy-not-trusted'; detail: string; noted_at: Instant };

  /** The outbox. An email is pending while `sealed` is set: its content, encrypted because it may contain a link. */
  emails: {
    id: Generated<number>;
    /** Stays the same on every attempt, so that mail programs recognize duplicates. */
    message_id: string;
    /** For example 'reset-link', 'password-changed'. */
    kind: string;
    /** The recipient. Not a foreign key, because a user's last email is about the deletion of the account. */
    user_id: number | null;
    sealed: string | null;
    created_at: Instant;
    /** When the email expires. After that it is not sent. */
    expires_at: Instant;
    due_at: Instant;
    attempts: Generated<number>;
    /** When the sending process's lease ends; until then no other process sends it. */
    leased_until: Instant | null;
    sent_at: Instant | null;
    dropped_at: Instant | null;
    /** Why the last attempt failed, or why it was dropped. */
    failure: string | null;
  };

  /**
   * An emailed link that confirms an address: of an account (`user_id`), or of a registration, whose account is created when
   * the link is opened.
   */
  email_confirmations: {
    id: Generated<number>;
    token_hash: string;
    email: string;
    email_key: string;
    user_id: number | null;
    first_name: string | null;
    last_name: string | null;
    /** JSON: the chosen schools. */
    school_ids: string | null;
    created_at: Instant;
    expires_at: Instant;
  };

  /** An emailed invitation to schools and roles, for one account. Only the hash of its code is stored. */
  invites: {
    id: Generated<number>;
    token_hash: string;
    email: string;
    email_key: string;
    role: 'user' | 'admin';
    invited_by: number | null;
    created_at: Instant;
    expires_at: Instant;
    used_at: Instant | null;
    used_by: number | null;
    /** Whether an administrator saw the link too; then opening it does not confirm the address. */
    is_shown: Generated<Flag>;
  };

  invite_schools: { invite_id: number; school_id: number };

  /** A pending deletion request. */
  deletion_requests: { user_id: number; reason: string | null; requested_at: Instant };

  /** An import of users from a file, with the number of accounts and of memberships it added. */
  user_imports: {
    id: Generated<number>;
    imported_by: number | null;
    imported_at: Instant;
    people: number;
    memberships: number;
    /** Whether the new users were emailed a link to choose a password. */
    has_mail: Flag;
    undone_at: Instant | null;
  };

  /** The users an import created. */
  user_import_users: { import_id: number; user_id: number };

  /** The memberships an import added to existing users; `was_pending` if they had requested to join. */
  user_import_memberships: {
    import_id: number;
    user_id: number;
    school_id: number;
    was_pending: Flag;
  };

  /**
   * An import of time entries from a file. Of `planned` entries, `made` were created and `left_out` skipped so far; `undone`
   * were deleted again by an undo.
   */
  time_entry_imports: {
    id: Generated<number>;
    school_id: number;
    imported_by: number | null;
    imported_at: Instant;
    state: 'running' | 'done' | 'stopped' | 'undoing' | 'undone';
    /** Whether its hours count as verified, as declared by the importing administrator. */
    counts_immediately: Flag;
    /** Why hours of a closed period are imported. */
    reason: string | null;
    planned: number;
    made: Generated<number>;
    made_hundredths: Generated<number>;
    /** Planned entries that were skipped because their user or activity was deleted. */
    left_out: Generated<number>;
    undone: Generated<number>;
    undone_at: Generated<Instant | null>;
    undone_by: Generated<number | null>;
  };

  /** Entries of an import that are not created yet, as JSON. */
  time_entry_import_chunks: { import_id: number; piece: number; entries: string };

  /** The entries that an import created; `is_kept` if an undo skipped them because they had been edited. */
  time_entry_import_entries: { import_id: number; entry_id: number; is_kept: Flag };

  /** Daily jobs, with the district's date of their last run. */
  daily_jobs: { name: string; last_day: CalendarDate };

  /** A legal hold on all data of a user or of a school. Never deleted. `reason` is null once the user was erased. */
  legal_holds: {
    id: Generated<number>;
    user_id: number | null;
    school_id: number | null;
    reason: string | null;
    placed_by: number;
    placed_at: Instant;
    lifted_by: number | null;
    lifted_at: Instant | null;
  };

  /** An export. Its download link works once; only the hash of the link's token is stored. */
  exports: {
    id: Generated<number>;
    token_hash: string;
    user_id: number;
    format: 'csv' | 'xlsx';
    /** JSON: filters and sort order. */
    asked: string;
    /** The number of rows, and how many are written so far. */
    total: number;
    done: Generated<number>;
    created_at: Instant;
    expires_at: Instant;
    /** When its link was used, and when the process that writes it last reported progress. */
    started_at: Instant | null;
    seen_at: Instant | null;
    outcome: 'done' | 'failed' | 'cancelled' | null;
    /** The process that writes the export: host, process id and a random part. */
    made_by: string | null;
  };

  /** A file of one or more service letters. Its download link works once; only the hash of the link's token is stored. */
  service_letter_files: {
    id: Generated<number>;
    token_hash: string;
    user_id: number;
    form: 'pdf' | 'zip';
    /** The number of letters, and how many are written so far. */
    total: number;
    done: Generated<number>;
    created_at: Instant;
    expires_at: Instant;
    started_at: Instant | null;
    seen_at: Instant | null;
    outcome: 'done' | 'failed' | 'cancelled' | null;
    made_by: string | null;
  };

  /** An issued service letter: its code and what it states. The PDF itself is not stored. */
  service_letters: {
    id: Generated<number>;
    code: string;
    /** A keyed hash of the volunteer's last name. */
    name_mark: string;
    /** The volunteer; null once the account is deleted. */
    user_id: number | null;
    /** The schools whose hours the letter counts (JSON), and their names as printed; null for all. */
    school_ids: string | null;
    school: string | null;
    start_date: CalendarDate;
    end_date: CalendarDate;
    with_dates: Flag;
    language: 'en' | 'es';
    hours_hundredths: number;
    /** Whether the letter counts only verified hours. */
    is_verified_only: Flag;
    /** A hash of the days, activities and hours that the letter counts. */
    record_mark: string;
    issued_by: number | null;
    issued_at: Instant;
    issue_date: CalendarDate;
    withdrawn_at: Instant | null;
    withdrawn_by: number | null;
    file_id: number | null;
  };

  /** The name in a service letter. Deleted when the account is deleted or erased. */
  service_letter_names: { letter_id: number; user_id: number; first_name: string; last_name: string };

  /**
   * A merge of one account into another. `sealed` holds both rows of `users` from before; null once it can no longer be undone.
   */
  account_merges: {
    id: Generated<number>;
    from_user_id: number;
    into_user_id: number;
    merged_by: number | null;
    merged_at: Instant;
    undone_by: Generated<number | null>;
    undone_at: Generated<Instant | null>;
    sealed: string | null;
  };

  /**
   * One row per record that a merge changed; `place` is its table and column. The record was moved to the surviving account,
   * set aside (`sealed` holds it), or added to the surviving account (`sealed` is the new row).
   */
  account_merge_rows: {
    merge_id: number;
    deed: 'moved' | 'aside' | 'given';
    place: string;
    row_id: Generated<number | null>;
    sealed: Generated<string | null>;
  };

  /** Two accounts that look like duplicates but are not; the first has the lower id. */
  not_duplicates: {
    low_user_id: number;
    high_user_id: number;
    said_by: number | null;
    said_at: Instant;
  };

  /** Values that servers store about themselves, such as `photo-folder`, `ready`, and `failed:` with the name of a job. */
  server_state: {
    name: string;
    value: string;
    noted_at: Instant;
  };

  /** The connection to Google Drive, at most one. Its tokens are encrypted, and deleted once Google rejects them. */
  drive_connection: {
    id: 1;
    refresh_token: string | null;
    access_token: string | null;
    access_expires_at: Instant | null;
    /** The Google account's address, if Google returned it. */
    account: string | null;
    connected_by: number;
    connected_at: Instant;
    lost_at: Instant | null;
  };

  /** A Google sign-in (OAuth) in progress. Only the hash of the state is stored; the verifier is encrypted. */
  drive_attempts: {
    state_hash: string;
    user_id: number;
    session_id: number;
    verifier: string;
    created_at: Instant;
    expires_at: Instant;
    used_at: Instant | null;
    /** The error message, if the sign-in failed. */
    problem: string | null;
  };

  /** The Drive folder with the activities' folders. Until `is_ready`, its id is reserved but the folder may not exist. */
  drive_root: {
    id: 1;
    folder_id: string;
    name: string;
    url: string | null;
    is_ready: Flag;
    is_chosen: Flag;
  };

  /** The Drive folder of an activity, identified by its Drive id and not by its name, and the current lease on it. */
  drive_folders: {
    activity_id: number;
    folder_id: string | null;
    is_ready: Generated<Flag>;
    lease: string | null;
    leased_until: Instant | null;
  };

  /** A photo's file in Drive, uploaded or about to be. Triggers set `is_unwanted` when the photo is hidden or deleted. */
  drive_files: {
    photo_id: number;
    activity_id: number;
    file_id: string;
    is_stored: Generated<Flag>;
    is_unwanted: Generated<Flag>;
    /** The encrypted URL of a resumable upload. */
    upload_session: string | null;
  };

  /** A sync, started by a user or by the nightly job; stored for a month. */
  drive_syncs: {
    id: Generated<number>;
    kind: 'manual' | 'nightly';
    requested_by: number | null;
    requested_at: Instant;
    /** The time until which Google asked us to wait. */
    waiting_until: Instant | null;
    cancelled_at: Instant | null;
    finished_at: Instant | null;
  };

  /** An activity in a sync; `error` is a message. */
  drive_sync_activities: {
    sync_id: number;
    activity_id: number;
    position: number;
    name: string;
    state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
    error: string | null;
    folder_name: string | null;
    folder_url: string | null;
  };

  /** A photo in a sync; `error` is a message. */
  drive_sync_photos: {
    sync_id: number;
    activity_id: number;
    photo_id: number;
    state: 'waiting' | 'stored' | 'skipped' | 'failed';
    error: string | null;
  };
};

/** A row as it is selected. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>;
