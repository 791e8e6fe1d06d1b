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
  activityAndDayOfEntries,
  activityOfPhotos,
  deletionEventsOf,
  type Place,
  subjectNamesById,
  userNamesById,
} from './store.ts';

/** The values an event stores of its subject: those after the change, or before it for a deletion. */
export type Saved = Readonly<Record<string, unknown>>;

/** Returns what an event stores of its subject. */
export function storedValues(row: Row<'audit_events'>): Saved {
  return parsed(row.after) ?? parsed(row.before) ?? {};
}

/** Returns the name of a subject from the stored values. */
export function nameIn(saved: Saved): string | undefined {
  const { name, firstName, lastName, email } = saved;
  if (typeof name === 'string') return name;
  if (typeof firstName === 'string' && typeof lastName === 'string') return `${firstName} ${lastName}`;
  return typeof email === 'string' ? email : undefined;
}

/** Converts audit_events events for the wire, with names instead of ids, and with the changes of each. */
export async function resolveAuditNames(
  db: Db,
  rows: readonly Row<'audit_events'>[],
): Promise<ListedAuditEvent[]> {
  const names = await namesFor(db, rows);
  return rows.map((row) => {
    const placed = isPlaced(row.subject) ? placeOf(row, names) : undefined;
    return {
      id: row.id,
      at: row.at,
      action: row.action,
      actor: named(names.user, row.actor_id),
      thing: {
        kind: row.subject,
        id: row.subject_id,
        name: placed === undefined ? thingName(row, names) : (names.activity.get(placed.activityId) ?? null),
        day: placed?.day ?? null,
      },
      person: named(names.user, row.person_id),
      school: named(names.school, row.school_id),
      changes: changesIn(row, names),
      address: row.address,
      // Every request has an id, and only requests have one.
      isSystem: row.actor_id === null && row.request_id === null,
    };
  });
}

/** Fields with another row's id: the kind of row, and the title of the field. */
const REFERENCES: Readonly<Record<string, readonly [kind: Kind, field: string]>> = {
  ...referencesIn(ENTRY_FIELDS),
  ...referencesIn(ACTIVITY_FIELDS),
  ...referencesIn(CATEGORY_FIELDS),
  ...referencesIn(SUGGESTION_FIELDS),
  schoolIds: ['school', 'schools'],
  pendingSchoolIds: ['school', 'pendingSchools'],
  schoolAdminOf: ['school', 'schoolAdminOf'],
  coordinatorOf: ['school', 'coordinatorOf'],
  auditorOf: ['school', 'auditorOf'],
  activityIds: ['activity', 'activities'],
};

function referencesIn(fields: Fields): Record<string, readonly [kind: Kind, field: string]> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { log }]) =>
      log.refersTo === undefined ? [] : [[name, [log.refersTo, log.as ?? name] as const]],
    ),
  );
}

// Items deleted along with this one have their own events, or were deleted before.
// A file name may contain anything, such as a person's name.
const UNTOLD = ['trash', 'ended', 'importId', 'batchId', 'originalName'];

const KINDS = ['user', 'school', 'category', 'activity', 'suggestion'] as const;
type Kind = (typeof KINDS)[number];
/** Items without a name are identified by their activity; an entry also by its day. */
type Placed = 'time-entry' | 'photo';

type Names = Readonly<Record<Kind, Map<number, string>>> & {
  readonly placed: Readonly<Record<Placed, Map<number, Place>>>;
};

const NONE: Map<number, string> = new Map();

async function namesFor(db: Db, rows: readonly Row<'audit_events'>[]): Promise<Names> {
  const wanted: Record<Kind, Set<number>> = {
    user: new Set(),
    school: new Set(),
    category: new Set(),
    activity: new Set(),
    suggestion: new Set(),
  };
  const want = (kind: Kind, id: unknown) => typeof id === 'number' && wanted[kind].add(id);
  for (const row of rows) {
    want('user', row.actor_id);
    want('user', row.person_id);
    want('school', row.school_id);
    if (isNamed(row.subject)) want(row.subject, row.subject_id);
    for (const saved of [parsed(row.before), parsed(row.after)]) {
      for (const [key, [kind]] of Object.entries(REFERENCES)) {
        for (const id of [saved?.[key]].flat()) want(kind, id);
      }
    }
  }
  const placed = {
    'time-entry': await activityAndDayOfEntries(db, unplaced(rows, 'time-entry')),
    photo: await activityOfPhotos(db, unplaced(rows, 'photo')),
  };
  for (const places of Object.values(placed)) {
    for (const { activityId } of places.values()) want('activity', activityId);
  }
  const [user, ...things] = await Promise.all([
    userNamesById(db, [...wanted.user]),
    ...(['school', 'category', 'activity', 'suggestion'] as const).map((kind) =>
      subjectNamesById(db, kind, [...wanted[kind]]),
    ),
  ]);
  const [school = NONE, category = NONE, activity = NONE, suggestion = NONE] = things;
  const names = { user, school, category, activity, suggestion, placed };
  await nameWhatIsGone(db, wanted, names);
  return names;
}

async function nameWhatIsGone(
  db: Db,
  wanted: Readonly<Record<Kind, Set<number>>>,
  names: Names,
): Promise<void> {
  const gone = KINDS.flatMap((subject) =>
    [...wanted[subject]].filter((id) => !names[subject].has(id)).map((id) => ({ subject, id })),
  );
  for (const row of await deletionEventsOf(db, gone)) {
    const name = nameIn(storedValues(row));
    if (name !== undefined && row.subject_id !== null) names[row.subject as Kind].set(row.subject_id, name);
  }
}

function isNamed(subject: string): subject is Kind {
  return KINDS.some((kind) => kind === subject);
}

function named(names: Map<number, string>, id: number | null): { id: number; name: string | null } | null {
  return id === null ? null : { id, name: names.get(id) ?? null };
}

function thingName(row: Row<'audit_events'>, names: Names): string | null {
  if (!isNamed(row.subject)) return nameIn(storedValues(row)) ?? null;
  return (row.subject_id === null ? undefined : names[row.subject].get(row.subject_id)) ?? null;
}

function isPlaced(subject: string): subject is Placed {
  return subject === 'time-entry' || subject === 'photo';
}

// Items whose event does not store their activity.
function unplaced(rows: readonly Row<'audit_events'>[], subject: Placed): number[] {
  return rows
    .filter((row) => row.subject === subject && storedValues(row)['activityId'] === undefined)
    .flatMap((row) => row.subject_id ?? []);
}

// As stored in the event, else the current value.
function placeOf(row: Row<'audit_events'>, names: Names): Place {
  const { activityId, entryDate } = storedValues(row);
  if (typeof activityId !== 'number') {
    return names.placed[row.subject as Placed].get(row.subject_id ?? 0) ?? { activityId: 0, day: null };
  }
  return { activityId, day: typeof entryDate === 'string' && isCalendarDate(entryDate) ? entryDate : null };
}

function changesIn(row: Row<'audit_events'>, names: Names): Change[] {
  const [before, after] = [spread(parsed(row.before) ?? {}), spread(parsed(row.after) ?? {})];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => !UNTOLD.includes(field))
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({
      field: REFERENCES[field]?.[1] ?? field,
      before: readable(field, before[field], names),
      after: readable(field, after[field], names),
    }))
    .filter((change) => isSomething(change.before) || isSomething(change.after));
}

// Translations are listed one by one: 'translations.es.name'.
function spread({ [TRANSLATIONS]: translations, ...saved }: Saved): Saved {
  if (typeof translations !== 'object' || translations === null) return saved;
  const texts = Object.entries(translations).flatMap(([language, of]) =>
    Object.entries(of as object).map(
      ([text, value]) => [`${TRANSLATIONS}.${language}.${text}`, value] as const,
    ),
  );
  return { ...saved, ...Object.fromEntries(texts) };
}

function isSomething(value: ChangedValue): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

function readable(field: string, value: unknown, names: Names): ChangedValue {
  const [kind] = REFERENCES[field] ?? [];
  if (kind !== undefined && typeof value === 'number') return names[kind].get(value) ?? null;
  if (kind !== undefined && Array.isArray(value)) {
    return value.flatMap((id) => (typeof id === 'number' ? (names[kind].get(id) ?? []) : []));
  }
  // Longer lists are shown as a count.
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

function parsed(text: string | null): Saved | undefined {
  return text === null ? undefined : JSON.parse(text);
}
