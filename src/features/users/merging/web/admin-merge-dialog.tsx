import { useState } from 'react';
import { dayIn, formatDay } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { failureText } from '#web/api/call.ts';
import { inWords } from '#web/i18n/count-text.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { RadioList } from '#web/ui/admin/radio-list.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { notifyResult } from '#web/ui/notify-result.ts';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { notify } from '#web/ui/toasts.ts';
import type { AdminUser } from '../../admin-contract.ts';
import { useUnverifiedEmailConfirm } from '../../web/admin-unverified-email-confirm.tsx';
import { CHOSEN, type Holding, type Keep, screenMessages } from '../contract.ts';
import { useMerge, usePreviewMerge, useUndoMerge } from './admin-api.ts';

export type MergeProps = {
  viewerId: number;
  timeZone: string;
  onClose: () => void;
  onMerged: () => void;
};

type Both = readonly [AdminUser, AdminUser];

/** Compares two accounts, and asks which one survives with which name and address. */
export function MergeDialog({ pair, ...given }: MergeProps & { pair: Both | undefined }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('merging:mergeTitle')} isOpen={pair !== undefined} onClose={given.onClose}>
      {pair !== undefined && <MergeQuestion pair={pair} {...given} />}
    </Dialog>
  );
}

/** The content of `MergeDialog`. */
export function MergeQuestion({ pair, viewerId, timeZone, onClose, onMerged }: MergeProps & { pair: Both }) {
  const [one, other] = pair;
  const { t } = useTranslation();
  const [intoId, setIntoId] = useState(() => likelyToStay(pair, viewerId).id);
  const [keep, setKeep] = useState<Keep>({});
  const [failure, setFailure] = useState<string>();
  const [fromId] = [one.id, other.id].filter((id) => id !== intoId);
  const preview = usePreviewMerge(fromId ?? 0, intoId);
  const merging = useMerge();
  const { sendSure, question } = useUnverifiedEmailConfirm();
  const undoing = useUndoMerge();
  const seen = preview.data;

  if (seen === undefined)
    return <QueryPlaceholder text={screenMessages.failedToCompare} query={preview} rows={6} />;
  const { from, into, problem } = seen;

  async function merge() {
    setFailure(undefined);
    try {
      const { message, merge } = await sendSure((said) => merging.mutateAsync({ from, into, keep, ...said }));
      notify.success(message, { undo: () => void notifyResult(undoing.mutateAsync(merge.id)) });
      onMerged();
    } catch (error) {
      setFailure(failureText(error));
      void preview.refetch();
    }
  }
  function stay(id: string) {
    setIntoId(Number(id));
    setKeep({});
    setFailure(undefined);
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        // This dialog can be rendered inside the guest volunteer form. Don't submit that form too.
        event.stopPropagation();
        if (!merging.isPending && problem === null) void merge();
      }}
    >
      <StayChoice pair={pair} held={[from, into]} intoId={intoId} onChange={stay} timeZone={timeZone} />
      {differing(from, into).map((name) => (
        <RadioList
          key={name}
          name={name}
          label={t(`merging:${name}`)}
          value={keep[name] ?? 'into'}
          onChange={(side) => setKeep({ ...keep, [name]: side })}
          choices={[
            { value: 'into', text: into.user[name], about: t('merging:ofStaying') },
            { value: 'from', text: from.user[name], about: t('merging:ofOther') },
          ]}
        />
      ))}
      <MergedDataNotes from={from} into={into} keep={keep} />
      <FormMessage message={failure ?? problem ?? undefined} />
      <DialogActions>
        <Button kind="plain" onPress={onClose}>
          {t('web:cancel')}
        </Button>
        <Button
          kind="primary"
          type="submit"
          isBusy={merging.isPending}
          isDisabled={problem !== null || preview.isPlaceholderData}
        >
          {t('merging:merge')}
        </Button>
      </DialogActions>
      {question}
    </form>
  );
}

type StayProps = {
  pair: Both;
  held: readonly Holding[];
  intoId: number;
  onChange: (id: string) => void;
  timeZone: string;
};

function StayChoice({ pair, held, intoId, onChange, timeZone }: StayProps) {
  const { t, language } = useTranslation();
  const about = ({ id }: AdminUser) => {
    const holding = held.find(({ user }) => user.id === id);
    if (holding === undefined) return '';
    const { user, entries, hours, signsIn } = holding;
    return [
      user.email || t('merging:noAddress'),
      entries === 0
        ? t('merging:noHours')
        : t('merging:hours', { count: entries, hours: formatHours(hours, language) }),
      user.userSchools.map(({ school }) => school.name).join(', ') || t('users:noSchools'),
      t(signsIn ? 'merging:signsIn' : 'merging:noSignIn'),
      user.lastLogin === null
        ? t('merging:neverSignedIn')
        : t('merging:lastSignIn', { day: formatDay(dayIn(timeZone, user.lastLogin), language) }),
    ].join(' · ');
  };
  return (
    <RadioList
      name="stays"
      label={t('merging:stays')}
      value={String(intoId)}
      onChange={onChange}
      choices={pair.map((user) => ({ value: String(user.id), text: fullName(user), about: about(user) }))}
    />
  );
}

/** Explains what happens to the other account's data. */
function MergedDataNotes({ from, into, keep }: { from: Holding; into: Holding; keep: Keep }) {
  const text = useTranslation();
  const { t, language } = text;
  const name = fullName({
    firstName: (keep.firstName === 'from' ? from : into).user.firstName,
    lastName: (keep.lastName === 'from' ? from : into).user.lastName,
  });
  const things = inWords(
    [
      { count: from.entries, message: screenMessages.countedEntries },
      { count: from.photos, message: screenMessages.countedPhotos },
      { count: from.suggestions, message: screenMessages.countedSuggestions },
      { count: from.letters, message: screenMessages.countedLetters },
    ],
    text,
  );
  const hours = formatHours(from.hours + into.hours, language);
  return (
    <div className="flex flex-col gap-2 rounded-xl bg-wash px-4 py-3" role="status">
      <p>{things === '' ? t('merging:keepsNothing') : t('merging:keeps', { things, name, hours })}</p>
      <p>{t(from.user.isWalkIn ? 'merging:keepsOfWalkIn' : 'merging:keepsRest', { name })}</p>
    </div>
  );
}

// Leaves out the address of a guest volunteer, which cannot be used to sign in.
function differing(from: Holding, into: Holding): (typeof CHOSEN)[number][] {
  return CHOSEN.filter(
    (name) => from.user[name] !== into.user[name] && (name !== 'email' || !from.user.isWalkIn),
  );
}

// The suggested survivor: the viewer's own account, which cannot be merged away; otherwise the one that is not a guest
// volunteer, is active, or was used more recently.
function likelyToStay([one, other]: Both, viewerId: number): AdminUser {
  const weight = ({ id, isWalkIn, isActive, lastLogin }: AdminUser) =>
    `${Number(id === viewerId)}${Number(!isWalkIn)}${Number(isActive)}${lastLogin ?? ''}`;
  return weight(other) > weight(one) ? other : one;
}
