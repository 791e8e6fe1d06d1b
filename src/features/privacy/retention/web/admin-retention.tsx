import { Pencil } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod/mini';
import {
  isRetainedForever,
  KIND_NAMES,
  KINDS,
  type Kind,
  periodOf,
  type RetentionPending,
} from '#features/schools/district-settings/retention-periods.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { failureText } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { DataTable } from '#web/ui/admin/data-table.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { QueryStatus } from '#web/ui/query-error.tsx';
import { notify } from '#web/ui/toasts.ts';
import { messages } from '../contract.ts';
import { countRecordsOlderThan, useCancelShorter, useChangePeriod, useRetention } from './admin-api.ts';

type RetentionProps = { moment: (at: Instant) => string };

/** The retention periods, with a form for each and the result of the last cleanup. */
export function Retention({ moment }: RetentionProps) {
  const { t } = useTranslation();
  const list = useRetention();
  const [changed, setChanged] = useState<Kind>();
  const found = list.data?.kinds.find(({ kind }) => kind === changed);
  const title = t('retention:title');
  return (
    <AdminSection title={title}>
      <p className="text-soft">{t('retention:about')}</p>
      <QueryStatus text={messages.failedToLoad} query={list} rows={6} isTall />
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

type PeriodFormProps = { kind: Kind; period: number | null; onClose: () => void };

/** The form for a kind's retention period. Before it saves a shorter one that deletes records, it shows how many. */
function RetentionPeriodForm({ kind, period, onClose }: PeriodFormProps) {
  const { t } = useTranslation();
  const change = useChangePeriod();
  const [warned, setWarned] = useState<{ period: number; count: number }>();
  const { unit, least, most } = KINDS[kind];
  const form = useForm({
    schema: z.object({ period: periodOf(kind) }),
    initial: { period } as { period: number | null | undefined },
    send: async ({ period: wanted }) => {
      const isShorter = wanted !== null && (period === null || wanted < period);
      if (isShorter && warned?.period !== wanted) {
        const count = await countRecordsOlderThan(kind, wanted);
        setWarned({ period: wanted, count });
        if (count > 0) return;
      }
      const { message } = await change.mutateAsync({ [kind]: wanted });
      onClose();
      notify.success(message);
    },
  });
  const { value, onChange, ...field } = form.field('period');
  const isWarned = warned !== undefined && warned.period === value && warned.count > 0;
  return (
    <DialogForm
      form={form}
      onCancel={onClose}
      {...(isWarned ? { send: { text: t('retention:confirm'), isDanger: true } } : {})}
    >
      {isRetainedForever(kind) && (
        <Checkbox
          isSelected={value === null}
          onChange={(isForever) => onChange(isForever ? null : undefined)}
        >
          {t('retention:forever')}
        </Checkbox>
      )}
      {value !== null && (
        <NumberField
          {...field}
          value={value}
          onChange={onChange}
          label={t(unit === 'months' ? 'retention:inMonths' : 'retention:inDays')}
          min={least}
          max={most}
          step={1}
          isRequired
        />
      )}
      {isWarned && (
        <div role="alert">
          <Notice>{t('retention:confirmQuestion', { count: warned.count })}</Notice>
        </div>
      )}
    </DialogForm>
  );
}
