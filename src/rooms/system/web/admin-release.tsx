import type { Instant } from '#base/calendar-date.ts';
import { useText } from '#web/lib/text.ts';
import { DeskList, DeskRow } from '#web/ui/admin/desk-list.tsx';
import { Part } from '#web/ui/admin/part.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { System } from '../contract.ts';

type ReleasePartProps = {
  system: Pick<System, 'release' | 'version' | 'startedAt'>;
  moment: (at: Instant) => string;
};

/** The version that runs and what it changes, and a newer one where the server may ask for it. */
export function ReleasePart({ system: { release, version, startedAt }, moment }: ReleasePartProps) {
  const { t } = useText();
  const { notes, isWatched, newest, checkedAt, error } = release;
  const facts = [
    t('system:runningSince', { at: moment(startedAt) }),
    !isWatched && t('system:releaseUnwatched'),
    newest === null && checkedAt !== null && t('system:releaseNewest', { at: moment(checkedAt) }),
    error !== null && t('system:releaseFailed', { reason: error }),
  ].filter((fact) => fact !== false);
  return (
    <Part title={t('system:release')}>
      {newest !== null && (
        <Notice>
          <p className="font-medium">{t('system:releaseNewer', { version: newest.version })}</p>
          <p className="wrap-anywhere whitespace-pre-line">{newest.notes}</p>
        </Notice>
      )}
      <DeskList label={t('system:release')}>
        <DeskRow title={t('system:version', { version })} facts={facts} />
        {notes !== null && (
          <details>
            <summary className="flex min-h-11 cursor-pointer items-center px-4 font-medium sm:px-5">
              {t('system:releaseNotes')}
            </summary>
            <p className="px-4 pb-4 wrap-anywhere whitespace-pre-line sm:px-5">{notes}</p>
          </details>
        )}
      </DeskList>
    </Part>
  );
}
