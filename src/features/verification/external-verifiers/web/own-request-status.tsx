import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { AtSign } from 'lucide-react';
import { useState } from 'react';
import type { TimeEntry } from '#features/time-entries/contract.ts';
import { changeSupervisor } from '#features/time-entries/verification-contract.ts';
import { EntryFacts } from '#features/time-entries/web/entry-row.tsx';
import { rememberVerifier } from '#features/time-entries/web/remembered-verifier.ts';
import type { User } from '#features/users/contract.ts';
import { dayIn, formatDay, formatDayShort } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import { listOwnVerifierRequests, type OwnVerifierRequest } from '../request-contract.ts';

// Under the key of the entries, so that it is reloaded with them.
const ownRequestsQuery = queryOptions({
  queryKey: ['time-entries', 'asked'],
  queryFn: ({ signal }) => call(listOwnVerifierRequests, { signal }),
});

/**
 * Loads the requests before the entries are shown, so that rows do not grow under a finger. If loading fails, the entries are
 * shown without them.
 */
export function useOwnVerifierRequests(isWanted: boolean) {
  return useQuery({ ...ownRequestsQuery, enabled: isWanted });
}

type VerifierRequestStatusProps = {
  entry: TimeEntry;
  /** The signed-in user, who may name another verifier for their own hours. */
  user: Pick<User, 'id'>;
  timeZone: string;
};

/** Shows the external verifier of waiting hours, the status of the email, and a way to change the verifier. */
export function VerifierRequestStatus({ entry, user, timeZone }: VerifierRequestStatusProps) {
  const text = useTranslation();
  const { t, language } = text;
  const [isNaming, setIsNaming] = useState(false);
  const isWaiting = entry.user.id === user.id && entry.verification?.status === 'waiting';
  const { data } = useOwnVerifierRequests(isWaiting);
  const request = isWaiting ? data?.asked.find(({ entryId }) => entryId === entry.id) : undefined;
  if (request === undefined) return null;
  const isAtFault = request.state === 'failed' || request.state === 'stopped';
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3">
      <p className={`min-w-0 grow basis-60 wrap-anywhere ${isAtFault ? 'text-notice' : 'text-soft'}`}>
        {requestLabel(request, timeZone, text)}
        {isAtFault &&
          !request.isNamedHere &&
          ` ${t('verification:ownAskedSchool', { school: entry.school.name })}`}
      </p>
      {request.isNamedHere && (
        <div className="-ml-3">
          <Button
            kind="plain"
            icon={<AtSign aria-hidden="true" className="size-5" />}
            label={t('verification:changeSupervisorOf', {
              activity: entry.activity.name,
              hours: t('time-entries:shortHours', { hours: formatHours(entry.hours, language) }),
              date: formatDayShort(entry.entryDate, language),
            })}
            onPress={() => setIsNaming(true)}
          >
            {t('verification:changeSupervisor')}
          </Button>
        </div>
      )}
      <Dialog
        title={t('verification:changeSupervisorTitle')}
        isOpen={isNaming}
        onClose={() => setIsNaming(false)}
      >
        {isNaming && <SupervisorForm entry={entry} named={request.to} onClose={() => setIsNaming(false)} />}
      </Dialog>
    </div>
  );
}

function SupervisorForm({ entry, named, onClose }: { entry: TimeEntry; named: string; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const form = useForm({
    schema: changeSupervisor.parts.body,
    initial: { address: named },
    send: async (body) => {
      const { message } = await call(changeSupervisor, { params: { id: entry.id }, body });
      rememberVerifier(entry.user.id, entry.activityId, body.address);
      void client.invalidateQueries({ queryKey: ['time-entries'] });
      notify.success(message);
      onClose();
    },
  });
  return (
    <DialogForm form={form} onCancel={onClose}>
      <EntryFacts entry={entry} />
      <TextField
        {...form.field('address')}
        label={t('time-entries:supervisor')}
        hint={t('verification:changeSupervisorAll', { activity: entry.activity.name, address: named })}
        type="email"
        isRequired
      />
    </DialogForm>
  );
}

function requestLabel(
  { to, at, state }: OwnVerifierRequest,
  timeZone: string,
  { t, language }: Text,
): string {
  const address = to;
  if (state === 'failed') return t('verification:ownAskedFailed', { address });
  if (state === 'stopped') return t('verification:ownAskedStopped', { address });
  if (at === null) return t('verification:ownAskedLater', { address });
  return t('verification:ownAskedSent', { address, date: formatDay(dayIn(timeZone, at), language) });
}
