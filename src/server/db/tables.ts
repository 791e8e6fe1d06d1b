import type { Generated, Selectable } from 'kysely';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import type { Language } from '#shared/i18n/languages.ts';
import type { GrantRole } from '#shared/permissions.ts';

/** True or false as both engines store it. */
export type Flag = 0 | 1;

/**
 * The whole data model, as the code reads and writes it; `migrations/` makes it, with its constraints.
 * Texts ending in `_key` are folded by the code for comparing, sorting and searching: no engine folds accents alike.
 * `version` grows by one with every change of a row that a person edits.
 */
export type Tables = {
  schools: SchoolsTable;
  school_logos: SchoolLogosTable;
  users: UsersTable;
  user_schools: UserSchoolsTable;
  user_grants: UserGrantsTable;
  sessions: SessionsTable;
  password_links: PasswordLinksTable;
  categories: CategoriesTable;
  activities: ActivitiesTable;
  activity_batches: ActivityBatchesTable;
  time_entries: TimeEntriesTable;
  school_sums: SchoolSumsTable;
  activity_sums: ActivitySumsTable;
  day_sums: DaySumsTable;
  month_sums: MonthSumsTable;
  month_volunteers: MonthVolunteersTable;
  school_volunteers: SchoolVolunteersTable;
  activity_volunteers: ActivityVolunteersTable;
  verification_batches: VerificationBatchesTable;
  verification_batch_entries: VerificationBatchEntriesTable;
  external_verifier_requests: ExternalVerifierRequestsTable;
  external_verifier_request_entries: ExternalVerifierRequestEntriesTable;
  external_verifier_unsubscribes: ExternalVerifierUnsubscribesTable;
  photos: PhotosTable;
  orphaned_photo_files: OrphanedPhotoFilesTable;
  district_settings: DistrictSettingsTable;
  activity_suggestions: ActivitySuggestionsTable;
  suggestion_email_preferences: SuggestionEmailPreferencesTable;
  audit_events: AuditEventsTable;
  idempotency_keys: IdempotencyKeysTable;
  rate_limits: RateLimitsTable;
  known_devices: KnownDevicesTable;
  provider_links: ProviderLinksTable;
  provider_redirects: ProviderRedirectsTable;
  provider_logouts: ProviderLogoutsTable;
  sign_in_links: SignInLinksTable;
  totp_secrets: TotpSecretsTable;
  totp_offers: TotpOffersTable;
  recovery_codes: RecoveryCodesTable;
  sign_in_challenges: SignInChallengesTable;
  two_factor_grace_periods: TwoFactorGracePeriodsTable;
  passkeys: PasskeysTable;
  used_challenges: UsedChallengesTable;
  system_warnings: SystemWarningsTable;
  emails: EmailsTable;
  email_confirmations: EmailConfirmationsTable;
  invites: InvitesTable;
  invite_schools: InviteSchoolsTable;
  invite_grants: InviteGrantsTable;
  deletion_requests: DeletionRequestsTable;
  user_imports: UserImportsTable;
  user_import_users: UserImportUsersTable;
  user_import_memberships: UserImportMembershipsTable;
  time_entry_imports: TimeEntryImportsTable;
  time_entry_import_chunks: TimeEntryImportChunksTable;
  time_entry_import_entries: TimeEntryImportEntriesTable;
  daily_jobs: DailyJobsTable;
  server_state: ServerStateTable;
  backup_email_preferences: BackupEmailPreferencesTable;
  past_addresses: PastAddressesTable;
  verifier_email_preferences: VerifierEmailPreferencesTable;
  hour_goals: HourGoalsTable;
  milestone_thanks: MilestoneThanksTable;
  household_members: HouseholdMembersTable;
  reminder_preferences: ReminderPreferencesTable;
  failed_requests: FailedRequestsTable;
  legal_holds: LegalHoldsTable;
  exports: ExportsTable;
  service_letter_files: ServiceLetterFilesTable;
  service_letters: ServiceLettersTable;
  service_letter_names: ServiceLetterNamesTable;
  account_merges: AccountMergesTable;
  announcements: AnnouncementsTable;
  announcement_recipients: AnnouncementRecipientsTable;
  announcement_unsubscribes: AnnouncementUnsubscribesTable;
  account_merge_rows: AccountMergeRowsTable;
  not_duplicates: NotDuplicatesTable;
  drive_connection: DriveConnectionTable;
  drive_attempts: DriveAttemptsTable;
  drive_root: DriveRootTable;
  drive_folders: DriveFoldersTable;
  drive_files: DriveFilesTable;
  drive_syncs: DriveSyncsTable;
  drive_sync_activities: DriveSyncActivitiesTable;
  drive_sync_photos: DriveSyncPhotosTable;
};

type SchoolsTable = {
  id: Generated<number>;
  name: string;
  name_key: string;
  logo_url: string | null;
  created_at: Instant;
  version: Generated<number>;
  /** Whether hours are verified here, and up to which day nobody but administrators changes them. */
  verification: Generated<'off' | 'on'>;
  closed_before: Generated<CalendarDate | null>;
  late_after_days: Generated<number | null>;
  /** Who signs its service letters, with which title, and a paragraph of its own in them. */
  letter_signer: Generated<string | null>;
  letter_title: Generated<string | null>;
  letter_wording: Generated<string | null>;
  /** What it is called in other languages, as JSON by language, and those names folded for searches; '' where there are none. */
  translations: Generated<string | null>;
  translated_key: Generated<string>;
};

/** The picture of a school. `name` carries a hash of the content and stands in the address that shows it. */
type SchoolLogosTable = {
  school_id: number;
  name: string;
  type: 'image/png' | 'image/webp';
  content: Buffer;
  created_at: Instant;
};

type UsersTable = {
  id: Generated<number>;
  email: string;
  email_key: string;
  password_hash: string | null;
  first_name: string;
  last_name: string;
  /** Last name, first name: the order of lists. */
  sort_key: string;
  /** First name, last name and e-mail address: what a search looks in. */
  search_key: string;
  role: 'user' | 'admin';
  is_active: Flag;
  /** Whether somebody who runs the district deactivated it; says nothing while it is active. */
  deactivated_by_district: Generated<Flag>;
  created_at: Instant;
  last_login_at: Instant | null;
  version: Generated<number>;
  /** When its owner proved the address, by a link or a provider; null after the address changes. */
  email_verified_at: Instant | null;
  /** When an administrator typed the address, and who: no proof, but enough for what that person may give. */
  vouched_at: Generated<Instant | null>;
  vouched_by: Generated<number | null>;
  /** When somebody else chose the password, and who; null once its owner chose one by an emailed link. */
  password_given_at: Generated<Instant | null>;
  password_given_by: Generated<number | null>;
  /** Wrong passwords in a row; too many of them and only a mailed link opens the account. */
  failed_logins: Generated<number>;
  /** When the person was removed; the row stays as 'Former volunteer' for the hours. */
  erased_at: Instant | null;
  /**
   * A person without sign-in, who was on a paper sheet. `email` is then a made-up one of a domain that receives no mail, and
   * `contact_email` what the sheet had, which nothing is sent to and several may share.
   */
  is_walk_in: Generated<Flag>;
  contact_email: Generated<string | null>;
  /** What they chose for themselves; null where their browser decides. */
  language: Generated<Language | null>;
};

/** Who belongs to which school. A pending member has asked and sees nothing of the school yet. */
type UserSchoolsTable = {
  user_id: number;
  school_id: number;
  status: 'active' | 'pending';
  created_at: Instant;
  /** Whether somebody of the district let them in: made, invited, imported or approved; 0 for who joined by themselves. */
  is_approved: Generated<Flag>;
};

/** A role at a school, or without one at all; only an auditor's is without. */
type UserGrantsTable = {
  user_id: number;
  role: GrantRole;
  school_id: number | null;
  created_at: Instant;
};

/** A role that an invitation gives. */
type InviteGrantsTable = { invite_id: number; role: GrantRole; school_id: number | null };

/** A signed-in browser. Only the hash of its token is kept. */
type SessionsTable = {
  id: Generated<number>;
  token_hash: string;
  user_id: number;
  created_at: Instant;
  last_used_at: Instant;
  address: string;
  agent: string;
  /** The account elsewhere that it was signed in with, and what that service calls its own session. */
  provider_link_id: Generated<number | null>;
  provider_session: Generated<string | null>;
  /** What that service signed of it, sealed: signing out there asks for it. */
  provider_id_token: Generated<string | null>;
  /** What it was signed in with; null when that was not noted. */
  signed_in_by: Generated<SignInWay | null>;
  /** When its person last proved who they are; null when a mailed link alone opened it. */
  proven_at: Generated<Instant | null>;
};

/** A link is a mailed one. */
export type SignInWay = 'password' | 'provider' | 'passkey' | 'link';

/** An account at another service (OpenID Connect) that opens an account here. `provider` is its name in the settings. */
type ProviderLinksTable = {
  id: Generated<number>;
  user_id: number;
  provider: string;
  issuer: string;
  subject: string;
  created_at: Instant;
  last_used_at: Instant;
};

/** Somebody back from such a service whose browser has not fetched its session yet: sealed, for some minutes. */
type ProviderRedirectsTable = {
  token_hash: string;
  purpose: 'sign-in' | 'link' | 'fresh';
  browser_hash: string;
  sealed: string;
  expires_at: Instant;
};

/** A message of such a service that somebody signed out there, by the mark of it: none counts twice. */
type ProviderLogoutsTable = {
  token_hash: string;
  expires_at: Instant;
};

/** A mailed link that signs in, once, in the browser that asked for it. */
type SignInLinksTable = {
  token_hash: string;
  user_id: number;
  browser_hash: string;
  created_at: Instant;
  expires_at: Instant;
};

/** The secret of an authenticator, sealed. `last_step` is the 30 seconds of the last code used: no code up to it works again. */
type TotpSecretsTable = {
  user_id: number;
  sealed: string;
  last_step: number;
  created_at: Instant;
  last_used_at: Instant | null;
};

/** A secret that is shown to somebody and works once a code has confirmed it. */
type TotpOffersTable = { user_id: number; sealed: string; expires_at: Instant };

/**
 * A passkey (WebAuthn). `rp_id` is the name of the address that it works at, `counter` the last one seen, `transports` a JSON
 * list, and `user_handle` what its device calls the person.
 */
type PasskeysTable = {
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

/** A question to a device that was answered; forgotten when nobody could answer it again anyway. */
type UsedChallengesTable = { challenge_hash: string; expires_at: Instant };

/** A recovery code for a user who lost their second factor. A used one is deleted; only hashes are kept. */
type RecoveryCodesTable = { user_id: number; code_hash: string; created_at: Instant };

/**
 * A first proof that waits for a second one. `sealed` says how it was given; it goes on in the browser that sent
 * `device_hash`, or in any when that sent none.
 */
type SignInChallengesTable = {
  token_hash: string;
  user_id: number;
  device_hash: string | null;
  sealed: string;
  mistakes: Generated<number>;
  expires_at: Instant;
};

/** Since when somebody is an administrator who has to set up a second proof, where that began after it was demanded. */
type TwoFactorGracePeriodsTable = { user_id: number; begins_at: Instant };

/** A link that sets a password, once. Only the hash of its token is kept; a newer link ends the older ones. */
type PasswordLinksTable = {
  id: Generated<number>;
  token_hash: string;
  user_id: number;
  created_at: Instant;
  expires_at: Instant;
  used_at: Instant | null;
  /** Whether an administrator was shown the link too: then opening it proves no mailbox. */
  is_shown: Generated<Flag>;
};

type CategoriesTable = {
  id: Generated<number>;
  school_id: number;
  name: string;
  name_key: string;
  description: string | null;
  color: string;
  kind: 'event' | 'classroom' | 'other';
  created_at: Instant;
  version: Generated<number>;
  /** Made for activities added many at once. */
  batch_id: Generated<number | null>;
  /** As at schools. */
  translations: Generated<string | null>;
  translated_key: Generated<string>;
};

/** Activities added to a school at once, which can be taken back for thirty days. Who did it is in the record. */
type ActivityBatchesTable = {
  id: Generated<number>;
  school_id: number;
  made_at: Instant;
  activities: number;
  categories: number;
  undone_at: Instant | null;
};

type ActivitiesTable = {
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
  /** Who says that hours are right: the school, nobody (they count at once), or somebody outside by mail. */
  verification: Generated<'school' | 'trusted' | 'outside'>;
  external_verifier: Generated<string | null>;
  /** Added many at once. */
  batch_id: Generated<number | null>;
  /** What the address on its sign-in sheets ends with; null until one is printed. */
  log_code: Generated<string | null>;
  /** As at schools. */
  translations: Generated<string | null>;
  translated_key: Generated<string>;
};

/** Hours of one person on one day. A deleted entry stays for the undo and the record. */
type TimeEntriesTable = {
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
  /** Null at a school that does not verify; while it does not, what was decided before stays here unseen. */
  verification: Generated<'waiting' | 'verified' | 'declined' | null>;
  /** The hours that count; 0 while waiting or declined. */
  counted_hundredths: Generated<number>;
  /** Who decided: an account, or the address of somebody outside; neither where an activity is trusted. */
  decided_by: Generated<number | null>;
  decided_by_external: Generated<string | null>;
  decided_at: Generated<Instant | null>;
  /** The version that the deciding user saw. */
  decided_version: Generated<number | null>;
  decision_note: Generated<string | null>;
  reopen_note: Generated<string | null>;
  reopen_asked_at: Generated<Instant | null>;
  /** The supervisor whom the volunteer named; one that the activity names goes before. */
  external_verifier: Generated<string | null>;
};

/**
 * The number of live entries and the sum of their hours in hundredths, kept by triggers in the transaction of
 * every write to an entry. A row stays at 0 when its last entry is deleted.
 */
type Sums = { entries: number; hours_hundredths: number; counted_hundredths: Generated<number> };

/** Entries about which somebody decided at once. */
type VerificationBatchesTable = {
  id: Generated<number>;
  decided_by: number;
  decided_at: Instant;
  decision: 'verify' | 'decline' | 'reopen';
  undone_at: Instant | null;
};

/** What such an entry was before (`before`, JSON), and its version after; kept while it can be undone. */
type VerificationBatchEntriesTable = { batch_id: number; entry_id: number; version: number; before: string };

type SchoolSumsTable = Sums & { school_id: number; people: Generated<number> };

type ActivitySumsTable = Sums & { activity_id: number; people: Generated<number> };

type DaySumsTable = Sums & { school_id: number; entry_date: CalendarDate };

/** `month` is the month's first day. */
type MonthSumsTable = Sums & { school_id: number; month: CalendarDate; activity_id: number };

/**
 * Who helped at a school in a month, and on which days of it: the first is 1, the second 2, the third 4. `last_before`
 * is when they last did before that month.
 */
type MonthVolunteersTable = {
  school_id: number;
  month: CalendarDate;
  user_id: number;
  days: number;
  last_before: CalendarDate | null;
};

/** Who has ever logged hours at a school, member or not. `sort_key` follows the user's own. */
type SchoolVolunteersTable = Sums & { school_id: number; user_id: number; sort_key: string };

type ActivityVolunteersTable = Sums & { activity_id: number; user_id: number };

/** A letter to a supervisor without an account about the hours of one school. */
type ExternalVerifierRequestsTable = {
  id: Generated<number>;
  token_hash: string;
  school_id: number;
  address: string;
  /** The mailbox behind the address. */
  address_key: string;
  /** The letter of the outbox, while that keeps it. */
  mail_id: number | null;
  /** What became of it, once that is certain. */
  delivery: Generated<'sent' | 'failed' | null>;
  made_at: Instant;
  made_day: CalendarDate;
  expires_at: Instant;
  ended_at: Instant | null;
};

/** What a letter asks about; an entry that was changed since has another version and is not answered by it. */
type ExternalVerifierRequestEntriesTable = { letter_id: number; entry_id: number; version: number };

/** Who wants no more letters, as a keyed hash. */
type ExternalVerifierUnsubscribesTable = { address_hash: string; stopped_at: Instant };

type PhotosTable = {
  id: Generated<number>;
  activity_id: number;
  school_id: number;
  user_id: number;
  caption: string | null;
  original_name: string;
  file_size: number;
  /** The random name under which the store keeps the picture; never derived from the id. */
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
  /** SHA-256 of the file as it was uploaded: the same one again is the same photo. */
  source_sha256: string | null;
  /** SHA-256 of what is stored in the other sizes; `sha256` is that of the full one. */
  view_sha256: string | null;
  thumbnail_sha256: string | null;
  large_sha256: string | null;
  screen_sha256: string | null;
  contains_students: Generated<Flag>;
  /** Who sees it: everybody of the school, or administrators until they decide. */
  review: Generated<'visible' | 'waiting' | 'reported'>;
  /** How often it was decided who sees it; links of an earlier round do not work. */
  review_round: Generated<number>;
  hidden_reason: string | null;
  hidden_at: Instant | null;
  hidden_by: number | null;
};

/** Names of files that may be in the store without a photo; removed after `due_at`. */
type OrphanedPhotoFilesTable = { storage_key: string; due_at: Instant };

/** What an administrator changes while the system runs, by name; `value` is JSON. */
type DistrictSettingsTable = { name: string; value: string };

type ActivitySuggestionsTable = {
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

/** Which mail about suggestions somebody gets; without a row, decisions and no digest. */
type SuggestionEmailPreferencesTable = { user_id: number; decisions: Flag; digest: Flag };

/** Whether an administrator wants letters about backups; without a row, they do. */
/** An email address that an account had before its present one. */
type PastAddressesTable = { user_id: number; email_key: string };

type BackupEmailPreferencesTable = { user_id: number; is_wanted: Flag };

/** The hours that somebody set themselves for a school year; nobody else reads them. */
type HourGoalsTable = { user_id: number; year_from: CalendarDate; hours_hundredths: number };

/** A milestone of a school year whose thanks somebody has put away. */
type MilestoneThanksTable = { user_id: number; year_from: CalendarDate; hours_hundredths: number };

/**
 * Who belongs to which household: a random name that people share. `joined_with` is the code that let somebody in, `code` the
 * one with which they let in one more person, until `code_until`.
 */
type HouseholdMembersTable = {
  user_id: number;
  household: string;
  joined_at: Instant;
  joined_with: string | null;
  code: string | null;
  code_until: Instant | null;
};

/**
 * Which reminders somebody wants; without a row, none. `week_from` is the Monday of the week in which they were last sent
 * one, `letters` how many in that week.
 */
type ReminderPreferencesTable = {
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
 * A letter from an administrator to many people. `sealed` holds its text until it is posted to the last of them; `total` is
 * how many it was for, `posted` how many it went to so far.
 */
type AnnouncementsTable = {
  id: Generated<number>;
  sent_by: number;
  subject: string;
  sealed: string | null;
  total: number;
  posted: Generated<number>;
  created_at: Instant;
  finished_at: Instant | null;
};

/** Whom a letter to many still has to be posted to. */
type AnnouncementRecipientsTable = { announcement_id: number; user_id: number };

/** Who wants no letters that administrators write to many. */
type AnnouncementUnsubscribesTable = { user_id: number; stopped_at: Instant };

/** Who wants the weekly letter of hours that wait (wanted without a row); `last_week` is the Monday of the last one. */
type VerifierEmailPreferencesTable = {
  user_id: number;
  is_wanted: Flag;
  last_week: Generated<CalendarDate | null>;
};

/** Requests that failed through the servers' fault on one day, by the pattern of their route. */
type FailedRequestsTable = {
  day: CalendarDate;
  method: string;
  route: string;
  status: number;
  count: number;
  last_at: Instant;
  /** The id of the last one, as the log names it. */
  last_id: string;
};

/** What happened: rows are only ever added (a trigger sees to it). `before` and `after` are JSON. */
type AuditEventsTable = {
  id: Generated<number>;
  at: Instant;
  /** Who did it; null for the system itself and for people who are not signed in. */
  actor_id: number | null;
  /** A verb of the room: 'entry.log', 'school.rename', 'session.fail'. */
  action: string;
  subject: string;
  subject_id: number | null;
  school_id: number | null;
  /** The person affected when somebody else acted: the owner of the account or entry. */
  person_id: number | null;
  before: string | null;
  after: string | null;
  /** The address that the request came from, and its id in the log. */
  address: string | null;
  request_id: string | null;
};

/** The first reply to a creating call, for a repeat of it (header Idempotency-Key). */
type IdempotencyKeysTable = {
  /** Whose key: 'user:7', or for calls without sign-in the call's name. */
  owner: string;
  key: string;
  /** A keyed hash of call and body: the same key for another request is refused. */
  fingerprint: string;
  /** Null while the call runs, and of a lasting key once its repeats are only told that it was used. */
  reply: string | null;
  /** What the call made; such a key is kept as long as its account. */
  made_id: number | null;
  created_at: Instant;
};

/** Failures counted against guessing: one row per account or address. */
type RateLimitsTable = {
  key: string;
  failures: number;
  window_started_at: Instant;
  blocked_until: Instant | null;
  /** How many times in a row the limit was reached: each one doubles the pause. */
  strikes: number;
};

/** A place an account signed in from: a keyed hash of a browser's key or of an IP address. */
type KnownDevicesTable = {
  user_id: number;
  mark: string;
  last_used_at: Instant;
  /** Wrong passwords in a row from there. */
  failed_logins: Generated<number>;
};

/** What the server noticed about how it is run. */
type SystemWarningsTable = { name: 'proxy-not-trusted'; detail: string; noted_at: Instant };

/** A letter to somebody. It waits while `sealed` is there: the letter itself, encrypted, since it may hold a link. */
type EmailsTable = {
  id: Generated<number>;
  /** The same on every try, so that a letter that arrives twice can be known as one. */
  message_id: string;
  /** What it is about: 'reset-link', 'password-changed'. */
  kind: string;
  /** Whose letter; no foreign key, since a person's last letter says that the account is gone. */
  user_id: number | null;
  sealed: string | null;
  created_at: Instant;
  /** When it expires and is no longer sent. */
  expires_at: Instant;
  due_at: Instant;
  attempts: Generated<number>;
  /** The end of the lease of the process that sends it; until then no other process may. */
  leased_until: Instant | null;
  sent_at: Instant | null;
  dropped_at: Instant | null;
  /** What went wrong at the last try, or why it was dropped. */
  failure: string | null;
};

/**
 * A mailed link that verifies an address: of an account (`user_id`), or of a registration whose account is created
 * by opening the link.
 */
type EmailConfirmationsTable = {
  id: Generated<number>;
  token_hash: string;
  email: string;
  email_key: string;
  user_id: number | null;
  first_name: string | null;
  last_name: string | null;
  /** JSON: the schools chosen. */
  school_ids: string | null;
  created_at: Instant;
  expires_at: Instant;
};

/** A mailed code that opens the schools it names to one account. Only its hash is kept. */
type InvitesTable = {
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
  /** Whether an administrator was shown the link too: then its code proves no mailbox. */
  is_shown: Generated<Flag>;
};

type InviteSchoolsTable = { invite_id: number; school_id: number };

/** A pending deletion request. */
type DeletionRequestsTable = { user_id: number; reason: string | null; requested_at: Instant };

/** Many users added at once from a file: how many people it made and how many memberships it gave to others. */
type UserImportsTable = {
  id: Generated<number>;
  imported_by: number | null;
  imported_at: Instant;
  people: number;
  memberships: number;
  /** Whether the people it made were mailed a link to choose a password. */
  has_mail: Flag;
  undone_at: Instant | null;
};

/** The people that an import created. */
type UserImportUsersTable = { import_id: number; user_id: number };

/** The memberships that an import gave to existing people; `was_pending` when they had asked to join. */
type UserImportMembershipsTable = {
  import_id: number;
  user_id: number;
  school_id: number;
  was_pending: Flag;
};

/**
 * Hours brought along in a file. `planned` entries are to be made; `made` and `left_out` say how far it is, `undone` how
 * many of them were removed again.
 */
type TimeEntryImportsTable = {
  id: Generated<number>;
  school_id: number;
  imported_by: number | null;
  imported_at: Instant;
  state: 'running' | 'done' | 'stopped' | 'undoing' | 'undone';
  /** Whether its hours count as verified, as the importing administrator declared. */
  counts_immediately: Flag;
  /** Why hours of a closed period come in. */
  reason: string | null;
  planned: number;
  made: Generated<number>;
  made_hundredths: Generated<number>;
  /** Planned entries that were not made, as their person or activity was gone by then. */
  left_out: Generated<number>;
  undone: Generated<number>;
  undone_at: Generated<Instant | null>;
  undone_by: Generated<number | null>;
};

/** Entries of an import that wait to be made, as JSON. */
type TimeEntryImportChunksTable = { import_id: number; piece: number; entries: string };

/** The entries that an import made; `is_kept` when an undo left them, as they had been changed. */
type TimeEntryImportEntriesTable = { import_id: number; entry_id: number; is_kept: Flag };

/** Daily jobs, each with the district's date on which it last ran. */
type DailyJobsTable = { name: string; last_day: CalendarDate };

/**
 * What may not be deleted while the hold is in force: everything about a person, or of a school; one of both. Never
 * removed. `reason` is null once the person was erased.
 */
type LegalHoldsTable = {
  id: Generated<number>;
  user_id: number | null;
  school_id: number | null;
  reason: string | null;
  placed_by: number;
  placed_at: Instant;
  lifted_by: number | null;
  lifted_at: Instant | null;
};

/** A file that an administrator asked for. Its link works once; only the hash of the link's token is kept. */
type ExportsTable = {
  id: Generated<number>;
  token_hash: string;
  user_id: number;
  format: 'csv' | 'xlsx';
  /** JSON: which rows, in what order. */
  asked: string;
  /** How many rows it will have, and how many of them have been made. */
  total: number;
  done: Generated<number>;
  created_at: Instant;
  expires_at: Instant;
  /** When its link was used, and when the process that makes it last reported progress. */
  started_at: Instant | null;
  seen_at: Instant | null;
  outcome: 'done' | 'failed' | 'cancelled' | null;
  /** The process that makes it: machine, number and a random part. */
  made_by: string | null;
};

/** The file of one service letter or of many. Its link works once; only the hash of the link's token is kept. */
type ServiceLetterFilesTable = {
  id: Generated<number>;
  token_hash: string;
  user_id: number;
  form: 'pdf' | 'zip';
  /** How many letters it holds, and how many of them have been made. */
  total: number;
  done: Generated<number>;
  created_at: Instant;
  expires_at: Instant;
  started_at: Instant | null;
  seen_at: Instant | null;
  outcome: 'done' | 'failed' | 'cancelled' | null;
  made_by: string | null;
};

/** A service letter that was issued: its code, and what it says. The letter itself is not kept. */
type ServiceLettersTable = {
  id: Generated<number>;
  code: string;
  /** A keyed hash of the last name that it was issued for. */
  name_mark: string;
  /** Whose it is; null once the account is deleted. */
  user_id: number | null;
  /** JSON: the schools whose hours it counts, and their names as they stand in it; null for all. */
  school_ids: string | null;
  school: string | null;
  start_date: CalendarDate;
  end_date: CalendarDate;
  with_dates: Flag;
  language: 'en' | 'es';
  hours_hundredths: number;
  /** Whether it counts verified hours only. */
  is_verified_only: Flag;
  /** A hash of the days, activities and hours that it counts. */
  record_mark: string;
  issued_by: number | null;
  issued_at: Instant;
  issue_date: CalendarDate;
  withdrawn_at: Instant | null;
  withdrawn_by: number | null;
  file_id: number | null;
};

/** The name in a letter; it goes with the account or its erasure. */
type ServiceLetterNamesTable = { letter_id: number; user_id: number; first_name: string; last_name: string };

/**
 * An account that became part of another one. `sealed` is what the two rows of `users` held before; null once it cannot be
 * undone any more.
 */
type AccountMergesTable = {
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
 * What a merge did to a row of `place` ('time_entries.user_id'): moved it to the account that stays, took it aside
 * (`sealed` is the whole row), or gave that account one (`sealed` is that).
 */
type AccountMergeRowsTable = {
  merge_id: number;
  deed: 'moved' | 'aside' | 'given';
  place: string;
  row_id: Generated<number | null>;
  sealed: Generated<string | null>;
};

/** Two people who look like one and are not, the one with the lower id first. */
type NotDuplicatesTable = {
  low_user_id: number;
  high_user_id: number;
  said_by: number | null;
  said_at: Instant;
};

/** Values that servers store about themselves: `photo-folder`, `ready`, `failed:` and the name of a job. */
type ServerStateTable = {
  name: string;
  value: string;
  noted_at: Instant;
};

/**
 * The one connection to Google Drive, while there is one; its tokens are sealed, and gone once Google refuses them.
 */
type DriveConnectionTable = {
  id: 1;
  refresh_token: string | null;
  access_token: string | null;
  access_expires_at: Instant | null;
  /** The address of the Google account, as far as Google tells it. */
  account: string | null;
  connected_by: number;
  connected_at: Instant;
  lost_at: Instant | null;
};

/** An OAuth sign-in at Google that is under way. Only the hash of the state is kept; the verifier is sealed. */
type DriveAttemptsTable = {
  state_hash: string;
  user_id: number;
  session_id: number;
  verifier: string;
  created_at: Instant;
  expires_at: Instant;
  used_at: Instant | null;
  /** The message that says why it failed. */
  problem: string | null;
};

/** The Drive folder that holds the activities' folders. Not ready: its id is reserved, but it may not exist yet. */
type DriveRootTable = {
  id: 1;
  folder_id: string;
  name: string;
  url: string | null;
  is_ready: Flag;
  is_chosen: Flag;
};

/** The Drive folder of an activity, known by its Drive id, not its name; and who holds the lease on it until when. */
type DriveFoldersTable = {
  activity_id: number;
  folder_id: string | null;
  is_ready: Generated<Flag>;
  lease: string | null;
  leased_until: Instant | null;
};

/** The file of a photo in Drive, uploaded or about to be. Triggers mark it when the photo is hidden or removed. */
type DriveFilesTable = {
  photo_id: number;
  activity_id: number;
  file_id: string;
  is_stored: Generated<Flag>;
  is_unwanted: Generated<Flag>;
  /** The sealed address of an upload that goes on in pieces. */
  upload_session: string | null;
};

/** A sync that somebody asked for, or the night; kept for a month. */
type DriveSyncsTable = {
  id: Generated<number>;
  kind: 'manual' | 'nightly';
  requested_by: number | null;
  requested_at: Instant;
  /** Google asked for a pause until then. */
  waiting_until: Instant | null;
  cancelled_at: Instant | null;
  finished_at: Instant | null;
};

/** An activity within a sync; `error` is a message. */
type DriveSyncActivitiesTable = {
  sync_id: number;
  activity_id: number;
  position: number;
  name: string;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  error: string | null;
  folder_name: string | null;
  folder_url: string | null;
};

/** A photo within a sync; `error` is a message. */
type DriveSyncPhotosTable = {
  sync_id: number;
  activity_id: number;
  photo_id: number;
  state: 'waiting' | 'stored' | 'skipped' | 'failed';
  error: string | null;
};

/** A row as it is selected. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>;
