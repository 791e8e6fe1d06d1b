import { useId } from 'react';
import { formatDay } from '#base/calendar-date.ts';
import type { ReplyOf } from '#base/endpoint.ts';
import { formatHours } from '#base/hours.ts';
import { formatCount } from '#web/lib/counted.ts';
import { useText } from '#web/lib/text.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { type analyzeVolunteers, STOPPED } from '../contract.ts';
import { FigurePart, PartFrame, TABLE } from './admin-figures.tsx';

type Volunteers = ReplyOf<typeof analyzeVolunteers>;
type PartProps = {
  volunteers: Volunteers;
  /** Leads to somebody's entries, where these can be shown. */
  onShowEntries: ((user: { id: number; name: string }) => void) | undefined;
};

/** Who gave the most hours. */
export function TopPart({ volunteers, onShowEntries }: PartProps) {
  const { t } = useText();
  return (
    <FigurePart
      isNarrow
      title={t('analytics:topVolunteers')}
      nameTitle={t('analytics:volunteer')}
      figures={volunteers.top.map(({ user, totalHours, totalEntries }) => {
        const name = `${user.firstName} ${user.lastName}`;
        return {
          key: user.id,
          name,
          totalHours,
          totalEntries,
          open: onShowEntries && {
            label: t('analytics:showEntries', { name }),
            onPress: () => onShowEntries({ id: user.id, name }),
          },
        };
      })}
    />
  );
}

/** Who came often and has not been here lately. */
export function StoppedPart({ volunteers, onShowEntries }: PartProps) {
  const { t, language } = useText();
  const id = useId();
  const { stopped, stoppedTotal } = volunteers;
  return (
    <PartFrame
      id={id}
      title={t('analytics:stopped')}
      hint={t('analytics:stoppedHint', { entries: STOPPED.entries, days: STOPPED.quietDays })}
    >
      {stopped.length === 0 ? (
        <p>{t('analytics:stoppedNobody')}</p>
      ) : (
        <table aria-labelledby={id} className={TABLE}>
          <thead>
            <tr>
              <th scope="col">{t('analytics:volunteer')}</th>
              <th scope="col">{t('analytics:lastDate')}</th>
              <th scope="col" className="text-right!">
                {t('analytics:hours')}
              </th>
              <th scope="col" className="text-right! max-sm:hidden">
                {t('analytics:entries')}
              </th>
            </tr>
          </thead>
          <tbody>
            {stopped.map(({ user, lastDate, totalHours, totalEntries }) => {
              const name = `${user.firstName} ${user.lastName}`;
              return (
                <tr key={user.id}>
                  <th scope="row" className="py-0! font-normal! text-ink! wrap-anywhere">
                    {onShowEntries === undefined ? (
                      <span className="inline-block py-2.5">{name}</span>
                    ) : (
                      <LinkButton
                        label={t('analytics:showEntries', { name })}
                        onPress={() => onShowEntries({ id: user.id, name })}
                      >
                        {name}
                      </LinkButton>
                    )}
                  </th>
                  <td className="align-middle sm:whitespace-nowrap">{formatDay(lastDate, language)}</td>
                  <td className="figures text-right align-middle">{formatHours(totalHours, language)}</td>
                  <td className="figures text-right align-middle max-sm:hidden">
                    {formatCount(totalEntries, language)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {stoppedTotal > stopped.length && (
        <p className="text-soft">{t('analytics:stoppedMore', { count: stoppedTotal - stopped.length })}</p>
      )}
    </PartFrame>
  );
}
