import type { VerifiedOnlyFilter } from '#features/time-entries/verification-status.ts';
import { recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { actorOf } from '#server/http/viewer.ts';
import type { PdfBlock } from '#server/pdf/document.ts';
import type { ReportRequester } from '#server/pdf/report-workers.ts';
import { formatMonth, formatWeekday } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import { formatNumber } from '#shared/i18n/number-format.ts';
import { type ActivityAnalytics, formatPeriod, type Overview, type Period } from '../contract.ts';
import { pdfFrame, readActivityAnalytics, readOverview } from './actions.ts';

const MAX_ACTIVITIES = 20;

/**
 * Returns the board summary as a tagged PDF: the same figures as on the screen, with each chart next to its numbers. Records
 * the export in the audit log. Throws 404 for an unknown school.
 */
export function createBoardSummary(deps: Deps, reader: ReportRequester, period: Period) {
  const { viewer, request } = reader;
  const { schoolId = null, ...days } = period;
  return deps.reportWorkers.make(reader, async (render) => {
    const figures = await readOverview(deps, { viewer, request }, period);
    const largest = (await readActivityAnalytics(deps, viewer, period)).activities.slice(0, MAX_ACTIVITIES);
    const isWhole = schoolId === null && viewer.schools === 'all';
    const blocks = composeBlocks(deps, figures, largest, {
      of: isWhole ? deps.config.districtName : figures.schools.map(({ name }) => name).join(', '),
      days: formatPeriod(days, deps.translator),
      only: period.only,
    });
    const title = deps.translator.t('analytics:summaryTitle');
    const content = await render({ kind: 'pdf', document: { title, ...pdfFrame(deps, request), blocks } });
    await transaction(deps.database, (trx) =>
      recordEvent(trx, actorOf(viewer, request), {
        action: 'report.summary',
        subject: 'export',
        subjectId: null,
        schoolId,
        after: { ...days, totalHours: figures.totals.totalHours },
      }),
    );
    return { name: 'volunteer-summary.pdf', type: 'application/pdf', content };
  });
}

// Long because it is the whole report, block by block, in page order.
function composeBlocks(
  deps: Deps,
  { totals, schools, months, categories, weekdays }: Overview,
  largest: readonly ActivityAnalytics[],
  about: { of: string; days: string; only: VerifiedOnlyFilter | undefined },
): PdfBlock[] {
  const { t, language } = deps.translator;
  const hours = (value: number) => formatHours(value, language);
  const count = (value: number) => formatNumber(value, language);
  const { newUsers, returningUsers } = totals;
  const people = t('analytics:people');
  const kind = kindOf(about.only, totals.verifiedHours);
  const rows = (figures: readonly Figure[], title: string, name: string) =>
    composeSection(deps, kind, { title, name, people: undefined, figures });
  const limits = kind === 'verified' ? [t('analytics:onlyVerified')] : [];
  return [
    { kind: 'title', text: t('analytics:summaryTitle'), under: [about.of, about.days, ...limits] },
    {
      kind: 'text',
      text: t(kind === 'verified' ? 'analytics:summaryOnlyVerified' : 'analytics:summaryFigures', {
        hours: hours(totals.totalHours),
        entries: t('analytics:summaryEntries', { count: totals.totalEntries }),
        people: t('analytics:summaryPeople', { count: totals.uniqueUsers }),
      }),
    },
    ...(kind === 'both'
      ? [
          {
            kind: 'text' as const,
            text: t('analytics:summaryVerified', { hours: hours(totals.verifiedHours ?? 0) }),
          },
        ]
      : []),
    ...(newUsers === null || returningUsers === null
      ? []
      : [
          {
            kind: 'text' as const,
            text: t('analytics:summaryNew', { fresh: count(newUsers), returning: count(returningUsers) }),
          },
        ]),
    ...(schools.length < 2
      ? []
      : composeSection(deps, kind, {
          title: t('analytics:bySchool'),
          name: t('analytics:school'),
          people,
          figures: schools.toSorted((a, b) => b.totalHours - a.totalHours),
        })),
    ...composeMonths(deps, kind, months),
    ...rows(categories, t('analytics:byCategory'), t('analytics:category')),
    ...rows(
      weekdays.map((one) => ({ ...one, name: formatWeekday(one.weekday, language) })),
      t('analytics:byWeekday'),
      t('analytics:weekday'),
    ),
    ...composeSection(deps, kind, {
      title: t('analytics:summaryActivities'),
      name: t('analytics:activity'),
      people,
      figures: largest.map((one) => {
        const school = schools.length < 2 ? undefined : schools.find(({ id }) => id === one.schoolId);
        return school === undefined
          ? one
          : { ...one, name: t('analytics:activityAt', { name: one.name, school: school.name }) };
      }),
    }),
  ];
}

type Figure = {
  name: string;
  totalHours: number;
  verifiedHours: number | null;
  totalEntries: number;
  uniqueUsers?: number;
};

/** The hours that a report shows: all logged ones, verified next to logged ones, or only verified ones. */
type Kind = 'logged' | 'both' | 'verified';

function kindOf(only: VerifiedOnlyFilter | undefined, verifiedHours: number | null): Kind {
  if (only !== undefined) return 'verified';
  return verifiedHours === null ? 'logged' : 'both';
}

function hoursTitles({ translator: { t } }: Deps, kind: Kind): string[] {
  if (kind === 'both') return [t('analytics:loggedHours'), t('analytics:verifiedColumn')];
  return [t(kind === 'verified' ? 'analytics:verifiedColumn' : 'analytics:hours')];
}

function hoursCells({ translator: { t, language } }: Deps, kind: Kind) {
  return ({ totalHours, verifiedHours }: Pick<Figure, 'totalHours' | 'verifiedHours'>): string[] => {
    const total = formatHours(totalHours, language);
    if (kind !== 'both') return [total];
    const none = t('analytics:notVerifiedHere');
    return [total, verifiedHours === null ? none : formatHours(verifiedHours, language)];
  };
}

function composeSection(
  deps: Deps,
  kind: Kind,
  part: { title: string; name: string; people: string | undefined; figures: readonly Figure[] },
): PdfBlock[] {
  const { t, language } = deps.translator;
  const { title, figures } = part;
  const short = (value: number) => t('time-entries:shortHours', { hours: formatHours(value, language) });
  const most = Math.max(...figures.map((one) => one.totalHours), 0.01);
  return [
    { kind: 'heading', text: title },
    {
      kind: 'bars',
      alt: t('analytics:barsOf', {
        title,
        list: figures.map((one) => `${one.name}: ${short(one.totalHours)}`).join('; '),
      }),
      bars: figures.map((one) => ({
        name: one.name,
        text: short(one.totalHours),
        share: one.totalHours / most,
      })),
    },
    composeTable(deps, kind, part),
  ];
}

function composeTable(
  deps: Deps,
  kind: Kind,
  { name, people, figures }: { name: string; people: string | undefined; figures: readonly Figure[] },
): PdfBlock {
  const { t, language } = deps.translator;
  const hours = hoursCells(deps, kind);
  const count = (value: number) => formatNumber(value, language);
  const columns = [
    ...hoursTitles(deps, kind),
    t('analytics:entries'),
    ...(people === undefined ? [] : [people]),
  ];
  return {
    kind: 'table',
    columns: [
      { title: name, width: 1 - 0.15 * columns.length },
      ...columns.map((column) => ({ title: column, width: 0.15, isNumber: true })),
    ],
    rows: figures.map((one) => [
      one.name,
      ...hours(one),
      count(one.totalEntries),
      ...(people === undefined ? [] : [count(one.uniqueUsers ?? 0)]),
    ]),
  };
}

function composeMonths(deps: Deps, kind: Kind, months: Overview['months']): PdfBlock[] {
  const { t, language } = deps.translator;
  const both = hoursCells(deps, kind);
  const most = Math.max(...months.flatMap((one) => [one.totalHours, one.lastYear.totalHours]), 0.01);
  const bars = months.map((one) => ({
    name: formatMonth(one.month, language),
    text: t('time-entries:shortHours', { hours: formatHours(one.totalHours, language) }),
    share: one.totalHours / most,
    before: one.lastYear.totalHours / most,
  }));
  const title = t('analytics:byMonth');
  const before = [t('analytics:yearBefore'), ...(kind === 'both' ? [t('analytics:verifiedYearBefore')] : [])];
  const columns = [...hoursTitles(deps, kind), ...before];
  const width = kind === 'both' ? 0.18 : 0.25;
  return [
    { kind: 'heading', text: title },
    {
      kind: 'bars',
      alt: t('analytics:barsOf', { title, list: bars.map((bar) => `${bar.name}: ${bar.text}`).join('; ') }),
      bars,
    },
    { kind: 'text', text: t('analytics:lightBars') },
    {
      kind: 'table',
      columns: [
        { title: t('analytics:month'), width: 1 - width * columns.length },
        ...columns.map((column) => ({ title: column, width, isNumber: true })),
      ],
      rows: months.map((one) => [formatMonth(one.month, language), ...both(one), ...both(one.lastYear)]),
    },
  ];
}
