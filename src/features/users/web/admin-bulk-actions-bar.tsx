import { useState } from 'react';
import { usePermittedSchools } from '#features/schools/web/admin-permitted-schools.ts';
import type { Id } from '#shared/id.ts';
import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { FilterSelect } from '#web/ui/admin/filter-select.tsx';
import { SelectionBar } from '#web/ui/admin/selection-bar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { notifyResult } from '#web/ui/notify-result.ts';
import { notify } from '#web/ui/toasts.ts';
import type { BulkAction } from '../admin-contract.ts';
import { type NamedUser, useChangeManyUsers } from './admin-api.ts';
import { useUnverifiedEmailConfirm } from './admin-unverified-email-confirm.tsx';

type ManyBarProps = {
  chosen: readonly NamedUser[];
  onClear: () => void;
  /** Opens an announcement to the users; undefined if the viewer may not send one. */
  onWrite: (() => void) | undefined;
};

// An approval cannot be undone, because a photo that was seen cannot be unseen; so it asks first.
const OPPOSITE = {
  deactivate: 'activate',
  activate: 'deactivate',
  join: 'leave',
  leave: 'join',
  approve: undefined,
} as const;

/**
 * Actions on the selected users that apply to them. All but reactivation ask for confirmation; all but an approval can be
 * undone.
 */
export function BulkActionsBar({ chosen, onClear, onWrite }: ManyBarProps) {
  const { t } = useTranslation();
  const change = useChangeManyUsers();
  const { sendSure, question } = useUnverifiedEmailConfirm();
  const [asked, setAsked] = useState<'deactivate' | 'join' | 'approve'>();
  const active = chosen.filter(({ isActive }) => isActive);
  const unapproved = chosen.filter(({ photosHiddenAt }) => photosHiddenAt !== undefined);
  const inactive = chosen.filter(({ isActive }) => !isActive);

  async function apply(deed: BulkAction, people: readonly { id: Id }[], schoolId?: Id) {
    const userIds = people.map(({ id }) => id);
    const { changed, message } = await sendSure((said) =>
      change.mutateAsync({ userIds, count: userIds.length, deed, schoolId, ...said }),
    );
    const opposite = OPPOSITE[deed];
    const undo =
      opposite &&
      (() =>
        void notifyResult(
          change.mutateAsync({ userIds: changed, count: changed.length, deed: opposite, schoolId }),
        ));
    notify.success(message, changed.length === 0 || undo === undefined ? {} : { undo });
    setAsked(undefined);
    onClear();
  }

  return (
    <>
      <SelectionBar text={t('users:selectedUsers', { count: chosen.length })} isShown={chosen.length > 0}>
        {onWrite !== undefined && <Button onPress={onWrite}>{t('users:writeMany')}</Button>}
        <Button onPress={() => setAsked('join')}>{t('users:joinMany')}</Button>
        {unapproved.length > 0 && (
          <Button onPress={() => setAsked('approve')}>{t('users:approveMany')}</Button>
        )}
        {active.length > 0 && (
          <Button onPress={() => setAsked('deactivate')}>{t('users:deactivateMany')}</Button>
        )}
        {inactive.length > 0 && (
          <Button
            isBusy={change.isPending}
            onPress={() =>
              void apply('activate', inactive).catch((error: unknown) => notify.failure(failureText(error)))
            }
          >
            {t('users:activateMany')}
          </Button>
        )}
        <Button kind="plain" onPress={onClear}>
          {t('users:clearUsers')}
        </Button>
      </SelectionBar>
      <ConfirmDelete
        title={t('users:deactivateManyTitle')}
        question={asked === 'deactivate' ? t('users:deactivateManyAsk', { count: active.length }) : undefined}
        confirmText={t('users:deactivateMany')}
        onConfirm={() => apply('deactivate', active)}
        onClose={() => setAsked(undefined)}
      />
      <ConfirmDelete
        title={t('users:approveManyTitle')}
        question={asked === 'approve' ? t('users:approveManyAsk', { count: unapproved.length }) : undefined}
        confirmText={t('users:approveMany')}
        onConfirm={() => apply('approve', unapproved)}
        onClose={() => setAsked(undefined)}
      />
      <Dialog title={t('users:joinManyTitle')} isOpen={asked === 'join'} onClose={() => setAsked(undefined)}>
        <JoinQuestion
          count={chosen.length}
          onJoin={(schoolId) => apply('join', chosen, schoolId)}
          onCancel={() => setAsked(undefined)}
        />
      </Dialog>
      {question}
    </>
  );
}

type JoinQuestionProps = {
  count: number;
  onJoin: (schoolId: Id) => Promise<void>;
  onCancel: () => void;
};

function JoinQuestion({ count, onJoin, onCancel }: JoinQuestionProps) {
  const { t } = useTranslation();
  const schools = usePermittedSchools('manage people');
  const [wanted, setWanted] = useState<Id>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const schoolId = schools.preset?.id ?? wanted;

  async function join() {
    if (schoolId === undefined) return setFailure(t('users:userSchoolRequired'));
    setIsBusy(true);
    setFailure(undefined);
    try {
      await onJoin(schoolId);
    } catch (error) {
      setFailure(failureText(error));
      setIsBusy(false);
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <p>{t('users:joinManyAsk', { count })}</p>
      <FilterSelect
        label={t('users:joinWhich')}
        prompt={schools.preset === undefined ? t('schools:chooseOne') : undefined}
        value={schoolId === undefined ? '' : String(schoolId)}
        onChange={(value) => setWanted(Number(value) || undefined)}
        choices={(schools.data ?? []).map(({ id, name }) => ({ value: String(id), text: name }))}
      />
      <FormMessage message={failure} />
      <DialogActions>
        <Button kind="plain" onPress={onCancel}>
          {t('web:cancel')}
        </Button>
        <Button kind="primary" onPress={() => void join()} isBusy={isBusy} busyText={t('users:adding')}>
          {t('users:joinMany')}
        </Button>
      </DialogActions>
    </div>
  );
}
