import { descriptionProblem } from '#features/time-entries/contract.ts';
import type { Closing } from '#features/time-entries/server/imported-hours.ts';
import type { Db } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Table } from '#server/export/read-csv-table.ts';
import { translate } from '#server/i18n/translator.ts';
import { mapYielding } from '#server/process/event-loop.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { fromHundredths, toHundredths } from '#shared/hours.ts';
import type { Message } from '#shared/i18n/message.ts';
import { fullName } from '#shared/person-name.ts';
import { foldForSearch, normalizeText } from '#shared/text-normalization.ts';
import {
  type DayOrder,
  IMPORT,
  type ImportFile,
  type ImportOutcome,
  type ImportPreview,
  type ImportRow,
  messages,
  OUTCOMES,
} from '../contract.ts';
import { type Columns, detectLayout, displayTitle, findMissingColumns } from './column-mapping.ts';
import {
  type ActivityMatch,
  createActivityMatcher,
  createPersonMatcher,
  groupActivityQuestions,
  groupPersonQuestions,
  type NewActivity,
  type PersonMatch,
} from './name-matching.ts';
import type { ParsedRow } from './row-parser.ts';
import { findEntriesAmong, type KnownActivity, listActivities, listMembers, type Member } from './store.ts';

/** An importable entry; `activity` is one of the school, or a new one. */
export type ReadyEntry = Readonly<{
  member: Member;
  activity: KnownActivity | NewActivity;
  entryDate: CalendarDate;
  hours: number;
  notes: string | null;
}>;

/** The result of a row, with the reasons. `entry` is set when the row is or could be imported. */
export type PlannedRow = Readonly<{
  read: ParsedRow;
  outcome: ImportOutcome;
  says: readonly Message[];
  entry?: ReadyEntry;
  /** The candidates, when the row waits for an answer about its person or activity. */
  personCandidates?: readonly Member[];
  activityCandidates?: readonly KnownActivity[];
}>;

type Planning = Readonly<{
  schoolId: number;
  answers: Pick<ImportFile, 'people' | 'activities' | 'duplicates'>;
  /** The prompt for activities without their own, as text. */
  defaultPrompt: string;
}>;

/** The parsed file, and what importing it would do. */
export type Plan = Readonly<{
  table: Table;
  columns: Columns;
  dayOrder: DayOrder;
  rows: readonly PlannedRow[];
  closing: Closing;
  /** Id of the school's latest import when this was planned. */
  after: number;
  /** A signature of the plan: the same plan gives the same key, which only the server can create. */
  key: string;
}>;

/** Plans an import of these rows, in file order, and writes nothing. Yields to other requests in between. */
export async function planImport(
  db: Db,
  rows: readonly ParsedRow[],
  planning: Planning,
): Promise<PlannedRow[]> {
  const { schoolId, answers, defaultPrompt } = planning;
  const personOf = createPersonMatcher(await listMembers(db, schoolId), answers.people);
  const findActivity = createActivityMatcher(await listActivities(db, schoolId), answers.activities);
  const found = new Map<string, ActivityMatch>();
  const activityOf = (name: string) => {
    const known = found.get(name) ?? findActivity(name);
    found.set(name, known);
    return known;
  };
  const matched = await mapYielding(rows, (read) =>
    matchRow(read, personOf(read), activityOf(read.activity), defaultPrompt),
  );
  return withoutDuplicates(db, matched, planning);
}

function matchRow(
  read: ParsedRow,
  person: PersonMatch,
  activity: ActivityMatch,
  defaultPrompt: string,
): PlannedRow {
  const says: Message[] = [...read.notices];
  if (read.leftOut !== undefined) return { read, outcome: 'leftOut', says: [read.leftOut] };
  if ('isLeftOut' in person) return { read, outcome: 'leftOut', says: [messages.personLeftOut] };
  if ('isLeftOut' in activity) return { read, outcome: 'leftOut', says: [messages.activityLeftOut] };
  const problems = [...read.problems, ...('isTooLong' in activity ? [messages.nameTooLong] : [])];
  const known = 'activity' in activity ? activity.activity : undefined;
  const missing = known && descriptionProblem(known, read.notes, defaultPrompt);
  if (missing !== undefined) problems.push(missing);
  const { entryDate, hours, notes } = read;
  if (problems.length > 0 || entryDate === null || hours === null) {
    return { read, outcome: 'problem', says: problems };
  }
  const candidates = {
    ...('candidates' in person ? { personCandidates: person.candidates } : {}),
    ...('candidates' in activity ? { activityCandidates: activity.candidates } : {}),
  };
  const target = known ?? ('made' in activity ? activity.made : undefined);
  if (!('member' in person) || target === undefined) {
    const questions = [
      ...(candidates.personCandidates === undefined ? [] : [messages.whoIsIt]),
      ...(candidates.activityCandidates === undefined ? [] : [messages.whichActivity]),
    ];
    return { read, outcome: 'question', says: questions, ...candidates };
  }
  if (known === undefined) says.push(messages.isNew(target.name));
  const { member } = person;
  return { read, outcome: 'ready', says, entry: { member, activity: target, entryDate, hours, notes } };
}

// Duplicates have the same person, day, activity and hours as an existing entry or a row above.
async function withoutDuplicates(
  db: Db,
  rows: readonly PlannedRow[],
  { schoolId, answers }: Planning,
): Promise<PlannedRow[]> {
  const existing = await findExistingEntries(db, rows, schoolId);
  const taken = answers.duplicates === 'all' ? 'all' : new Set(answers.duplicates);
  const earlier = new Map<string, number>();
  return mapYielding(rows, (row) =>
    row.entry === undefined ? row : markDuplicate(row, row.entry, { existing, earlier, taken }),
  );
}

function markDuplicate(
  row: PlannedRow,
  entry: ReadyEntry,
  known: { existing: ReadonlySet<string>; earlier: Map<string, number>; taken: 'all' | ReadonlySet<number> },
): PlannedRow {
  const key = duplicateKey(entry);
  const number = row.read.row;
  const first = known.earlier.get(key);
  if (first === undefined) known.earlier.set(key, number);
  const why = known.existing.has(key)
    ? messages.hereAlready
    : first === undefined
      ? undefined
      : messages.sameAs(first);
  if (why === undefined) return row;
  const isTaken = known.taken === 'all' || known.taken.has(number);
  if (isTaken) return { ...row, says: [...row.says, why, messages.cameInAnyway] };
  return { ...row, outcome: 'duplicate', says: [why] };
}

async function findExistingEntries(
  db: Db,
  rows: readonly PlannedRow[],
  schoolId: number,
): Promise<ReadonlySet<string>> {
  const people = new Set<number>();
  let [first, last] = ['9999-12-31' as CalendarDate, '0000-01-01' as CalendarDate];
  for (const { entry } of rows) {
    if (entry === undefined) continue;
    people.add(entry.member.id);
    if (entry.entryDate < first) first = entry.entryDate;
    if (entry.entryDate > last) last = entry.entryDate;
  }
  const found = await findEntriesAmong(db, schoolId, [...people], { first, last });
  const keys = await mapYielding(
    found,
    (entry) => `${entry.user_id} ${entry.activity_id} ${entry.entry_date} ${entry.hours_hundredths}`,
  );
  return new Set(keys);
}

/** The key by which duplicates are found. */
function duplicateKey({ member, activity, entryDate, hours }: ReadyEntry): string {
  return `${member.id} ${activityKey(activity)} ${entryDate} ${toHundredths(hours)}`;
}

/** The id of a school's activity, or the name of a new one. */
export function activityKey(activity: KnownActivity | NewActivity): string {
  return 'id' in activity ? String(activity.id) : `new ${foldForSearch(activity.name)}`;
}

/** A row's person in the preview: the account's name, else the name in the file. */
export function personLabel({ entry, read }: PlannedRow): string {
  return entry === undefined ? read.name || read.email : fullName(entry.member);
}

const SAMPLES = 3;
const SAMPLE_LENGTH = 60;

/** The preview of a plan. `closedWhy` is the message that asks for a reason; null when none is needed. */
export function toPreview(deps: Deps, plan: Plan, closedWhy: string | null): ImportPreview {
  const { rows, columns, table } = plan;
  const byOutcome = Map.groupBy(rows, (row) => row.outcome);
  const count = (outcome: ImportOutcome) => byOutcome.get(outcome)?.length ?? 0;
  const entries = readyEntries(rows);
  return {
    key: plan.key,
    layout: detectLayout(table.header),
    columns: table.header.map((title, at) => ({
      title: displayTitle(title),
      use: columns[at] ?? null,
      samples: columnSamples(plan, at),
    })),
    dayOrder: plan.dayOrder,
    missing: findMissingColumns(columns, table.rows),
    counts: {
      rows: table.rows.length,
      ready: count('ready'),
      question: count('question'),
      duplicate: count('duplicate'),
      problem: count('problem'),
      leftOut: count('leftOut'),
    },
    ...sumEntries(entries),
    closed: closedWhy,
    isVerifying: plan.closing.terms.school.isVerifying,
    questions: collectQuestions(rows),
    newActivities: collectNewActivities(entries),
    rows: OUTCOMES.flatMap((outcome) =>
      (byOutcome.get(outcome) ?? []).slice(0, IMPORT.listed).map((row) => toImportRow(deps, row)),
    ),
  };
}

/** The importable entries of a plan. */
export function readyEntries(rows: readonly PlannedRow[]): ReadyEntry[] {
  return rows.flatMap(({ outcome, entry }) => (outcome === 'ready' && entry !== undefined ? [entry] : []));
}

function columnSamples({ table }: Plan, at: number): string[] {
  const samples = new Set<string>();
  for (const { cells } of table.rows.slice(0, 50)) {
    const sample = normalizeText(cells[at] ?? '').slice(0, SAMPLE_LENGTH);
    if (sample !== '') samples.add(sample);
    if (samples.size === SAMPLES) break;
  }
  return [...samples];
}

function sumEntries(entries: readonly ReadyEntry[]) {
  let hundredths = 0;
  let firstDate: CalendarDate | null = null;
  let lastDate: CalendarDate | null = null;
  for (const { hours, entryDate } of entries) {
    hundredths += toHundredths(hours);
    if (firstDate === null || entryDate < firstDate) firstDate = entryDate;
    if (lastDate === null || entryDate > lastDate) lastDate = entryDate;
  }
  const people = new Set(entries.map(({ member }) => member.id)).size;
  return { hours: fromHundredths(hundredths), people, firstDate, lastDate };
}

function collectQuestions(rows: readonly PlannedRow[]): ImportPreview['questions'] {
  const people = groupPersonQuestions(
    rows.flatMap(({ read, personCandidates }) =>
      personCandidates === undefined ? [] : [{ row: read, candidates: personCandidates }],
    ),
  );
  const activities = groupActivityQuestions(
    rows.flatMap(({ read, activityCandidates }) =>
      activityCandidates === undefined ? [] : [{ name: read.activity, candidates: activityCandidates }],
    ),
  );
  return {
    people: people.slice(0, IMPORT.asked),
    peopleCount: people.length,
    activities: activities.slice(0, IMPORT.asked),
    activitiesCount: activities.length,
  };
}

function collectNewActivities(entries: readonly ReadyEntry[]) {
  const made = new Map(
    entries.flatMap(({ activity }) => ('id' in activity ? [] : [[activityKey(activity), activity] as const])),
  );
  return [...made.values()].map(({ name, category }) => ({ name, category }));
}

function toImportRow(deps: Deps, row: PlannedRow): ImportRow {
  const { read, outcome, says, entry } = row;
  return {
    row: read.row,
    outcome,
    person: personLabel(row),
    activity: entry?.activity.name ?? read.activity,
    entryDate: read.entryDate,
    hours: read.hours,
    notes: read.notes,
    says: says.map((said) => translate(deps, said)),
  };
}
