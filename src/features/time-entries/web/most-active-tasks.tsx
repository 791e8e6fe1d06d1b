import { type ReactNode, useId, useState } from 'react';
import { formatDay } from '#shared/calendar-date.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import { formatHours, type Hours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Card } from '#web/ui/card.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { Bar } from '#web/ui/progress-bar.tsx';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { RowButton } from '#web/ui/row-button.tsx';
import type { mostActive, TimeEntry } from '../contract.ts';
import { useIsRecentActivityLoading, useMostActive } from './api.ts';

type MostActiveTasksProps = {
  schoolId: Id;
  /** Whether to show the title for administrators, who see everyone's hours. */
  isAdmin: boolean;
  /** Shown below the total: hours that are not in it yet. */
  notCounted?: ReactNode;
};

/** The total hours of this school year, and the five activities with the most. */
export function MostActiveTasks({ schoolId, isAdmin, notCounted }: MostActiveTasksProps) {
  const { t } = useTranslation();
  const titleId = useId();
  const active = useMostActive(schoolId);
  // In a single-column layout the panel appears together with the list above it, so that it does not move.
  const isEarly = useIsRecentActivityLoading(schoolId);
  return (
    <div className={isEarly ? 'max-lg:invisible' : ''}>
      <Card labelledBy={titleId}>
        <h2 id={titleId} className="text-lg font-semibold">
          {isAdmin ? t('time-entries:mostActive') : t('time-entries:yourMostActive')}
        </h2>
        <div className="mt-3">
          {active.data !== undefined && (
            <Ranking found={active.data} isAdmin={isAdmin} notCounted={notCounted} />
          )}
          <QueryPlaceholder text={t('time-entries:failedToLoadMostActive')} query={active} rows={5} />
        </div>
      </Card>
    </div>
  );
}

/** A bar's length as a share of the longest; 0 when all are 0. */
export function barShare(hours: Hours, most: Hours): number {
  return most === 0 ? 0 : hours / most;
}

type Found = ReplyOf<typeof mostActive>;

function Ranking({ found, isAdmin, notCounted }: { found: Found; isAdmin: boolean; notCounted: ReactNode }) {
  const { t, language } = useTranslation();
  const [openId, setOpenId] = useState<Id>();
  const most = Math.max(0, ...found.activities.map(({ totalHours }) => totalHours));
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="figures text-total font-semibold">{formatHours(found.totalHours, language)}</span>
        <span className="figures text-soft">
          <span>{t('time-entries:totalThisYear', { count: found.totalHours })}</span>
          <Verified hours={found.verifiedHours} />
        </span>
      </p>
      {notCounted}
      {found.activities.length === 0 && <p className="mt-1 text-soft">{t('time-entries:noneThisYear')}</p>}
      <ul className="-mx-2 mt-2 flex flex-col">
        {found.activities.map(({ activity, totalHours, verifiedHours, recent }) => {
          const isOpen = openId === activity.id;
          return (
            <li key={activity.id}>
              <RowButton onPress={() => setOpenId(isOpen ? undefined : activity.id)} isExpanded={isOpen}>
                <span className="flex min-w-0 grow flex-col gap-1.5">
                  {/* Hours wrap below the name rather than squeeze it to less than a word. */}
                  <span className="flex flex-wrap items-baseline justify-end gap-x-2.5">
                    <span className="flex min-w-0 grow basis-40 items-baseline gap-2.5">
                      <CategoryDot color={activity.category.color} />
                      <span className="min-w-0 grow font-medium wrap-break-word">{activity.name}</span>
                    </span>
                    <span className="figures shrink-0 text-dense">
                      {t('time-entries:shortHours', { hours: formatHours(totalHours, language) })}
                      <Verified hours={verifiedHours} />
                    </span>
                  </span>
                  <Bar share={barShare(totalHours, most)} />
                </span>
              </RowButton>
              {isOpen && <LastEntries entries={recent} isAdmin={isAdmin} />}
            </li>
          );
        })}
      </ul>
    </>
  );
}

// ', 9 verified' after the hours of a school that verifies.
function Verified({ hours }: { hours: Hours | null }) {
  const { t, language } = useTranslation();
  if (hours === null) return null;
  return (
    <span className="text-soft">
      , {t('time-entries:verifiedPart', { hours: formatHours(hours, language) })}
    </span>
  );
}

function LastEntries({ entries, isAdmin }: { entries: readonly TimeEntry[]; isAdmin: boolean }) {
  const { t, language } = useTranslation();
  return (
    <ul
      aria-label={t('time-entries:lastEntries')}
      className="mx-2 mb-2 flex flex-col gap-2 pl-6 text-dense sm:mx-3"
    >
      {entries.map((entry) => (
        <li key={entry.id} className="flex justify-between gap-3 text-soft">
          <span className="min-w-0">
            {formatDay(entry.entryDate, language)}
            {isAdmin && ` · ${entry.user.firstName} ${entry.user.lastName}`}
            {entry.notes !== null && (
              <span className="line-clamp-2 text-sm wrap-anywhere">{entry.notes}</span>
            )}
          </span>
          <span className="figures shrink-0 text-ink">
            {t('time-entries:shortHours', { hours: formatHours(entry.hours, language) })}
          </span>
        </li>
      ))}
    </ul>
  );
}
