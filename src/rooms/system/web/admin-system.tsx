import { RotateCw } from 'lucide-react';
import { type CalendarDate, formatMoment, type Instant } from '#base/calendar-date.ts';
import { baseMessages } from '#base/messages.ts';
import type { District } from '#rooms/district/contract.ts';
import { SecondFactorDemand } from '#rooms/retention/web/admin-demand.tsx';
import { Holds } from '#rooms/retention/web/admin-holds.tsx';
import { Retention } from '#rooms/retention/web/admin-retention.tsx';
import { failureText, withReason } from '#web/lib/call.ts';
import { formatCount } from '#web/lib/counted.ts';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { DataTable } from '#web/ui/admin/data-table.tsx';
import { FigureStrip } from '#web/ui/admin/figure-strip.tsx';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { Part } from '#web/ui/admin/part.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { ErrorBox, Notice } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { messages, type System } from '../contract.ts';
import { useConfirmDate, useSystem } from './admin-api.ts';
import { BackupPart } from './admin-backup.tsx';
import { InProgress } from './admin-in-progress.tsx';
import { Jobs } from './admin-jobs.tsx';
import { MailQueue } from './admin-mail-queue.tsx';
import { ReleasePart } from './admin-release.tsx';
import { formatBytes } from './amounts.ts';
import { useChangeFirstRun } from './first-run-api.ts';

export type AdminSystemProps = {
  district: District;
  email: string;
  /** Goes to where the first steps are shown. */
  onFirstSteps: () => void;
  onSettings: () => void;
};

/** How the server is: what to mend, mail, backup, jobs, and what failed. */
export function AdminSystem({ district, email, onFirstSteps, onSettings }: AdminSystemProps) {
  const { t, say, language } = useText();
  const system = useSystem();
  const found = system.data;
  const moment = (at: Instant) => formatMoment(at, language, district.timeZone);
  return (
    <section aria-label={t('web:system')} className="flex flex-col gap-6">
      <ListTitle
        title={t('web:system')}
        total={found && t('system:version', { version: found.version })}
        aside={
          <IconButton
            label={t('system:lookAgain')}
            icon={<RotateCw aria-hidden="true" className="size-5" />}
            isBusy={system.isFetching}
            onPress={() => void system.refetch()}
          />
        }
      />
      {system.isError && (
        <ErrorBox
          {...withReason(say(messages.failedToLoad), system.error)}
          onRetry={() => void system.refetch()}
          isRetrying={system.isFetching}
        />
      )}
      {found === undefined && !system.isError && <SkeletonRows rows={6} isTall />}
      {found !== undefined && (
        <>
          <Warnings warnings={found.warnings} today={district.today} />
          <Figures system={found} />
          <BackupPart backup={found.backup} today={district.today} zone={district.timeZone} moment={moment} />
          <MailQueue email={email} isOff={found.mailFolder !== undefined} moment={moment} />
          <Jobs jobs={found.jobs} moment={moment} />
          <Retention moment={moment} />
          <SecondFactorDemand />
          <Holds moment={moment} />
          <InProgress system={found} moment={moment} />
          <Part title={t('system:settingsTitle')}>
            <p className="text-soft">{t('system:settingsAbout')}</p>
            <div>
              <Button onPress={onSettings}>{t('system:settingsOpen')}</Button>
            </div>
          </Part>
          <FirstStepsAgain onFirstSteps={onFirstSteps} />
          <ReleasePart system={found} moment={moment} />
          <Failures failures={found.failures} moment={moment} />
        </>
      )}
    </section>
  );
}

function FirstStepsAgain({ onFirstSteps }: Pick<AdminSystemProps, 'onFirstSteps'>) {
  const { t } = useText();
  const change = useChangeFirstRun();
  return (
    <Part title={t('system:stepsTitle')}>
      <p className="text-soft">{t('system:stepsAbout')}</p>
      <div>
        <Button
          isBusy={change.isPending}
          onPress={() =>
            change
              .mutateAsync({ isOpen: true, putAway: [] })
              .then(({ isOpen }) => (isOpen ? onFirstSteps() : notify.success(t('system:stepsDone'))))
              .catch((error: unknown) => notify.failure(failureText(error, baseMessages.requestFailed)))
          }
        >
          {t('system:stepsShow')}
        </Button>
      </div>
    </Part>
  );
}

type Moment = (at: Instant) => string;

function Warnings({ warnings, today }: Pick<System, 'warnings'> & { today: CalendarDate }) {
  const { t } = useText();
  if (warnings.length === 0) return <p className="text-soft">{t('system:noWarnings')}</p>;
  return (
    <ul aria-label={t('system:warnings')} className="flex flex-col gap-3">
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
  const { t } = useText();
  const confirm = useConfirmDate();
  return (
    <Button
      isBusy={confirm.isPending}
      onPress={() =>
        confirm
          .mutateAsync(today)
          .then(({ message }) => notify.success(message))
          .catch((error: unknown) => notify.failure(failureText(error)))
      }
    >
      {t('system:clockConfirm')}
    </Button>
  );
}

function Figures({ system }: { system: System }) {
  const { t, language } = useText();
  const { database, disk, photos, mail, mailFolder, engine } = system;
  const size = (bytes: number | null) =>
    bytes === null ? t('system:unknown') : formatBytes(bytes, language);
  const filesIn = ({ files }: { files: number | null }) =>
    files === null ? t('system:unknown') : formatCount(files, language);
  return (
    <FigureStrip
      label={t('system:figures')}
      figures={[
        {
          name: t(engine === 'sqlite' ? 'system:databaseSqlite' : 'system:databasePostgres'),
          text: size(database.bytes),
        },
        { name: t('system:freeSpace'), text: size(disk.freeBytes) },
        {
          name: t(photos.store === 's3' ? 'system:photosInBucket' : 'system:photosOnDisk', {
            count: photos.count,
          }),
          text: size(photos.bytes),
        },
        mailFolder === undefined
          ? { name: t('system:lettersWaiting'), text: formatCount(mail.waiting, language) }
          : { name: t('system:lettersInFolder'), text: filesIn(mailFolder) },
      ]}
    />
  );
}

function Failures({ failures, moment }: Pick<System, 'failures'> & { moment: Moment }) {
  const { t, language } = useText();
  return (
    <Part title={t('system:failures')}>
      {failures.length === 0 ? (
        <p className="text-soft">{t('system:noFailures')}</p>
      ) : (
        <DataTable
          label={t('system:failures')}
          rows={failures.map((failure, at) => ({ ...failure, id: at }))}
          columns={[
            {
              key: 'route',
              title: t('system:call'),
              isMain: true,
              cell: ({ method, route }) => (
                <span className="wrap-anywhere">
                  {method} {route}
                </span>
              ),
            },
            { key: 'status', title: t('system:status'), isNumber: true, cell: ({ status }) => status },
            {
              key: 'count',
              title: t('system:times'),
              isNumber: true,
              cell: ({ count }) => formatCount(count, language),
            },
            { key: 'last', title: t('system:lastTime'), cell: ({ lastAt }) => moment(lastAt) },
            {
              key: 'id',
              title: t('system:requestId'),
              isExtra: true,
              cell: ({ lastId }) => <span className="figures">{lastId.slice(0, 8)}</span>,
            },
          ]}
        />
      )}
    </Part>
  );
}
