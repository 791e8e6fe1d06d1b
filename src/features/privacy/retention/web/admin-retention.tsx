import { Pencil } from 'lucide-react';
import { useState } from 'react';
import {
  KIND_NAMES,
  KINDS,
  type Kind,
  type RetentionPending,
} from '#features/schools/district-settings/retention-periods.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { failureText, withReason } from '#web/api/call.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { DataTable } from '#web/ui/admin/data-table.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ErrorBox, FormMessage, Notice } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { notify } from '#web/ui/toasts.ts';
import { messages } from '../contract.ts';
import { useCancelShorter, useRetention } from './admin-api.ts';
import { RetentionPeriodForm } from './admin-retention-period-form.tsx';

type RetentionProps = { moment: (at: Instant) => string };

/** The retention periods, with a form for each and the result of the last cleanup. */
export function Retention({ moment }: RetentionProps) {
  const { t, say } = useTranslation();
  const list = useRetention();
  const [changed, setChanged] = useState<Kind>();
  const found = list.data?.kinds.find(({ kind }) => kind === changed);
  const title = t('retention:title');
  return (
    <AdminSection title={title}>
      <p className="text-soft">{t('retention:about')}</p>
      {list.isError && (
        <ErrorBox
          {...withReason(say(messages.failedToLoad), list.error)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      )}
      {list.data === undefined && !list.isError && <SkeletonRows rows={6} isTall />}
      {list.data?.pending != null && <ShorterPending pending={list.data.pending} moment={moment} />}
      {list.data !== undefined && (
        <DataTable
          label={title}
          rows={list.data.kinds.map((row, at) => ({ ...row, id: at }))}
          isDense
          columns={[
            {
              key: 'kind',
              title: t('retention:kind'),
              isMain: true,
              cell: ({ kind }) => <span className="font-medium wrap-anywhere">{t(`retention:${kind}`)}</span>,
            },
            {
              key: 'kept',
              title: t('retention:kept'),
              cell: ({ kind, period }) =>
                period === null
                  ? t('retention:forever')
                  : t(`retention:${KINDS[kind].unit}`, { count: period }),
            },
            {
              key: 'last',
              title: t('retention:lastDeleted'),
              cell: ({ lastRunAt, lastDeleted }) =>
                lastRunAt === null
                  ? t('retention:never')
                  : t('retention:deletedAt', { count: lastDeleted ?? 0, at: moment(lastRunAt) }),
            },
            {
              key: 'change',
              title: t('retention:change'),
              isAction: true,
              cell: ({ kind }) => (
                <IconButton
                  label={t('retention:changeOf', { kind: t(`retention:${kind}`) })}
                  icon={<Pencil aria-hidden="true" className="size-5" />}
                  onPress={() => setChanged(kind)}
                />
              ),
            },
          ]}
        />
      )}
      <Dialog
        title={found === undefined ? title : t(`retention:${found.kind}`)}
        isOpen={found !== undefined}
        onClose={() => setChanged(undefined)}
      >
        {found !== undefined && (
          <>
            <p className="mb-4 text-soft">{t(HINTS[found.kind])}</p>
            <RetentionPeriodForm
              kind={found.kind}
              period={found.period}
              onClose={() => setChanged(undefined)}
            />
          </>
        )}
      </Dialog>
    </AdminSection>
  );
}

function ShorterPending({ pending, moment }: RetentionProps & { pending: RetentionPending }) {
  const { t } = useTranslation();
  const cancel = useCancelShorter();
  const periods = KIND_NAMES.flatMap((kind) => {
    const count = pending.values[kind];
    return typeof count === 'number' ? [{ kind, period: t(`retention:${KINDS[kind].unit}`, { count }) }] : [];
  });
  return (
    <Notice>
      <div className="flex flex-col items-start gap-2">
        <p className="font-medium">{t('retention:pendingTitle', { at: moment(pending.effectiveAt) })}</p>
        <ul>
          {periods.map(({ kind, period }) => (
            <li key={kind}>{t('retention:pendingKind', { kind: t(`retention:${kind}`), period })}</li>
          ))}
        </ul>
        <p>{t('retention:pendingAbout')}</p>
        <FormMessage message={cancel.isError ? failureText(cancel.error) : undefined} />
        <Button
          isBusy={cancel.isPending}
          label={t('retention:pendingCancelOf')}
          onPress={() => cancel.mutate(undefined, { onSuccess: ({ message }) => notify.success(message) })}
        >
          {t('retention:pendingCancel')}
        </Button>
      </div>
    </Notice>
  );
}

const HINTS: Readonly<Record<Kind, MessageKey>> = {
  entries: 'retention:entriesHint',
  photos: 'retention:photosHint',
  audit: 'retention:auditHint',
  addresses: 'retention:addressesHint',
  mails: 'retention:mailsHint',
  sessions: 'retention:sessionsHint',
  signInFailures: 'retention:signInFailuresHint',
  exports: 'retention:exportsHint',
  imports: 'retention:importsHint',
};
