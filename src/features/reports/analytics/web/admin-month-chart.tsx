import { use, useId, useState, useSyncExternalStore } from 'react';
import { capitalizeFirst, formatMonth } from '#shared/calendar-date.ts';
import { formatHours, sumHours } from '#shared/hours.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { usePrinting } from '#web/ui/use-media.ts';
import type { MonthAnalytics } from '../contract.ts';
import { Key, LOGGED, SectionFrame, TABLE, VERIFIED, VerifiedOnlyContext } from './admin-bar-chart.tsx';

/** The months of a school year next to those of the year before, as a chart and as a table. */
export function MonthSection({ months }: { months: readonly MonthAnalytics[] }) {
  const text = useTranslation();
  const { t } = text;
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  const isPrinting = usePrinting();
  const year = yearOf(months, text);
  return (
    <SectionFrame
      id={id}
      title={t('analytics:byMonth')}
      hint={year}
      toggle={
        <Button kind="plain" isPressed={isTable} onPress={() => setIsTable(!isTable)}>
          {t('analytics:showAsTable')}
        </Button>
      }
    >
      {(!isTable || isPrinting) && <MonthChart months={months} year={year} />}
      {(isTable || isPrinting) && <MonthTable months={months} year={year} />}
    </SectionFrame>
  );
}

const HEIGHT = 240;
const MARGIN = { top: 12, bottom: 28, left: 44, right: 4 };

function MonthChart({ months, year }: { months: readonly MonthAnalytics[]; year: string }) {
  const { t, language } = useTranslation();
  // Rendered for the available width, so that the text keeps its size.
  const isNarrow = useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);
  const width = isNarrow ? 330 : 760;
  const ticks = ticksUpTo(Math.max(...months.flatMap((one) => [one.totalHours, one.lastYear.totalHours])));
  const top = ticks.at(-1) ?? 1;
  const inner = HEIGHT - MARGIN.top - MARGIN.bottom;
  const y = (hours: number) => MARGIN.top + inner * (1 - hours / top);
  const slot = (width - MARGIN.left - MARGIN.right) / months.length;
  const bar = slot * 0.38;
  const hours = (value: number) => t('time-entries:shortHours', { hours: formatHours(value, language) });
  const hasVerified = useHasVerified(months);
  const verified = (value: number | null) =>
    t('analytics:hoursVerified', { hours: formatHours(value ?? 0, language) });
  const most = months.toSorted((a, b) => b.totalHours - a.totalHours)[0];
  return (
    <figure className="flex flex-col gap-2">
      <svg
        role="img"
        aria-label={`${t('analytics:monthChart', {
          year,
          total: hours(sumHours(months.map((one) => one.totalHours))),
          before: hours(sumHours(months.map((one) => one.lastYear.totalHours))),
          month: most === undefined ? '' : formatMonth(most.month, language),
          most: hours(most?.totalHours ?? 0),
        })}${hasVerified ? ` ${year}: ${verified(sumHours(months.map((one) => one.verifiedHours ?? 0)))}.` : ''}`}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        className="h-auto w-full max-w-240 text-ink"
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              x1={MARGIN.left}
              x2={width - MARGIN.right}
              y1={y(tick)}
              y2={y(tick)}
              className="stroke-line"
            />
            <text x={MARGIN.left - 8} y={y(tick) + 4} textAnchor="end" className="figures fill-soft text-xs">
              {formatHours(tick, language)}
            </text>
          </g>
        ))}
        {months.map((one, index) => {
          const middle = MARGIN.left + slot * (index + 0.5);
          const name = formatMonth(one.month, language, 'short');
          return (
            <g key={one.month}>
              <rect
                x={middle - bar - 0.5}
                width={bar}
                y={y(one.lastYear.totalHours)}
                height={inner + MARGIN.top - y(one.lastYear.totalHours)}
                className="fill-wash stroke-field"
              >
                <title>{`${formatMonth(one.lastYear.month, language)}: ${hours(one.lastYear.totalHours)}`}</title>
              </rect>
              <rect
                x={middle + 0.5}
                width={bar}
                y={y(one.totalHours)}
                height={inner + MARGIN.top - y(one.totalHours)}
                className={hasVerified ? LOGGED : VERIFIED}
              >
                <title>{`${formatMonth(one.month, language)}: ${hours(one.totalHours)}`}</title>
              </rect>
              {hasVerified && (
                <rect
                  x={middle + 0.5}
                  width={bar}
                  y={y(one.verifiedHours ?? 0)}
                  height={inner + MARGIN.top - y(one.verifiedHours ?? 0)}
                  className={VERIFIED}
                >
                  <title>{`${formatMonth(one.month, language)}: ${verified(one.verifiedHours)}`}</title>
                </rect>
              )}
              <text x={middle} y={HEIGHT - 8} textAnchor="middle" className="fill-soft text-xs">
                {isNarrow ? [...name][0] : name}
              </text>
            </g>
          );
        })}
      </svg>
      <figcaption aria-hidden="true" className="flex flex-wrap gap-x-5 gap-y-1 pl-11 text-sm text-soft">
        <Key className="fill-wash stroke-field" text={t('analytics:yearBefore')} />
        <Key className={hasVerified ? LOGGED : VERIFIED} text={year} />
        {hasVerified && <Key className={VERIFIED} text={t('analytics:verified')} />}
      </figcaption>
    </figure>
  );
}

function MonthTable({ months, year }: { months: readonly MonthAnalytics[]; year: string }) {
  const { t, language } = useTranslation();
  const hasVerified = useHasVerified(months);
  return (
    <table aria-label={t('analytics:byMonth')} className={TABLE}>
      <thead>
        <tr>
          <th scope="col">{t('analytics:month')}</th>
          <th scope="col" className="text-right!">
            {year}
          </th>
          {hasVerified && (
            <th scope="col" className="text-right!">
              {t('analytics:verified')}
            </th>
          )}
          <th scope="col" className="text-right!">
            {t('analytics:yearBefore')}
          </th>
        </tr>
      </thead>
      <tbody>
        {months.map((one) => (
          <tr key={one.month}>
            <th scope="row" className="font-normal! text-ink!">
              {capitalizeFirst(formatMonth(one.month, language))}
            </th>
            <td className="figures text-right">{formatHours(one.totalHours, language)}</td>
            {hasVerified && (
              <td className="figures text-right">{formatHours(one.verifiedHours ?? 0, language)}</td>
            )}
            <td className="figures text-right">{formatHours(one.lastYear.totalHours, language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// Whether to show verified hours next to logged ones, which is pointless when only verified hours are shown.
function useHasVerified(months: readonly MonthAnalytics[]): boolean {
  const isOnly = use(VerifiedOnlyContext);
  return !isOnly && months.some((one) => one.verifiedHours !== null);
}

function yearOf(months: readonly MonthAnalytics[], { t, language }: Text): string {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return '';
  return t('analytics:thatYear', {
    from: formatMonth(first.month, language),
    to: formatMonth(last.month, language),
  });
}

const NARROW = '(max-width: 40rem)';

function subscribe(listener: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

const STEPS = [1, 2, 2.5, 5, 10];
const MAX_STEPS = 4;

/** Returns the axis ticks of a chart: at most five round numbers, from 0 to at least the highest value. */
export function ticksUpTo(highest: number): number[] {
  if (!(highest > 0)) return [0, 1];
  const scale = 10 ** Math.floor(Math.log10(highest / MAX_STEPS));
  const step = scale * (STEPS.find((one) => one * scale * MAX_STEPS >= highest) ?? 10);
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step);
}
