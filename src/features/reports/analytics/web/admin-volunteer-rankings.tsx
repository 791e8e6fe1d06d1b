import { useId } from 'react';
import { formatDay } from '#shared/calendar-date.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import { formatHours } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { type analyzeVolunteers, INACTIVE_VOLUNTEERS } from '../contract.ts';
import { FigureLinks, FigureSection, SectionFrame, TABLE } from './admin-bar-chart.tsx';

type Volunteers = ReplyOf<typeof analyzeVolunteers>;
type PartProps = {
  volunteers: Volunteers;
  /** Opens a person's entries at a school, since every list of entries belongs to one school. */
  onShowEntries: (schoolId: number, user: { id: number; name: string }) => void;
};

type Person = Volunteers['top'][number];

// Returns the link to a volunteer's entries or, if they helped at several schools, one link per school.
function useLinks(onShowEntries: PartProps['onShowEntries']) {
  const { t, language } = useTranslation();
  return ({ user, schools }: Person) => {
    const name = fullName(user);
    const links = schools.map((school) => ({
      key: school.id,
      text: t('analytics:hoursAt', { school: school.name, hours: formatHours(school.totalHours, language) }),
      label: t('analytics:showEntriesAt', { name, school: school.name }),
      onPress: () => onShowEntries(school.id, { id: user.id, name }),
    }));
    const [only, ...others] = links;
    if (only === undefined || others.length > 0) return { name, open: undefined, parts: links };
    return { name, open: { ...only, label: t('analytics:showEntries', { name }) }, parts: undefined };
  };
}

/** The volunteers with the most hours. */
export function TopVolunteers({ volunteers, onShowEntries }: PartProps) {
  const { t } = useTranslation();
  const linksOf = useLinks(onShowEntries);
  return (
    <FigureSection
      isNarrow
      title={t('analytics:topVolunteers')}
      nameTitle={t('analytics:volunteer')}
      figures={volunteers.top.map((person) => ({
        key: person.user.id,
        ...person,
        ...linksOf(person),
      }))}
    />
  );
}

/** Volunteers who came often but not recently. */
export function InactiveVolunteers({ volunteers, onShowEntries }: PartProps) {
  const { t, language } = useTranslation();
  const id = useId();
  const { stopped, stoppedTotal } = volunteers;
  const linksOf = useLinks(onShowEntries);
  return (
    <SectionFrame
      id={id}
      title={t('analytics:stopped')}
      hint={t('analytics:stoppedHint', {
        entries: INACTIVE_VOLUNTEERS.entries,
        days: INACTIVE_VOLUNTEERS.quietDays,
      })}
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
            {stopped.map((person) => {
              const { user, lastDate, totalHours, totalEntries } = person;
              const { name, open, parts } = linksOf(person);
              return (
                <tr key={user.id}>
                  <th scope="row" className="py-0! font-normal! text-ink! wrap-anywhere">
                    {open === undefined ? (
                      <span className="inline-block py-2.5">{name}</span>
                    ) : (
                      <span className="-ml-1 inline-flex">
                        <LinkButton label={open.label} onPress={open.onPress}>
                          {name}
                        </LinkButton>
                      </span>
                    )}
                    {parts !== undefined && <FigureLinks parts={parts} />}
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
    </SectionFrame>
  );
}
