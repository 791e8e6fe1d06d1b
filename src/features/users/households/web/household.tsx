import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { formatDayLong } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import { call, failureText } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import {
  CodeInput,
  getHousehold,
  type Household as HouseholdShown,
  joinHousehold,
  LIMITS,
  leaveHousehold,
  makeHousehold,
  makeHouseholdCode,
  messages,
} from '../contract.ts';

const EXAMPLE = 'K7QM-4XRD';

/** The hours of the household's members by name, and their total. */
export function Household() {
  const { t } = useTranslation();
  const titleId = useId();
  const { data: household, ...loading } = useHousehold();
  const [open, setOpen] = useState<'start' | 'leave'>();
  const close = () => setOpen(undefined);
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId} className="text-lg font-semibold">
        {t('households:title')}
      </h2>
      <div className="mt-3 min-h-12">
        {household === null && (
          <div className="flex flex-col gap-3">
            <p className="text-dense text-soft">{t('households:about')}</p>
            <div>
              <Button onPress={() => setOpen('start')}>{t('households:start')}</Button>
            </div>
          </div>
        )}
        {household && <Members household={household} onLeave={() => setOpen('leave')} />}
        {household === undefined && loading.isError && (
          <QueryError text={messages.failedToLoad} query={loading} />
        )}
      </div>
      <Dialog title={t('households:title')} isOpen={open === 'start'} onClose={close}>
        <Start onClose={close} />
      </Dialog>
      <Dialog title={t('households:leave')} isOpen={open === 'leave'} onClose={close}>
        <Leave onClose={close} />
      </Dialog>
    </Card>
  );
}

type MembersProps = { household: HouseholdShown; onLeave: () => void };

function Members({ household: { members, hours, code }, onLeave }: MembersProps) {
  const { t, language } = useTranslation();
  const { renew } = useHouseholdChanges();
  const inHours = (amount: number) => t('households:hours', { hours: formatHours(amount, language) });
  const getCode = (
    <Button isBusy={renew.isPending} onPress={() => renew.mutate()}>
      {t(code === null ? 'households:invite' : 'households:renew')}
    </Button>
  );
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-2">
        {members.map(({ name, hours: own, isYou }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two members may have the same name, and no row has a state
          <li key={index} className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="min-w-0 wrap-anywhere">{isYou ? t('households:you', { name }) : name}</span>
            <span className="figures shrink-0 text-dense">{inHours(own)}</span>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap items-baseline gap-x-3 border-t border-line pt-3 font-semibold">
        <span className="min-w-0 grow basis-32">{t('households:together')}</span>
        <span className="figures ml-auto shrink-0">{inHours(hours)}</span>
      </p>
      {code === null && members.length < LIMITS.members && <div>{getCode}</div>}
      {code !== null && <Code code={code} renew={getCode} />}
      <div className="-ml-3">
        <Button kind="plain" onPress={onLeave}>
          {t('households:leave')}
        </Button>
      </div>
    </div>
  );
}

type CodeProps = { code: NonNullable<HouseholdShown['code']>; renew: ReactNode };

function Code({ code: { code, until }, renew }: CodeProps) {
  const { t, language } = useTranslation();
  const [copied, setCopied] = useState<'copied' | 'copyFailed'>();
  async function copy() {
    const done = await navigator.clipboard?.writeText(code).then(
      () => true,
      () => false,
    );
    setCopied(done === true ? 'copied' : 'copyFailed');
  }
  return (
    <div className="flex flex-col gap-2">
      <TextField
        name="ownCode"
        label={t('households:yourCode')}
        hint={t('households:codeUntil', { day: formatDayLong(until, language) })}
        value={code}
        onChange={() => {}}
        isReadOnly
      />
      <div className="flex flex-wrap gap-2">
        <Button onPress={() => void copy()}>{t('households:copy')}</Button>
        {renew}
      </div>
      <p role="status" className="text-dense text-soft">
        {copied !== undefined && t(`households:${copied}`)}
      </p>
    </div>
  );
}

function Start({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { make, join } = useHouseholdChanges();
  const form = useForm({
    schema: CodeInput,
    initial: { code: '' },
    send: async ({ code }) => {
      await join.mutateAsync(code);
      onClose();
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <p>{t('households:consent')}</p>
      <div>
        <Button isBusy={make.isPending} onPress={() => make.mutate(undefined, { onSuccess: onClose })}>
          {t('households:make')}
        </Button>
      </div>
      <p>{t('households:or')}</p>
      <DialogForm form={form} send={{ text: t('households:join') }} onCancel={onClose}>
        <TextField
          {...form.field('code')}
          label={t('households:codeField')}
          hint={t('households:codeHint', { example: EXAMPLE })}
          autoComplete="off"
          isPlain
          isRequired
        />
      </DialogForm>
    </div>
  );
}

function Leave({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { leave } = useHouseholdChanges();
  return (
    <>
      <p>{t('households:leaveQuestion')}</p>
      <DialogActions>
        <Button kind="plain" onPress={onClose}>
          {t('households:stay')}
        </Button>
        <Button
          kind="danger"
          isBusy={leave.isPending}
          onPress={() => leave.mutate(undefined, { onSuccess: onClose })}
        >
          {t('households:leave')}
        </Button>
      </DialogActions>
    </>
  );
}

// The key starts like those of the entry lists, so that the household is refetched with them when hours change.
const HOUSEHOLD = ['time-entries', 'household'];

/** The viewer's household; null if there is none. */
function useHousehold() {
  return useQuery({
    queryKey: HOUSEHOLD,
    queryFn: async ({ signal }) => (await call(getHousehold, { signal })).household,
  });
}

/** Changes to the viewer's household. Each shows its result; the form shows why a code was rejected. */
function useHouseholdChanges() {
  const client = useQueryClient();
  function show({ household, message }: { household: HouseholdShown | null; message: string }) {
    client.setQueryData(HOUSEHOLD, household);
    notify.success(message);
  }
  const showFailure = (error: unknown) => notify.failure(failureText(error));
  return {
    make: useMutation({
      mutationFn: () => call(makeHousehold),
      onSuccess: show,
      onError: showFailure,
    }),
    renew: useMutation({
      mutationFn: () => call(makeHouseholdCode),
      onSuccess: show,
      onError: (error) => {
        showFailure(error);
        // The user may have left the household in another tab.
        return client.invalidateQueries({ queryKey: HOUSEHOLD });
      },
    }),
    join: useMutation({
      mutationFn: (code: string) => call(joinHousehold, { body: { code, agrees: true } }),
      onSuccess: show,
    }),
    leave: useMutation({
      mutationFn: () => call(leaveHousehold),
      onSuccess: ({ message }) => show({ household: null, message }),
      onError: showFailure,
    }),
  };
}
