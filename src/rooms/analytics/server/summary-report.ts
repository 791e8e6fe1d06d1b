import { dayIn, formatDay, formatMonth, formatWeekday } from '#base/calendar-date.ts';
import { formatHours } from '#base/hours.ts';
import { record } from '#server/audit.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import type { PdfBlock, PdfContent } from '#server/pdf/document.ts';
import type { Reader } from '#server/reports/reports.ts';
import type { ActivityAnalytics, Overview, Period } from '../contract.ts';
import { activities, overview } from './actions.ts';
import { daysInWords } from './period.ts';

const ACTIVITIES = 20;

/**
 * The summary for the board as a tagged PDF: the same figures as on the screen, each chart beside its numbers.
 * The export is recorded. 404 for an unknown school.
 */
export function summaryFile(deps: Deps, reader: Reader, period: Period) {
  const { viewer, request } = reader;
  const { schoolId = null, ...days } = period;
  return deps.reports.make(reader, async (render) => {
    const figures = await overview(deps, viewer, request, period);
    const largest = (await activities(deps, viewer, period)).activities.slice(0, ACTIVITIES);
    const isWhole = schoolId === null && viewer.schools === 'all';
    const blocks = blocksOf(deps, figures, largest, {
      of: isWhole ? deps.config.districtName : figures.schools.map(({ name }) => name).join(', '),
      days: daysInWords(deps, days),
    });
    const content = await render({ kind: 'pdf', document: asPdf(deps, request, blocks) });
    await transaction(deps.database, (trx) =>
      record(trx, actorOf(viewer, request), {
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

function asPdf({ catalogue, config }: Deps, { at }: Request, blocks: readonly PdfBlock[]): PdfContent {
  const { t, language } = catalogue;
  const day = formatDay(dayIn(config.timeZone, at), language);
  return {
    title: t('analytics:summaryTitle'),
    language,
    foot: t('analytics:pdfFoot', { district: config.districtName, day }),
    page: t('analytics:pdfPage', { page: '{page}', pages: '{pages}' }),
    blocks,
  };
}

// Long because it is the report itself, block by block, in the order of the page.
function blocksOf(
  deps: Deps,
  { totals, schools, months, categories, weekdays }: Overview,
  largest: readonly ActivityAnalytics[],
  about: { of: string; days: string },
): PdfBlock[] {
  const { t, language } = deps.catalogue;
  const hours = (value: number) => formatHours(value, language);
  const count = (value: number) => new Intl.NumberFormat(language).format(value);
  const { newUsers, returningUsers } = totals;
  const people = t('analytics:people');
  const rows = (figures: readonly Figure[], title: string, name: string) =>
    asPart(deps, { title, name, people: undefined, figures });
  return [
    { kind: 'title', text: t('analytics:summaryTitle'), under: [about.of, about.days] },
    {
      kind: 'text',
      text: t('analytics:summaryFigures', {
        hours: hours(totals.totalHours),
        entries: count(totals.totalEntries),
        people: count(totals.uniqueUsers),
      }),
    },
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
      : asPart(deps, {
          title: t('analytics:bySchool'),
          name: t('analytics:school'),
          people,
          figures: schools.toSorted((a, b) => b.totalHours - a.totalHours),
        })),
    ...monthsPart(deps, months),
    ...rows(categories, t('analytics:byCategory'), t('analytics:category')),
    ...rows(
      weekdays.map((one) => ({ ...one, name: formatWeekday(one.weekday, language) })),
      t('analytics:byWeekday'),
      t('analytics:weekday'),
    ),
    ...asPart(deps, {
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

type Figure = { name: string; totalHours: number; totalEntries: number; uniqueUsers?: number };

function asPart(
  { catalogue: { t, language } }: Deps,
  part: { title: string; name: string; people: string | undefined; figures: readonly Figure[] },
): PdfBlock[] {
  const { title, name, people, figures } = part;
  const hours = (value: number) => formatHours(value, language);
  const short = (value: number) => t('time-entries:shortHours', { hours: hours(value) });
  const count = (value: number) => new Intl.NumberFormat(language).format(value);
  const most = Math.max(...figures.map((one) => one.totalHours), 0.01);
  const numbers = (one: Figure) => [
    hours(one.totalHours),
    count(one.totalEntries),
    ...(people === undefined ? [] : [count(one.uniqueUsers ?? 0)]),
  ];
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
    {
      kind: 'table',
      columns: [
        { title: name, width: people === undefined ? 0.7 : 0.55 },
        { title: t('analytics:hours'), width: 0.15, isNumber: true },
        { title: t('analytics:entries'), width: 0.15, isNumber: true },
        ...(people === undefined ? [] : [{ title: people, width: 0.15, isNumber: true }]),
      ],
      rows: figures.map((one) => [one.name, ...numbers(one)]),
    },
  ];
}

function monthsPart({ catalogue: { t, language } }: Deps, months: Overview['months']): PdfBlock[] {
  const hours = (value: number) => formatHours(value, language);
  const most = Math.max(...months.flatMap((one) => [one.totalHours, one.lastYear.totalHours]), 0.01);
  const bars = months.map((one) => ({
    name: formatMonth(one.month, language),
    text: t('time-entries:shortHours', { hours: hours(one.totalHours) }),
    share: one.totalHours / most,
    before: one.lastYear.totalHours / most,
  }));
  const title = t('analytics:byMonth');
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
        { title: t('analytics:month'), width: 0.5 },
        { title: t('analytics:hours'), width: 0.25, isNumber: true },
        { title: t('analytics:yearBefore'), width: 0.25, isNumber: true },
      ],
      rows: months.map((one) => [
        formatMonth(one.month, language),
        hours(one.totalHours),
        hours(one.lastYear.totalHours),
      ]),
    },
  ];
}
