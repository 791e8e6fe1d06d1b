import type { Db } from '#server/db/connect.ts';

/** How many rows a page of somebody's data holds. */
export const ROWS_AT_ONCE = 500;

/** Reads a page of somebody's rows, those that follow the last one of the page before. */
export type PageReader<Row> = (db: Db, userId: number, last: Row | undefined) => Promise<Row[]>;

/** What the account's row holds besides the profile; never the password's hash. */
export function accountOf(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['email_verified_at as emailVerifiedAt', 'failed_logins as failedLogins'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** Schools joined or asked for, with since when. */
export function membershipsOf(db: Db, userId: number) {
  return db
    .selectFrom('user_schools')
    .innerJoin('schools', 'schools.id', 'user_schools.school_id')
    .select(['schools.id as schoolId', 'schools.name as school', 'user_schools.status'])
    .select('user_schools.created_at as since')
    .where('user_schools.user_id', '=', userId)
    .orderBy('schools.name_key')
    .execute();
}

/** Where the account is signed in; never a token or its hash. */
export function sessionsOf(db: Db, userId: number) {
  return db
    .selectFrom('sessions')
    .select(['created_at as createdAt', 'last_used_at as lastUsedAt', 'address', 'agent'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

export function erasureRequestOf(db: Db, userId: number) {
  return db
    .selectFrom('erasure_requests')
    .select(['reason', 'requested_at as requestedAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Invitations that this account was made or let in with, and those to its address. */
export function invitesOf(db: Db, userId: number) {
  return db
    .selectFrom('invites')
    .select(['email', 'role', 'created_at as createdAt', 'expires_at as expiresAt', 'used_at as usedAt'])
    .where((eb) =>
      eb.or([
        eb('used_by', '=', userId),
        eb('email_key', '=', eb.selectFrom('users').select('email_key').where('id', '=', userId)),
      ]),
    )
    .orderBy('id')
    .execute();
}

/** The lists that the account came with or got a school by, in the thirty days that they can be undone. */
export async function importsOf(db: Db, userId: number) {
  const made = await db
    .selectFrom('user_import_people')
    .innerJoin('user_imports', 'user_imports.id', 'user_import_people.import_id')
    .select('user_imports.imported_at as importedAt')
    .where('user_import_people.user_id', '=', userId)
    .execute();
  const joined = await db
    .selectFrom('user_import_memberships as given')
    .innerJoin('user_imports', 'user_imports.id', 'given.import_id')
    .innerJoin('schools', 'schools.id', 'given.school_id')
    .select(['user_imports.imported_at as importedAt', 'schools.name as school'])
    .where('given.user_id', '=', userId)
    .execute();
  return [...made.map((row) => ({ ...row, school: null })), ...joined];
}

/** Letters to the account, by what they were about; their text is not kept once they are sent. */
export function mailOf(db: Db, userId: number) {
  return db
    .selectFrom('mail')
    .select(['kind', 'created_at as createdAt', 'sent_at as sentAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** The connection to Google Drive, when this person made it or the Google account has this person's address. */
export function driveConnectionOf(db: Db, userId: number) {
  return db
    .selectFrom('drive_connection')
    .select(['account', 'connected_at as connectedAt', 'lost_at as lostAt'])
    .where('id', '=', 1)
    .where((eb) =>
      eb.or([
        eb('connected_by', '=', userId),
        eb(
          eb.fn<string>('lower', ['account']),
          '=',
          eb.selectFrom('users').select('email_key').where('id', '=', userId),
        ),
      ]),
    )
    .executeTakeFirst();
}

/** The syncs to Google Drive that this person asked for, of the last month. */
export function driveSyncsOf(db: Db, userId: number) {
  return db
    .selectFrom('drive_syncs')
    .select(['requested_at as requestedAt', 'finished_at as finishedAt'])
    .where('requested_by', '=', userId)
    .orderBy('id')
    .execute();
}

/** Photos that were uploaded: their captions and names, not the pictures. */
export const photosOf = (db: Db, userId: number, last: { id: number } | undefined) =>
  db
    .selectFrom('photos')
    .innerJoin('activities', 'activities.id', 'photos.activity_id')
    .select([
      'photos.id',
      'activities.name as activity',
      'photos.caption',
      'photos.original_name as originalName',
      'photos.file_size as fileSize',
      'photos.created_at as createdAt',
      'photos.deleted_at as deletedAt',
      'photos.contains_students as containsStudents',
      'photos.review',
    ])
    .where('photos.user_id', '=', userId)
    .where('photos.id', '>', last?.id ?? 0)
    .orderBy('photos.id')
    .limit(ROWS_AT_ONCE)
    .execute();

/** Photos that the person asked to take down and that wait for a decision, with the reason given. */
export const takedownsOf = (db: Db, userId: number) =>
  db
    .selectFrom('photos')
    .innerJoin('activities', 'activities.id', 'photos.activity_id')
    .select([
      'photos.id',
      'activities.name as activity',
      'photos.takedown_at as at',
      'photos.takedown_reason as reason',
    ])
    .where('photos.takedown_by', '=', userId)
    .orderBy('photos.id')
    .execute();

/** Ideas for activities, with what became of them. */
export const suggestionsOf = (db: Db, userId: number, last: { id: number } | undefined) =>
  db
    .selectFrom('activity_suggestions')
    .innerJoin('schools', 'schools.id', 'activity_suggestions.school_id')
    .leftJoin('categories', 'categories.id', 'activity_suggestions.category_id')
    .leftJoin('activities', 'activities.id', 'activity_suggestions.approved_activity_id')
    .select([
      'activity_suggestions.id',
      'schools.name as school',
      'categories.name as category',
      'activity_suggestions.name',
      'activity_suggestions.description',
      'activity_suggestions.reason',
      'activity_suggestions.is_year_long as isYearLong',
      'activity_suggestions.active_from as activeFrom',
      'activity_suggestions.active_until as activeUntil',
      'activity_suggestions.status',
      'activity_suggestions.admin_reason as adminReason',
      'activities.name as approvedActivity',
      'activity_suggestions.created_at as createdAt',
      'activity_suggestions.decided_at as decidedAt',
    ])
    .where('activity_suggestions.user_id', '=', userId)
    .where('activity_suggestions.id', '>', last?.id ?? 0)
    .orderBy('activity_suggestions.id')
    .limit(ROWS_AT_ONCE)
    .execute();

/** Which mail about suggestions the account asked for; nothing when it never chose. */
export function suggestionMailOf(db: Db, userId: number) {
  return db
    .selectFrom('suggestion_mail')
    .select(['decisions', 'digest'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** What the record says by and about the account. Where others acted, it does not say from which address. */
export const recordOf = (db: Db, userId: number, last: { id: number } | undefined) =>
  db
    .selectFrom('audit')
    .select(['id', 'at', 'action', 'subject', 'subject_id as subjectId', 'before', 'after'])
    .select((eb) => eb.case().when('actor_id', '=', userId).then(eb.ref('address')).end().as('address'))
    .where((eb) => eb.or([eb('actor_id', '=', userId), eb('person_id', '=', userId)]))
    .where('id', '>', last?.id ?? 0)
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute();
