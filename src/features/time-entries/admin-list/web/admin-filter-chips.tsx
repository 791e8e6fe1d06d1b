import { useState } from 'react';
import { AdminActivityPicker } from '#features/activities/web/admin-activity-picker.tsx';
import { useActivities } from '#features/activities/web/api.ts';
import { UserPicker } from '#features/users/web/admin-user-picker.tsx';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { PressChip, SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

type Chosen = Readonly<{
  user: Readonly<{ id: Id; name: string }> | undefined;
  activityId: Id | undefined;
  /** The activity's name, when it was chosen from the activities of all schools. */
  activityName?: string | undefined;
}>;

type PersonActivityChipsProps = {
  /** Undefined means all schools. */
  schoolId: Id | undefined;
  filters: Chosen;
  onChange: (change: Partial<Chosen>) => void;
};

/** Filters entries by the volunteer and by the activity. */
export function PersonActivityChips({ schoolId, filters, onChange }: PersonActivityChipsProps) {
  const { t } = useTranslation();
  const [isPicking, setIsPicking] = useState(false);
  const { user, activityId } = filters;
  return (
    <>
      <PressChip
        label={t('time-entries:user')}
        text={user?.name ?? t('users:allUsers')}
        onPress={() => setIsPicking(true)}
        onClear={user === undefined ? undefined : () => onChange({ user: undefined })}
      />
      {schoolId === undefined ? (
        <AnyActivityChip {...filters} onChange={onChange} />
      ) : (
        <ActivityChip
          schoolId={schoolId}
          activityId={activityId}
          onChange={(chosen) => onChange({ activityId: chosen, activityName: undefined })}
        />
      )}
      <Dialog title={t('users:chooseVolunteer')} isOpen={isPicking} onClose={() => setIsPicking(false)}>
        <UserPicker
          {...(schoolId !== undefined && { schoolId })}
          onPick={({ id, name }) => {
            onChange({ user: { id, name } });
            setIsPicking(false);
          }}
        />
      </Dialog>
    </>
  );
}

type AnyActivityChipProps = Pick<Chosen, 'activityId' | 'activityName'> &
  Pick<PersonActivityChipsProps, 'onChange'>;

// A district has thousands of activities, so they are searched by name.
function AnyActivityChip({ activityId, activityName, onChange }: AnyActivityChipProps) {
  const { t } = useTranslation();
  const [isPicking, setIsPicking] = useState(false);
  const clear = () => onChange({ activityId: undefined, activityName: undefined });
  return (
    <>
      <PressChip
        label={t('time-entries:activity')}
        text={
          activityId === undefined ? t('time-entries:allActivities') : (activityName ?? String(activityId))
        }
        onPress={() => setIsPicking(true)}
        onClear={activityId === undefined ? undefined : clear}
      />
      <Dialog title={t('time-entries:chooseActivity')} isOpen={isPicking} onClose={() => setIsPicking(false)}>
        <AdminActivityPicker
          onPick={({ id, name }) => {
            onChange({ activityId: id, activityName: name });
            setIsPicking(false);
          }}
        />
      </Dialog>
    </>
  );
}

type ActivityChipProps = {
  schoolId: Id;
  activityId: Id | undefined;
  onChange: (activityId: Id | undefined) => void;
};

function ActivityChip({ schoolId, activityId, onChange }: ActivityChipProps) {
  const { t } = useTranslation();
  const activities = useActivities(schoolId);
  return (
    <SelectChip
      label={t('time-entries:activity')}
      all={t('time-entries:allActivities')}
      value={activityId === undefined ? '' : String(activityId)}
      onChange={(value) => onChange(value === '' ? undefined : Number(value))}
      choices={(activities.data ?? []).map((one) => ({ value: String(one.id), text: one.name }))}
    />
  );
}
