import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/error-replies.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { fromHundredths, toHundredths } from '#shared/hours.ts';
import { clean } from '#shared/text-normalization.ts';
import { IMPORT, type ImportOutcome, type ImportPreview, type ImportRow, OUTCOMES } from '../contract.ts';
import { activityQuestions } from './activity-matching.ts';
import { findMissingColumns, layoutOf, titleOf } from './column-mapping.ts';
import { activityKey, displayPerson, type Plan, type PlannedRow, type ReadyEntry } from './import-plan.ts';
import { personQuestions } from './volunteer-matching.ts';

const SAMPLES = 3;
const SAMPLE_LENGTH = 60;

/** A plan as it is answered. `closedWhy` says that a reason is needed; null when it is not. */
export function previewOf(deps: Deps, plan: Plan, closedWhy: string | null): ImportPreview {
  const { rows, columns, table } = plan;
  const byOutcome = Map.groupBy(rows, (row) => row.outcome);
  const count = (outcome: ImportOutcome) => byOutcome.get(outcome)?.length ?? 0;
  const entries = readyIn(rows);
  return {
    key: plan.key,
    layout: layoutOf(table.header),
    columns: table.header.map((title, at) => ({
      title: titleOf(title),
      use: columns[at] ?? null,
      samples: samplesOf(plan, at),
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
    ...sumsOf(entries),
    closed: closedWhy,
    isVerifying: plan.closing.terms.school.isVerifying,
    questions: questionsIn(rows),
    newActivities: newActivitiesIn(entries),
    rows: OUTCOMES.flatMap((outcome) =>
      (byOutcome.get(outcome) ?? []).slice(0, IMPORT.listed).map((row) => shownRow(deps, row)),
    ),
  };
}

/** The entries of a plan that come in. */
export function readyIn(rows: readonly PlannedRow[]): ReadyEntry[] {
  return rows.flatMap(({ outcome, entry }) => (outcome === 'ready' && entry !== undefined ? [entry] : []));
}

function samplesOf({ table }: Plan, at: number): string[] {
  const samples = new Set<string>();
  for (const { cells } of table.rows.slice(0, 50)) {
    const sample = clean(cells[at] ?? '').slice(0, SAMPLE_LENGTH);
    if (sample !== '') samples.add(sample);
    if (samples.size === SAMPLES) break;
  }
  return [...samples];
}

function sumsOf(entries: readonly ReadyEntry[]) {
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

function questionsIn(rows: readonly PlannedRow[]): ImportPreview['questions'] {
  const people = personQuestions(
    rows.flatMap(({ read, askedPerson }) =>
      askedPerson === undefined ? [] : [{ row: read, candidates: askedPerson }],
    ),
  );
  const activities = activityQuestions(
    rows.flatMap(({ read, askedActivity }) =>
      askedActivity === undefined ? [] : [{ name: read.activity, candidates: askedActivity }],
    ),
  );
  return {
    people: people.slice(0, IMPORT.asked),
    peopleCount: people.length,
    activities: activities.slice(0, IMPORT.asked),
    activitiesCount: activities.length,
  };
}

function newActivitiesIn(entries: readonly ReadyEntry[]) {
  const made = new Map(
    entries.flatMap(({ activity }) => ('id' in activity ? [] : [[activityKey(activity), activity] as const])),
  );
  return [...made.values()].map(({ name, category }) => ({ name, category }));
}

function shownRow(deps: Deps, row: PlannedRow): ImportRow {
  const { read, outcome, says, entry } = row;
  return {
    row: read.row,
    outcome,
    person: displayPerson(row),
    activity: entry?.activity.name ?? read.activity,
    entryDate: read.entryDate,
    hours: read.hours,
    notes: read.notes,
    says: says.map((said) => text(deps, said)),
  };
}
