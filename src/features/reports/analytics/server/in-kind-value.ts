import * as z from 'zod/mini';
import { findSetting, saveSetting } from '#features/schools/district-settings/server/settings.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { FILE_TYPES, type Row, type Table } from '#server/export/export-table.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import type { ReportRequester } from '#server/pdf/report-workers.ts';
import { errors } from '#shared/errors.ts';
import { formatPeriod } from '../contract.ts';
import {
  type IN_KIND_FORMATS,
  type InKindMatch,
  type InKindPeriod,
  InKindRate,
  messages,
  sumMoney,
  valueOfHours,
} from '../report-contract.ts';
import { listSchoolsInPeriod, readActivityAnalytics, sumTotals } from './actions.ts';

const SETTINGS_KEY = 'in-kind-rate';

/** Returns the district's hourly rate, or null until an administrator sets it. */
export async function readInKindRate(db: Db): Promise<InKindRate | null> {
  return z.parse(z.nullable(InKindRate), (await findSetting(db, SETTINGS_KEY)) ?? null);
}

/** Stores the hourly rate with its source and year. */
export function saveInKindRate(trx: Trx, rate: InKindRate): Promise<void> {
  return saveSetting(trx, SETTINGS_KEY, rate);
}

/** Sets the hourly rate and records an audit event. */
export function changeInKindRate(deps: Deps, { viewer, request }: Acting, rate: InKindRate) {
  return transaction(deps.database, async (trx) => {
    const before = await readInKindRate(trx);
    const answer = { rate, message: translate(deps, messages.rateSaved) };
    if (before !== null && isUnchanged(before, rate)) return answer;
    await saveInKindRate(trx, rate);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'report.rate',
      subject: 'setting',
      subjectId: null,
      before: before ?? {},
      after: rate,
    });
    return answer;
  });
}

/** Returns the value of a period's hours. Throws 404 for an unknown school, 409 without a rate. */
export async function computeInKindMatch(
  deps: Deps,
  viewer: Viewer,
  period: InKindPeriod,
): Promise<InKindMatch> {
  const rate = await readInKindRate(deps.database.db);
  if (rate === null) throw errors.conflict(messages.rateMissing);
  const own = Map.groupBy(await findCountedActivities(deps, viewer, period), (activity) => activity.schoolId);
  const { only: _, ...days } = period;
  const schools = (await listSchoolsInPeriod(deps, viewer, days)).map(({ id, name, isVerifying }) => {
    const lines = (own.get(id) ?? []).map((one) => ({
      ...one,
      category: one.category.name,
      value: valueOfHours(one.totalHours, rate.hourlyRate),
    }));
    return { id, name, ...sumValues(lines, isVerifying), activities: lines };
  });
  const isAny = schools.some(({ verifiedHours }) => verifiedHours !== null);
  return { rate, ...sumValues(schools, isAny), schools };
}

// Schools that verify hours count verified hours, the others logged hours, unless the request sets `only`.
async function findCountedActivities(deps: Deps, viewer: Viewer, { only, ...period }: InKindPeriod) {
  const verified = async () =>
    (await readActivityAnalytics(deps, viewer, { ...period, only: 'verified' })).activities;
  if (only === 'verified') return verified();
  const { activities: logged } = await readActivityAnalytics(deps, viewer, period);
  const isPlain = only === 'logged' || logged.every(({ verifiedHours }) => verifiedHours === null);
  if (isPlain) return logged;
  return [...logged.filter(({ verifiedHours }) => verifiedHours === null), ...(await verified())];
}

/**
 * Returns the values of `computeInKindMatch` as a CSV or Excel file with a line for each activity and the total. Records the
 * export in the audit log.
 */
export function createInKindFile(
  deps: Deps,
  reader: ReportRequester,
  { format, period }: { format: (typeof IN_KIND_FORMATS)[number]; period: InKindPeriod },
) {
  const { viewer, request } = reader;
  const { schoolId = null, ...days } = period;
  return deps.reportWorkers.make(reader, async (render) => {
    const match = await computeInKindMatch(deps, viewer, period);
    const rows = toRows(deps, match, { days: formatPeriod(days, deps.translator), only: days.only });
    const content = await render({ kind: format, table: toTable(deps, match), rows });
    await transaction(deps.database, (trx) =>
      recordEvent(trx, actorOf(viewer, request), {
        action: 'report.in-kind',
        subject: 'export',
        subjectId: null,
        schoolId,
        after: { ...days, format, totalHours: match.totalHours, value: match.value },
      }),
    );
    return { name: `in-kind-match.${format}`, type: FILE_TYPES[format], content };
  });
}

type ValuedHours = { totalHours: number; verifiedHours: number | null; totalEntries: number; value: number };

function sumValues(lines: readonly ValuedHours[], isVerifying: boolean): ValuedHours {
  return { ...sumTotals(lines, isVerifying), value: sumMoney(lines.map((line) => line.value)) };
}

// Omits verified hours when no school verifies.
function toTable({ translator: { t } }: Deps, { verifiedHours }: InKindMatch): Table {
  return {
    name: t('analytics:inKindSheet'),
    columns: [
      { title: t('analytics:school'), kind: 'text', width: 28 },
      { title: t('analytics:activity'), kind: 'text', width: 32 },
      { title: t('analytics:category'), kind: 'text', width: 20 },
      { title: t('analytics:entries'), kind: 'number', width: 9 },
      { title: t('analytics:hours'), kind: 'hours', width: 10 },
      { title: t('analytics:rateColumn'), kind: 'money', width: 12 },
      { title: t('analytics:value'), kind: 'money', width: 14 },
      { title: t('analytics:rateSourceColumn'), kind: 'text', width: 28 },
      { title: t('analytics:rateYearColumn'), kind: 'text', width: 12 },
      { title: t('analytics:periodColumn'), kind: 'text', width: 28 },
      ...(verifiedHours === null
        ? []
        : [
            { title: t('analytics:worthColumn'), kind: 'text' as const, width: 28 },
            { title: t('analytics:worthVerified'), kind: 'hours' as const, width: 14 },
          ]),
    ],
  };
}

function toRows(
  { translator: { t } }: Deps,
  { rate, schools, ...total }: InKindMatch,
  { days, only }: { days: string; only: InKindPeriod['only'] },
): Row[] {
  const kind = (of: ValuedHours) =>
    t(only !== 'logged' && of.verifiedHours !== null ? 'analytics:worthVerified' : 'analytics:worthLogged');
  const isMixed = only === undefined && schools.some((one) => one.verifiedHours === null);
  const row = (names: readonly string[], of: ValuedHours, counted = kind(of)): Row => [
    ...names,
    of.totalEntries,
    of.totalHours,
    rate.hourlyRate,
    of.value,
    rate.source,
    String(rate.year),
    days,
    ...(total.verifiedHours === null ? [] : [counted, of.verifiedHours]),
  ];
  return [
    ...schools.flatMap((school) =>
      school.activities.map((one) => row([school.name, one.name, one.category], one)),
    ),
    row([t('analytics:total'), '', ''], total, isMixed ? t('analytics:worthBoth') : kind(total)),
  ];
}
