import type { Generated, Selectable } from 'kysely';
import type { CalendarDate, Instant } from '#base/calendar-date.ts';

/** True or false as both engines store it. */
export type Flag = 0 | 1;

/**
 * The whole data model, as the code reads and writes it; `migrations/0001-start.ts` makes it, with its constraints.
 * Texts ending in `_key` are folded by the code for comparing, sorting and searching: no engine folds accents alike.
 * `version` grows by one with every change of a row that a person edits.
 */
export type Tables = {
  schools: SchoolsTable;
  users: UsersTable;
  user_schools: UserSchoolsTable;
  sessions: SessionsTable;
  password_links: PasswordLinksTable;
  categories: CategoriesTable;
  activities: ActivitiesTable;
  time_entries: TimeEntriesTable;
  photos: PhotosTable;
  activity_suggestions: ActivitySuggestionsTable;
  audit: AuditTable;
  idempotency_keys: IdempotencyKeysTable;
  try_limits: TryLimitsTable;
};

type SchoolsTable = {
  id: Generated<number>;
  name: string;
  name_key: string;
  logo_url: string | null;
  created_at: Instant;
  version: Generated<number>;
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
  created_at: Instant;
  last_login_at: Instant | null;
  version: Generated<number>;
};

/** Who belongs to which school. A pending member has asked and sees nothing of the school yet. */
type UserSchoolsTable = {
  user_id: number;
  school_id: number;
  status: 'active' | 'pending';
  created_at: Instant;
};

/** A signed-in browser. Only the hash of its token is kept. */
type SessionsTable = {
  id: Generated<number>;
  token_hash: string;
  user_id: number;
  created_at: Instant;
  last_used_at: Instant;
  address: string;
  agent: string;
};

/** A link that sets a password, once. Only the hash of its token is kept; a newer link ends the older ones. */
type PasswordLinksTable = {
  id: Generated<number>;
  token_hash: string;
  user_id: number;
  created_at: Instant;
  expires_at: Instant;
  used_at: Instant | null;
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
};

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
};

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

/** What happened: rows are only ever added (a trigger sees to it). `before` and `after` are JSON. */
type AuditTable = {
  id: Generated<number>;
  at: Instant;
  /** Who did it; none for the system itself and for people who are not signed in. */
  actor_id: number | null;
  /** A verb of the room: 'entry.log', 'school.rename', 'session.fail'. */
  action: string;
  subject: string;
  subject_id: number | null;
  school_id: number | null;
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
  reply: string | null;
  created_at: Instant;
};

/** Failures counted against guessing: one row per account or address. */
type TryLimitsTable = {
  key: string;
  failures: number;
  window_started_at: Instant;
  blocked_until: Instant | null;
  /** How many times in a row the limit was reached: each one doubles the pause. */
  strikes: number;
};

/** A row as it is read. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>;
