import { recordEvent } from '#server/audit-log.ts';
import { type Db, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import type { PdfBlock, PdfContent } from '#server/pdf/document.ts';
import type { ReportRequester } from '#server/pdf/report-workers.ts';
import { type CalendarDate, formatDay } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { formatPeriod, type Period } from '../contract.ts';
import type { Statement } from '../report-contract.ts';
import { pdfFrame, sumTotals, toTotals } from './actions.ts';
import { findPersonName, ownVerifyingSchools, sumOwnActivities } from './store.ts';

type Days = Omit<Period, 'schoolId'>;

/** Returns the viewer's statement as a tagged PDF with signature lines. Records the export in the audit log. */
export function createStatementFile(deps: Deps, reader: ReportRequester, days: Days) {
  const { viewer, request } = reader;
  return deps.reportWorkers.make(reader, async (render) => {
    const statement = await computeStatement(deps.database.db, viewer.userId, days);
    const content = await render({ kind: 'pdf', document: toPdf(deps, request, statement, days) });
    await transaction(deps.database, (trx) =>
      recordEvent(trx, actorOf(viewer, request), {
        action: 'report.statement',
        subject: 'export',
        subjectId: null,
        after: { ...days, totalHours: statement.totalHours },
      }),
    );
    return { name: 'volunteer-statement.pdf', type: 'application/pdf', content };
  });
}

/** Returns a user's own hours in a period, by school and activity, including schools they have left. */
export async function computeStatement(db: Db, userId: number, days: Days): Promise<Statement> {
  const { only, ...period } = days;
  const verifying = await ownVerifyingSchools(db, userId);
  const selection = { ...period, verifying, onlyVerified: only === 'verified' };
  const rows = await sumOwnActivities(db, userId, selection);
  const activities = rows.map((row) => ({
    school: { id: row.school_id, name: row.school },
    id: row.id,
    name: row.name,
    category: row.category,
    firstDate: row.first,
    lastDate: row.last,
    ...toTotals(row, verifying.includes(row.school_id)),
  }));
  const schools = [...Map.groupBy(activities, ({ school }) => school.id).values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const added = sumTotals(own, verifying.includes(first.school.id));
    return [{ ...first.school, ...added, activities: own.map(({ school, ...activity }) => activity) }];
  });
  return {
    person: await findPersonName(db, userId),
    ...sumTotals(activities, verifying.length > 0),
    schools,
  };
}

function toPdf(deps: Deps, request: Request, statement: Statement, days: Days): PdfContent {
  const { t } = deps.translator;
  const district = deps.config.districtName;
  const name = fullName(statement.person);
  const title = t('analytics:statementTitle');
  return {
    title: `${title}: ${name}`,
    ...pdfFrame(deps, request),
    blocks: [
      {
        kind: 'title',
        text: title,
        under: [
          t('analytics:statementOf', { name, district }),
          formatPeriod(days, deps.translator),
          ...(days.only === undefined ? [] : [t('analytics:onlyVerified')]),
        ],
      },
      ...statement.schools.flatMap((school) => [
        { kind: 'heading' as const, text: school.name },
        schoolTable(school, deps, days),
      ]),
      {
        kind: 'text',
        text: totalSentence(statement, deps, days),
      },
      {
        kind: 'signatures',
        labels: SIGNATURES.map((label) => t(label)),
      },
    ],
  };
}

function totalSentence(statement: Statement, { translator: { t, language } }: Deps, { only }: Days): string {
  const { totalHours, verifiedHours, totalEntries: count } = statement;
  const name = fullName(statement.person);
  const hours = formatHours(totalHours, language);
  if (only !== undefined) {
    return count === 0
      ? t('analytics:statementNoneVerified')
      : t('analytics:statementTotalVerified', { name, hours, count });
  }
  if (count === 0) return t('analytics:statementNone');
  const total = t('analytics:statementTotal', { name, hours, count });
  if (verifiedHours === null) return total;
  const verified = formatHours(verifiedHours, language);
  return `${total} ${t('analytics:statementVerified', { verified })}`;
}

const SIGNATURES = [
  'analytics:signatureVolunteer',
  'analytics:signatureSchool',
  'analytics:signatureDate',
] as const;

function schoolTable(
  school: Statement['schools'][number],
  { translator: { t, language } }: Deps,
  { only }: Days,
): PdfBlock {
  const day = (date: CalendarDate) => formatDay(date, language);
  const showsBoth = only === undefined && school.verifiedHours !== null;
  const hoursColumn = t(only === undefined ? 'analytics:hours' : 'analytics:verifiedColumn');
  const hours = showsBoth ? [t('analytics:loggedHours'), t('analytics:verifiedColumn')] : [hoursColumn];
  const numbers = (of: Pick<Statement, 'totalEntries' | 'totalHours' | 'verifiedHours'>) => [
    String(of.totalEntries),
    formatHours(of.totalHours, language),
    ...(showsBoth ? [formatHours(of.verifiedHours ?? 0, language)] : []),
  ];
  return {
    kind: 'table',
    columns: [
      { title: t('analytics:activity'), width: showsBoth ? 0.24 : 0.28 },
      { title: t('analytics:category'), width: showsBoth ? 0.15 : 0.17 },
      { title: t('analytics:days'), width: showsBoth ? 0.25 : 0.31 },
      ...[t('analytics:entries'), ...hours].map((title) => ({ title, width: 0.12, isNumber: true })),
    ],
    rows: school.activities.map(({ name, category, firstDate, lastDate, ...added }) => [
      name,
      category,
      firstDate === lastDate
        ? day(firstDate)
        : t('analytics:fromTo', { from: day(firstDate), to: day(lastDate) }),
      ...numbers(added),
    ]),
    total: [t('analytics:total'), '', '', ...numbers(school)],
  };
}
