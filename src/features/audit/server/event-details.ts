import { ACTIVITY_FIELDS } from '#features/activities/activity-fields.ts';
import { CATEGORY_FIELDS } from '#features/activities/categories/category-fields.ts';
import { SUGGESTION_FIELDS } from '#features/activities/suggestions/suggestion-fields.ts';
import { ENTRY_FIELDS } from '#features/time-entries/time-entry-fields.ts';
import type { Db } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import { isCalendarDate } from '#shared/calendar-date.ts';
import { TRANSLATIONS } from '#shared/content-translations.ts';
import type { Fields } from '#shared/entity-fields.ts';
import type { Change, ChangedValue, ListedAuditEvent } from '../contract.ts';
import {
  type ActivityAndDay,
  findActivityAndDayOfEntries,
  findActivityOfPhotos,
  findDeletionEvents,
  findSubjectNames,
  findUserNames,
} from './store.ts';

/** The values an event stores about its subject: those after the change, or before it for a deletion. */
export type StoredValues = Readonly<Record<string, unknown>>;

/** Returns the values an event stores about its subject. */
export function storedValues(row: Row<'audit_events'>): StoredValues {
  return parseValues(row.after) ?? parseValues(row.before) ?? {};
}

/** Returns the name of a subject from the stored values. */
export function findName(saved: StoredValues): string | undefined {
  const { name, firstName, lastName, email } = saved;
  if (typeof name === 'string') return name;
  if (typeof firstName === 'string' && typeof lastName === 'string') return `${firstName} ${lastName}`;
  return typeof email === 'string' ? email : undefined;
}

/** Converts events for the reply, with names instead of IDs and the changes of each. */
export async function resolveAuditNames(
  db: Db,
  rows: readonly Row<'audit_events'>[],
): Promise<ListedAuditEvent[]> {
  const names = await loadNames(db, rows);
  return rows.map((row) => {
    const placed = isEntryOrPhoto(row.subject) ? findActivityAndDay(row, names) : undefined;
    return {
      id: row.id,
      at: row.at,
      action: row.action,
      actor: toNamed(names.user, row.actor_id),
      thing: {
        kind: row.subject,
        id: row.subject_id,
        name:
          placed === undefined
            ? findSubjectName(row, names)
            : (names.activity.get(placed.activityId) ?? null),
        day: placed?.day ?? null,
      },
      person: toNamed(names.user, row.person_id),
      school: toNamed(names.school, row.school_id),
      changes: listChanges(row, names),
      address: row.address,
      // Every request has an id, and only requests have one.
      isSystem: row.actor_id === null && row.request_id === null,
    };
  });
}

/** Fields that contain the ID of another row: the kind of row, and the title of the field. */
const REFERENCES: Readonly<Record<string, readonly [kind: NamedSubject, field: string]>> = {
  ...listReferences(ENTRY_FIELDS),
  ...listReferences(ACTIVITY_FIELDS),
  ...listReferences(CATEGORY_FIELDS),
  ...listReferences(SUGGESTION_FIELDS),
  schoolIds: ['school', 'schools'],
  pendingSchoolIds: ['school', 'pendingSchools'],
  schoolAdminOf: ['school', 'schoolAdminOf'],
  coordinatorOf: ['school', 'coordinatorOf'],
  auditorOf: ['school', 'auditorOf'],
  activityIds: ['activity', 'activities'],
};

function listReferences(fields: Fields): Record<string, readonly [kind: NamedSubject, field: string]> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { log }]) =>
      log.refersTo === undefined ? [] : [[name, [log.refersTo, log.as ?? name] as const]],
    ),
  );
}

// Items deleted along with this one have their own events, or were deleted before. File names are hidden because they may
// contain anything, such as a person's name.
const HIDDEN_FIELDS = ['trash', 'ended', 'importId', 'batchId', 'originalName'];

const NAMED_SUBJECTS = ['user', 'school', 'category', 'activity', 'suggestion'] as const;
type NamedSubject = (typeof NAMED_SUBJECTS)[number];
/** Items without a name are identified by their activity; an entry also by its day. */
type EntryOrPhoto = 'time-entry' | 'photo';

type Names = Readonly<Record<NamedSubject, Map<number, string>>> & {
  readonly placed: Readonly<Record<EntryOrPhoto, Map<number, ActivityAndDay>>>;
};

async function loadNames(db: Db, rows: readonly Row<'audit_events'>[]): Promise<Names> {
  const wanted: Record<NamedSubject, Set<number>> = {
    user: new Set(),
    school: new Set(),
    category: new Set(),
    activity: new Set(),
    suggestion: new Set(),
  };
  const want = (kind: NamedSubject, id: unknown) => typeof id === 'number' && wanted[kind].add(id);
  for (const row of rows) {
    want('user', row.actor_id);
    want('user', row.person_id);
    want('school', row.school_id);
    if (isNamedSubject(row.subject)) want(row.subject, row.subject_id);
    for (const saved of [parseValues(row.before), parseValues(row.after)]) {
      for (const [key, [kind]] of Object.entries(REFERENCES)) {
        for (const id of [saved?.[key]].flat()) want(kind, id);
      }
    }
  }
  const placed = {
    'time-entry': await findActivityAndDayOfEntries(db, idsWithoutActivity(rows, 'time-entry')),
    photo: await findActivityOfPhotos(db, idsWithoutActivity(rows, 'photo')),
  };
  for (const places of Object.values(placed)) {
    for (const { activityId } of places.values()) want('activity', activityId);
  }
  const [user, school, category, activity, suggestion] = await Promise.all([
    findUserNames(db, [...wanted.user]),
    findSubjectNames(db, 'school', [...wanted.school]),
    findSubjectNames(db, 'category', [...wanted.category]),
    findSubjectNames(db, 'activity', [...wanted.activity]),
    findSubjectNames(db, 'suggestion', [...wanted.suggestion]),
  ]);
  const names = { user, school, category, activity, suggestion, placed };
  await addDeletedNames(db, wanted, names);
  return names;
}

async function addDeletedNames(
  db: Db,
  wanted: Readonly<Record<NamedSubject, Set<number>>>,
  names: Names,
): Promise<void> {
  const gone = NAMED_SUBJECTS.flatMap((subject) =>
    [...wanted[subject]].filter((id) => !names[subject].has(id)).map((id) => ({ subject, id })),
  );
  for (const row of await findDeletionEvents(db, gone)) {
    const name = findName(storedValues(row));
    if (name !== undefined && row.subject_id !== null)
      names[row.subject as NamedSubject].set(row.subject_id, name);
  }
}

function isNamedSubject(subject: string): subject is NamedSubject {
  return NAMED_SUBJECTS.some((kind) => kind === subject);
}

function toNamed(names: Map<number, string>, id: number | null): { id: number; name: string | null } | null {
  return id === null ? null : { id, name: names.get(id) ?? null };
}

function findSubjectName(row: Row<'audit_events'>, names: Names): string | null {
  if (!isNamedSubject(row.subject)) return findName(storedValues(row)) ?? null;
  return (row.subject_id === null ? undefined : names[row.subject].get(row.subject_id)) ?? null;
}

function isEntryOrPhoto(subject: string): subject is EntryOrPhoto {
  return subject === 'time-entry' || subject === 'photo';
}

// Returns the IDs of items whose event does not store their activity.
function idsWithoutActivity(rows: readonly Row<'audit_events'>[], subject: EntryOrPhoto): number[] {
  return rows
    .filter((row) => row.subject === subject && storedValues(row)['activityId'] === undefined)
    .flatMap((row) => row.subject_id ?? []);
}

// Returns the values in the event, or else the current ones.
function findActivityAndDay(row: Row<'audit_events'>, names: Names): ActivityAndDay {
  const { activityId, entryDate } = storedValues(row);
  if (typeof activityId !== 'number') {
    return names.placed[row.subject as EntryOrPhoto].get(row.subject_id ?? 0) ?? { activityId: 0, day: null };
  }
  return { activityId, day: typeof entryDate === 'string' && isCalendarDate(entryDate) ? entryDate : null };
}

function listChanges(row: Row<'audit_events'>, names: Names): Change[] {
  const [before, after] = [
    flattenTranslations(parseValues(row.before) ?? {}),
    flattenTranslations(parseValues(row.after) ?? {}),
  ];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => !HIDDEN_FIELDS.includes(field))
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({
      field: REFERENCES[field]?.[1] ?? field,
      before: toDisplayValue(field, before[field], names),
      after: toDisplayValue(field, after[field], names),
    }))
    .filter((change) => isPresent(change.before) || isPresent(change.after));
}

// Lists translations one by one: 'translations.es.name'.
function flattenTranslations({ [TRANSLATIONS]: translations, ...saved }: StoredValues): StoredValues {
  if (typeof translations !== 'object' || translations === null) return saved;
  const texts = Object.entries(translations).flatMap(([language, of]) =>
    Object.entries(of as object).map(
      ([text, value]) => [`${TRANSLATIONS}.${language}.${text}`, value] as const,
    ),
  );
  return { ...saved, ...Object.fromEntries(texts) };
}

function isPresent(value: ChangedValue): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

function toDisplayValue(field: string, value: unknown, names: Names): ChangedValue {
  const [kind] = REFERENCES[field] ?? [];
  if (kind !== undefined && typeof value === 'number') return names[kind].get(value) ?? null;
  if (kind !== undefined && Array.isArray(value)) {
    return value.flatMap((id) => (typeof id === 'number' ? (names[kind].get(id) ?? []) : []));
  }
  // Other lists are shown as a count.
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

function parseValues(text: string | null): StoredValues | undefined {
  return text === null ? undefined : JSON.parse(text);
}
