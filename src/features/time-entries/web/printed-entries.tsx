import { useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { User } from '#features/users/contract.ts';
import { formatDay } from '#shared/calendar-date.ts';
import { formatHours, sumHours } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { loadAll } from '#web/api/infinite-pages.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { usePrinting } from '#web/ui/use-media.ts';
import type { TimeEntry } from '../contract.ts';

/** Only this many pages of a list are printed: several years of one volunteer's entries. A longer list should be exported. */
export const PRINTED_PAGES = 50;

/** Loads the rest of a list, then prints the page. `isGathering` is true meanwhile, and `isPrinting` while it is printed. */
export function usePrint(list: Parameters<typeof loadAll>[0]) {
  const [isGathering, setIsGathering] = useState(false);
  async function print() {
    setIsGathering(true);
    await loadAll(list, PRINTED_PAGES);
    setIsGathering(false);
    // Waits until the button has rendered, since printing blocks the page.
    setTimeout(() => window.print());
  }
  return { isGathering, isPrinting: usePrinting(), print };
}

type PrintedEntriesProps = {
  entries: readonly TimeEntry[];
  user: Pick<User, 'firstName' | 'lastName' | 'role'>;
  /** The name of the school, or of the district for entries of all schools. */
  school: Pick<PublicSchool, 'name'>;
  /** Whether more entries exist than are printed. */
  isPart: boolean;
};

/** Recent Activity on paper: a plain table with a signature line. Rendered only while printing. */
export function PrintedEntries({ entries, user, school, isPart }: PrintedEntriesProps) {
  const { t, language } = useTranslation();
  const [latest, earliest] = [entries[0], entries.at(-1)];
  if (latest === undefined || earliest === undefined) return null;
  const isAdmin = user.role === 'admin';
  const sum = formatHours(sumHours(entries.map(({ hours }) => hours)), language);
  const total = t('time-entries:shortHours', { hours: sum });
  const facts = [
    [t('time-entries:printSchool'), school.name],
    [t('time-entries:printPerson'), isAdmin ? t('time-entries:everyone') : fullName(user)],
    [
      t('time-entries:printPeriod'),
      t('time-entries:printFromTo', {
        from: formatDay(earliest.entryDate, language),
        to: formatDay(latest.entryDate, language),
      }),
    ],
    [t(isPart ? 'time-entries:printTotalPart' : 'time-entries:printTotal'), total],
  ] as const;
  return (
    <div className="hidden text-sm print:block">
      <h2 className="text-xl font-semibold">{t('time-entries:printTitle')}</h2>
      <dl className="my-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd className="font-medium wrap-break-word">{value}</dd>
          </div>
        ))}
      </dl>
      {isPart && <p className="mb-4 font-medium">{t('time-entries:printPart', { count: entries.length })}</p>}
      <table className="w-full table-fixed border-collapse text-left [&_td]:border-t [&_td]:border-line [&_td]:py-1.5 [&_td]:pr-4 [&_td]:align-top [&_th]:py-1.5 [&_th]:pr-4 [&_tr]:break-inside-avoid">
        <thead>
          <tr>
            <th scope="col" className="w-28">
              {t('time-entries:date')}
            </th>
            {isAdmin && <th scope="col">{t('time-entries:printPerson')}</th>}
            <th scope="col">{t('time-entries:activity')}</th>
            <th scope="col">{t('time-entries:printCategory')}</th>
            <th scope="col">{t('time-entries:notes')}</th>
            <th scope="col" className="w-20 text-right">
              {t('time-entries:hoursField')}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="whitespace-nowrap">{formatDay(entry.entryDate, language)}</td>
              {isAdmin && (
                <td className="wrap-break-word">
                  {entry.user.firstName} {entry.user.lastName}
                </td>
              )}
              <td className="wrap-break-word">{entry.activity.name}</td>
              <td className="wrap-break-word">{entry.activity.category.name}</td>
              <td className="wrap-break-word whitespace-pre-line">{entry.notes}</td>
              <td className="figures text-right">{formatHours(entry.hours, language)}</td>
            </tr>
          ))}
          {!isPart && (
            <tr className="font-semibold">
              <td colSpan={isAdmin ? 5 : 4}>{t('time-entries:printTotal')}</td>
              <td className="figures text-right">{sum}</td>
            </tr>
          )}
        </tbody>
      </table>
      {/* No signature line when entries are left out: an incomplete total should not be signed. */}
      {!isPart && (
        <div className="mt-16 flex gap-5">
          <p className="w-72 border-t pt-1">{t('time-entries:printSignature')}</p>
          <p className="grow border-t pt-1">{t('time-entries:date')}</p>
        </div>
      )}
    </div>
  );
}
