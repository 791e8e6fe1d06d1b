import type { Instant } from '#shared/calendar-date.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Part } from '#web/ui/admin/admin-section.tsx';
import { DeskList, DeskRow } from '#web/ui/admin/queue-list.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { System } from '../contract.ts';

type ReleasePartProps = {
  system: Pick<System, 'release' | 'version' | 'startedAt'>;
  moment: (at: Instant) => string;
};

/** The version that runs and what it changes, and a newer one where the server may ask for it. */
export function ReleasePanel({ system: { release, version, startedAt }, moment }: ReleasePartProps) {
  const { t } = useTranslation();
  const { notes, isWatched, newest, checkedAt, error } = release;
  const facts = [
    t('operations:runningSince', { at: moment(startedAt) }),
    !isWatched && t('operations:releaseUnwatched'),
    newest === null && checkedAt !== null && t('operations:releaseNewest', { at: moment(checkedAt) }),
    error !== null && t('operations:releaseFailed', { reason: error }),
  ].filter((fact) => fact !== false);
  return (
    <Part title={t('operations:release')}>
      {newest !== null && (
        <Notice>
          <p className="font-medium">{t('operations:releaseNewer', { version: newest.version })}</p>
          <p className="wrap-anywhere whitespace-pre-line">{newest.notes}</p>
        </Notice>
      )}
      <DeskList label={t('operations:release')}>
        <DeskRow title={t('operations:version', { version })} facts={facts} />
        {notes !== null && (
          <details>
            <summary className="flex min-h-11 cursor-pointer items-center px-4 font-medium sm:px-5">
              {t('operations:releaseNotes')}
            </summary>
            <p className="px-4 pb-4 wrap-anywhere whitespace-pre-line sm:px-5">{notes}</p>
          </details>
        )}
      </DeskList>
    </Part>
  );
}
