import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import type { District } from '#features/schools/district-settings/contract.ts';
import { isHours, totalOfflineHours } from '#features/time-entries/web/offline-hours.ts';
import type { User } from '#features/users/contract.ts';
import { formatMoment, instantOf } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import { createExternalStore } from '#web/api/external-store.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { useIsConnectionLost } from '#web/offline/connection-monitor.ts';
import { currentPendingChanges, usePendingChanges } from '#web/offline/pending-changes.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmRemove } from '#web/ui/confirm-remove.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { notify } from '#web/ui/toasts.ts';
import { updateToday } from './cached-lists.ts';
import { type OfflineSession, startOfflineSession } from './offline-data.ts';
import { PendingList } from './pending-list.tsx';
import { describePending } from './pending-summary.ts';

export { showCachedData } from './offline-data.ts';

const MINUTE_MS = 60_000;
/** The longest a sign-out waits for a browser whose storage hangs. */
const STORAGE_TIMEOUT_MS = 2_000;

// Components that show the session may render before it has started.
const current = createExternalStore<OfflineSession | undefined>(undefined);
let ask: (go: () => void) => void = () => {};

/** Signs out with `go`, but asks first if this device has pending changes. */
export function signOutBy(go: () => void): void {
  if (currentPendingChanges().waiting.length > 0) ask(go);
  else void leave('delete', go);
}

type OfflineProps = { token: string; user: User; district: District };

/** A notice while there is no connection. */
export function Signal({ zone }: { zone: string }): ReactNode {
  return useIsConnectionLost() && <OfflineNotice zone={zone} />;
}

/** Stores and shows pending changes of the signed-in user, and asks before a sign-out loses any. */
export function Offline({ token, user, district }: OfflineProps) {
  const client = useQueryClient();
  const [leaving, setLeaving] = useState<() => void>();
  const isLost = useIsConnectionLost();
  const session = current.useValue();
  useSession({ token, user, onAsk: (go) => setLeaving(() => go) });
  useEffect(() => {
    if (!isLost) return;
    updateToday(client);
    const timer = setInterval(() => updateToday(client), MINUTE_MS);
    return () => clearInterval(timer);
  }, [isLost, client]);
  return (
    <>
      {session !== undefined && <PendingList session={session} today={district.today} />}
      <SignOutDialog go={leaving} onClose={() => setLeaving(undefined)} />
    </>
  );
}

/** The pending hours that the total above doesn't include yet. */
export function PendingHoursNote(): ReactNode {
  const { t, language } = useTranslation();
  const hours = totalOfflineHours(usePendingChanges().waiting.filter(isHours));
  return (
    hours > 0 && (
      <p className="text-dense text-soft">
        {t('time-entries:notCounted', { hours: formatHours(hours, language) })}
      </p>
    )
  );
}

/** The section of Account Settings about stored data on this device. */
export function StoredOnDevice(): ReactNode {
  const session = current.useValue();
  return session !== undefined && <StoredData session={session} />;
}

// The offline session starts and ends with this screen.
function useSession({
  token,
  user,
  onAsk,
}: Pick<OfflineProps, 'token' | 'user'> & { onAsk: (go: () => void) => void }) {
  const client = useQueryClient();
  const { waiting } = usePendingChanges();
  const isShared = current.useValue()?.isShared ?? false;
  const { id } = user;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed name or school does not start another session
  useEffect(() => {
    const [session, end] = startOfflineSession({ client, token, user });
    current.set(session);
    ask = onAsk;
    return () => {
      current.set(undefined);
      end();
    };
  }, [client, token, id]);
  // On a shared computer, pending changes are lost with the last tab.
  const wouldLose = isShared && waiting.length > 0;
  useEffect(() => {
    if (!wouldLose) return;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', stay);
    return () => removeEventListener('beforeunload', stay);
  }, [wouldLose]);
}

async function leave(how: 'keep' | 'delete', go: () => void): Promise<void> {
  const session = current.get();
  session?.stopStoring();
  const cleared = session?.store.then((store) =>
    how === 'keep' ? store?.deleteLists() : store?.removeAll(),
  );
  const tooLong = new Promise((resolve) => setTimeout(resolve, STORAGE_TIMEOUT_MS));
  await Promise.race([cleared, tooLong]).catch(() => undefined);
  await session?.updateFlag();
  go();
}

function OfflineNotice({ zone }: { zone: string }) {
  const { t, language } = useTranslation();
  const client = useQueryClient();
  const lists = client.getQueryCache().findAll({ queryKey: ['activities'] });
  const at = Math.max(0, ...lists.map(({ state }) => state.dataUpdatedAt));
  return (
    <p className="flex gap-3 py-2 text-notice">
      <CloudOff aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <span className="min-w-0 grow wrap-anywhere">
        <span>{t('web:noSignalKept')}</span>
        {at > 0 && (
          <span> {t('web:listsFrom', { moment: formatMoment(instantOf(at), language, zone) })}</span>
        )}
      </span>
    </p>
  );
}

function SignOutDialog({ go, onClose }: { go: (() => void) | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const isShared = current.useValue()?.isShared ?? false;
  function out(how: 'keep' | 'delete') {
    onClose();
    if (go !== undefined) void leave(how, go);
  }
  return (
    <Dialog title={t('web:signOutTitle')} isOpen={go !== undefined} onClose={onClose} isAlert>
      <div id={id} className="flex flex-col gap-2">
        <PendingText />
        {isShared && <p>{t('web:signOutShared')}</p>}
      </div>
      <DialogActions>
        <Button kind="danger" describedBy={id} onPress={() => out('delete')}>
          {t('web:signOutDelete')}
        </Button>
        {!isShared && <Button onPress={() => out('keep')}>{t('web:signOutKeep')}</Button>}
        <Button kind="primary" onPress={onClose}>
          {t('web:stay')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

// Only mounted while the dialog is open, because formatting the list takes long on a slow phone.
function PendingText() {
  const text = useTranslation();
  const { waiting } = usePendingChanges();
  return <p>{text.t('web:signOutWaiting', { what: describePending(waiting, text) })}</p>;
}

// The data that this device stores for the account, and a button that removes it.
function StoredData({ session }: { session: OfflineSession }) {
  const text = useTranslation();
  const { t } = text;
  const { waiting } = usePendingChanges();
  const [isAsking, setIsAsking] = useState(false);
  const id = useId();
  const store = useQuery({
    queryKey: ['public', 'kept-store', session.number],
    queryFn: () => session.store.then((opened) => opened ?? null),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  if (store.data === undefined) return null;
  const what = describePending(waiting, text);
  async function remove() {
    await session.removeAll();
    setIsAsking(false);
    notify.success(t('web:removedAllKept'));
  }
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h4 id={id} className="font-medium">
        {t('web:onThisDevice')}
      </h4>
      {store.data === null ? (
        <p className="text-soft">{t('web:keepsNothing')}</p>
      ) : (
        <>
          <p className="text-soft">{t(session.isShared ? 'web:keptHereShared' : 'web:keptHere')}</p>
          {what !== '' && <p>{t('web:keptWaiting', { what })}</p>}
          <div>
            <Button onPress={() => (what === '' ? void remove() : setIsAsking(true))}>
              {t('web:removeAllKept')}
            </Button>
          </div>
        </>
      )}
      <ConfirmRemove
        title={t('web:removeAllTitle')}
        question={isAsking ? t('web:removeAllWarning', { what }) : undefined}
        confirmText={t('web:removeAllKept')}
        onConfirm={remove}
        onClose={() => setIsAsking(false)}
      />
    </section>
  );
}
