import { RotateCw } from 'lucide-react';
import { TwoFactorRequirement } from '#features/auth/two-factor/web/admin-two-factor-requirement.tsx';
import { LegalHolds } from '#features/privacy/legal-holds/web/admin-legal-holds.tsx';
import { Retention } from '#features/privacy/retention/web/admin-retention.tsx';
import type { District } from '#features/schools/district-settings/contract.ts';
import { useChangeFirstRun } from '#features/schools/first-run-checklist/web/api.ts';
import { type CalendarDate, formatMoment, type Instant } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { failureText } from '#web/api/call.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { DataTable } from '#web/ui/admin/data-table.tsx';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { QueueList, QueueRow } from '#web/ui/admin/queue-list.tsx';
import { SummaryFigures } from '#web/ui/admin/summary-figures.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notifyResult } from '#web/ui/notify-result.ts';
import { QueryError } from '#web/ui/query-error.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { notify } from '#web/ui/toasts.ts';
import { messages, type System } from '../contract.ts';
import { useConfirmDate, useSystem } from './admin-api.ts';
import { BackupPanel } from './admin-backup.tsx';
import { EmailQueue } from './admin-email-queue.tsx';
import { BackgroundJobs, InProgress } from './admin-jobs.tsx';
import { formatBytes } from './unit-format.ts';

type ReleasePartProps = {
  system: Pick<System, 'release' | 'version' | 'startedAt'>;
  moment: (at: Instant) => string;
};

/** The running version and its changes, and a newer version if the server may check for one. */
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
    <AdminSection title={t('operations:release')}>
      {newest !== null && (
        <Notice>
          <p className="font-medium">{t('operations:releaseNewer', { version: newest.version })}</p>
          <p className="wrap-anywhere whitespace-pre-line">{newest.notes}</p>
        </Notice>
      )}
      <QueueList label={t('operations:release')}>
        <QueueRow title={t('operations:version', { version })} facts={facts} />
        {notes !== null && (
          <details>
            <summary className="flex min-h-11 cursor-pointer items-center px-4 font-medium sm:px-5">
              {t('operations:releaseNotes')}
            </summary>
            <p className="px-4 pb-4 wrap-anywhere whitespace-pre-line sm:px-5">{notes}</p>
          </details>
        )}
      </QueueList>
    </AdminSection>
  );
}

export type AdminSystemProps = {
  district: District;
  email: string;
  /** Opens the first-run checklist. */
  onFirstSteps: () => void;
  onSettings: () => void;
};

/** The System screen: findings, email, backup, jobs and failed requests. */
export function AdminSystem({ district, email, onFirstSteps, onSettings }: AdminSystemProps) {
  const { t, language } = useTranslation();
  const system = useSystem();
  const found = system.data;
  const moment = (at: Instant) => formatMoment(at, language, district.timeZone);
  return (
    <section aria-label={t('web:system')} className="flex flex-col gap-6">
      <ListTitle
        title={t('web:system')}
        total={found && t('operations:version', { version: found.version })}
        aside={
          <IconButton
            label={t('operations:lookAgain')}
            icon={<RotateCw aria-hidden="true" className="size-5" />}
            isBusy={system.isFetching}
            onPress={() => void system.refetch()}
          />
        }
      />
      {system.isError && <QueryError text={messages.failedToLoad} query={system} />}
      {found === undefined && !system.isError && <SkeletonRows rows={6} isTall />}
      {found !== undefined && (
        <>
          <Warnings warnings={found.warnings} today={district.today} />
          <ServerFigures system={found} />
          <BackupPanel
            backup={found.backup}
            today={district.today}
            zone={district.timeZone}
            moment={moment}
          />
          <EmailQueue email={email} isOff={found.mailFolder !== undefined} moment={moment} />
          <BackgroundJobs jobs={found.jobs} moment={moment} />
          <Retention moment={moment} />
          <TwoFactorRequirement />
          <LegalHolds moment={moment} />
          <InProgress system={found} moment={moment} />
          <AdminSection title={t('operations:settingsTitle')}>
            <p className="text-soft">{t('operations:settingsAbout')}</p>
            <div>
              <Button onPress={onSettings}>{t('operations:settingsOpen')}</Button>
            </div>
          </AdminSection>
          <ReopenChecklist onFirstSteps={onFirstSteps} />
          <ReleasePanel system={found} moment={moment} />
          <Failures failures={found.failures} moment={moment} />
        </>
      )}
    </section>
  );
}

function ReopenChecklist({ onFirstSteps }: Pick<AdminSystemProps, 'onFirstSteps'>) {
  const { t } = useTranslation();
  const change = useChangeFirstRun();
  return (
    <AdminSection title={t('operations:stepsTitle')}>
      <p className="text-soft">{t('operations:stepsAbout')}</p>
      <div>
        <Button
          isBusy={change.isPending}
          onPress={() =>
            change
              .mutateAsync({ isOpen: true, putAway: [] })
              .then(({ isOpen }) => (isOpen ? onFirstSteps() : notify.success(t('operations:stepsDone'))))
              .catch((error: unknown) => notify.failure(failureText(error, commonMessages.requestFailed)))
          }
        >
          {t('operations:stepsShow')}
        </Button>
      </div>
    </AdminSection>
  );
}

function Warnings({ warnings, today }: Pick<System, 'warnings'> & { today: CalendarDate }) {
  const { t } = useTranslation();
  if (warnings.length === 0) return <p className="text-soft">{t('operations:noWarnings')}</p>;
  return (
    <ul aria-label={t('operations:warnings')} className="flex flex-col gap-3">
      {warnings.map(({ name, message, remedy }) => (
        <li key={name}>
          <Notice>
            <p className="font-medium">{message}</p>
            <p>{remedy}</p>
            {name === 'clock-jump' && <ConfirmDate today={today} />}
          </Notice>
        </li>
      ))}
    </ul>
  );
}

function ConfirmDate({ today }: { today: CalendarDate }) {
  const { t } = useTranslation();
  const confirm = useConfirmDate();
  return (
    <Button isBusy={confirm.isPending} onPress={() => void notifyResult(confirm.mutateAsync(today))}>
      {t('operations:clockConfirm')}
    </Button>
  );
}

function ServerFigures({ system }: { system: System }) {
  const { t, language } = useTranslation();
  const { database, disk, photos, mail, mailFolder, engine } = system;
  const size = (bytes: number | null) =>
    bytes === null ? t('operations:unknown') : formatBytes(bytes, language);
  const filesIn = ({ files }: { files: number | null }) =>
    files === null ? t('operations:unknown') : formatCount(files, language);
  return (
    <SummaryFigures
      label={t('operations:figures')}
      figures={[
        {
          name: t(engine === 'sqlite' ? 'operations:databaseSqlite' : 'operations:databasePostgres'),
          text: size(database.bytes),
        },
        { name: t('operations:freeSpace'), text: size(disk.freeBytes) },
        {
          name: t(photos.store === 's3' ? 'operations:photosInBucket' : 'operations:photosOnDisk', {
            count: photos.count,
          }),
          text: size(photos.bytes),
        },
        mailFolder === undefined
          ? { name: t('operations:lettersWaiting'), text: formatCount(mail.waiting, language) }
          : { name: t('operations:lettersInFolder'), text: filesIn(mailFolder) },
      ]}
    />
  );
}

function Failures({ failures, moment }: Pick<System, 'failures'> & { moment: (at: Instant) => string }) {
  const { t, language } = useTranslation();
  return (
    <AdminSection title={t('operations:failures')}>
      {failures.length === 0 ? (
        <p className="text-soft">{t('operations:noFailures')}</p>
      ) : (
        <DataTable
          label={t('operations:failures')}
          rows={failures.map((failure, at) => ({ ...failure, id: at }))}
          columns={[
            {
              key: 'route',
              title: t('operations:call'),
              isMain: true,
              cell: ({ method, route }) => (
                <span className="wrap-anywhere">
                  {method} {route}
                </span>
              ),
            },
            { key: 'status', title: t('operations:status'), isNumber: true, cell: ({ status }) => status },
            {
              key: 'count',
              title: t('operations:times'),
              isNumber: true,
              cell: ({ count }) => formatCount(count, language),
            },
            { key: 'last', title: t('operations:lastTime'), cell: ({ lastAt }) => moment(lastAt) },
            {
              key: 'id',
              title: t('operations:requestId'),
              isExtra: true,
              cell: ({ lastId }) => <span className="figures">{lastId.slice(0, 8)}</span>,
            },
          ]}
        />
      )}
    </AdminSection>
  );
}
