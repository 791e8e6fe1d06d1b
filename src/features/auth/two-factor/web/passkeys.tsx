import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '#shared/calendar-date.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmRemove } from '#web/ui/confirm-remove.tsx';
import { MutationMessage } from '#web/ui/mutation-message.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import {
  addPasskey,
  listPasskeys,
  messages,
  offerPasskey,
  type Passkey,
  PasskeyName,
  removePasskey,
  renamePasskey,
} from '../passkey-contract.ts';
import { useInvalidateSecondFactor, useNewRecoveryCodes } from './api.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { createPasskey, hasPasskeys } from './webauthn.ts';

/** In Account Settings: the user's passkeys, each with its name and last use, and a form that adds one. */
export function Passkeys({ zone }: { zone: string }) {
  const { t } = useTranslation();
  const passkeys = usePasskeys();
  const { removal } = usePasskeyChanges();
  const [asked, setAsked] = useState<Passkey>();
  const { data } = passkeys;
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium">{t('two-factor:passkeysTitle')}</h4>
      <p className="text-sm text-soft">{t('two-factor:passkeysHelp')}</p>
      {passkeys.isError && data === undefined && (
        <QueryError text={t('two-factor:passkeysFailed')} query={passkeys} />
      )}
      {data !== undefined && data.passkeys.length > 0 && (
        <ul className="divide-y divide-line rounded-xl border border-line">
          {data.passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              zone={zone}
              onRemove={() => setAsked(passkey)}
              isRemoving={removal.isPending && removal.variables === passkey.id}
            />
          ))}
        </ul>
      )}
      <ConfirmRemove
        title={t('two-factor:passkeyRemoveTitle')}
        question={asked && t('two-factor:passkeyRemoveAsk', { name: asked.name })}
        confirmText={t('two-factor:removeConfirm')}
        onConfirm={async () => {
          setAsked(undefined);
          if (asked !== undefined) removal.mutate(asked.id);
        }}
        onClose={() => setAsked(undefined)}
      />
      <MutationMessage mutation={removal} />
      {data !== undefined && <Adding offeredAt={data.offeredAt} />}
    </div>
  );
}

type PasskeyRowProps = { passkey: Passkey; zone: string; onRemove: () => void; isRemoving: boolean };

function PasskeyRow({ passkey, zone, onRemove, isRemoving }: PasskeyRowProps) {
  const { t, language } = useTranslation();
  const [isRenamed, setIsRenamed] = useState(false);
  const { name, createdAt, lastUsedAt, worksAt } = passkey;
  if (isRenamed) return <Renaming passkey={passkey} onDone={() => setIsRenamed(false)} />;
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 px-4 py-2">
      <span className="flex min-w-0 flex-col">
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="text-sm text-soft">
          {lastUsedAt === null
            ? t('two-factor:passkeyAddedOn', { when: formatMoment(createdAt, language, zone) })
            : t('two-factor:passkeyLastUsed', { when: formatMoment(lastUsedAt, language, zone) })}
        </span>
        {worksAt !== null && (
          <span className="text-sm text-soft">{t('two-factor:passkeyWorksAt', { address: worksAt })}</span>
        )}
      </span>
      <span className="flex flex-wrap gap-2">
        <Button label={t('two-factor:passkeyRenameOne', { name })} onPress={() => setIsRenamed(true)}>
          {t('two-factor:passkeyRename')}
        </Button>
        <Button label={t('two-factor:passkeyRemoveOne', { name })} onPress={onRemove} isBusy={isRemoving}>
          {t('two-factor:passkeyRemove')}
        </Button>
      </span>
    </li>
  );
}

function Renaming({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { t } = useTranslation();
  const { rename } = usePasskeyChanges();
  const form = useForm({
    schema: PasskeyName,
    initial: { name: passkey.name },
    send: async ({ name }) => {
      await rename(passkey.id, name);
      onDone();
    },
  });
  return (
    <li className="px-4 py-3">
      <form noValidate className="flex flex-col gap-2" onSubmit={form.onSubmit}>
        <TextField {...form.field('name')} label={t('two-factor:passkeyName')} isRequired />
        <FormMessage message={form.message} summary={form.summary} />
        <div className="flex flex-wrap gap-2">
          <Button
            kind="primary"
            type="submit"
            isBusy={form.isSending}
            busyText={t('two-factor:passkeySaving')}
          >
            {t('two-factor:passkeySave')}
          </Button>
          <Button kind="plain" onPress={onDone}>
            {t('two-factor:passkeyCancel')}
          </Button>
        </div>
      </form>
    </li>
  );
}

// If no passkey can be created, a sentence explains why instead of the form.
function Adding({ offeredAt }: { offeredAt: string | null }) {
  const { t, say } = useTranslation();
  if (offeredAt === null) return <p className="text-sm">{say(messages.notHere)}</p>;
  if (offeredAt !== location.origin) {
    return <p className="text-sm">{t('two-factor:passkeysElsewhere', { address: offeredAt })}</p>;
  }
  if (!hasPasskeys()) return <p className="text-sm">{t('two-factor:passkeysUnknownHere')}</p>;
  return <AddingForm />;
}

function AddingForm() {
  const { t } = useTranslation();
  const { add } = usePasskeyChanges();
  const { codes, show, forget } = useNewRecoveryCodes('passkey');
  const [done, setDone] = useState<string>();
  const form = useForm({
    schema: PasskeyName,
    initial: { name: t('two-factor:passkeyDefaultName') },
    send: async ({ name }) => {
      setDone(undefined);
      const { message, recoveryCodes } = await add(name);
      if (recoveryCodes !== null) show(recoveryCodes);
      setDone(message);
    },
    failed: messages.notAdded,
    whenLeft: 'no loss',
  });
  return (
    <form noValidate className="flex flex-col gap-2" onSubmit={form.onSubmit}>
      <TextField {...form.field('name')} label={t('two-factor:passkeyName')} isRequired />
      <FormMessage message={form.message} summary={form.summary} success={done} />
      {codes !== undefined && (
        <RecoveryCodes codes={codes} help={t('two-factor:passkeyRecoveryHelp')} onDone={forget} />
      )}
      <div>
        <Button type="submit" isBusy={form.isSending} busyText={t('two-factor:passkeyAdding')}>
          {t('two-factor:passkeyAdd')}
        </Button>
      </div>
    </form>
  );
}

const KEY = ['passkeys'];

/** The viewer's passkeys. */
function usePasskeys() {
  return useQuery({ queryKey: KEY, queryFn: () => call(listPasskeys), staleTime: 0 });
}

/** Changes to the viewer's passkeys, after which the list is refetched. */
function usePasskeyChanges() {
  const client = useQueryClient();
  const changed = useInvalidateSecondFactor();
  const refetch = () => {
    void client.invalidateQueries({ queryKey: KEY });
    changed();
  };
  const shown = <Reply,>(reply: Reply): Reply => {
    refetch();
    return reply;
  };
  return {
    add: async (name: string) => {
      const { options } = await call(offerPasskey);
      const passkey = await createPasskey(options);
      return shown(await call(addPasskey, { body: { name, passkey } }));
    },
    rename: async (id: number, name: string) =>
      shown(await call(renamePasskey, { params: { id }, body: { name } })),
    removal: useMutation({
      mutationFn: (id: number) => call(removePasskey, { params: { id } }),
      onSettled: refetch,
    }),
  };
}
