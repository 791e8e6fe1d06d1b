import { useState } from 'react';
import type { Id } from '#base/id.ts';
import { useActivities } from '#rooms/activities/web/api.ts';
import { UserPicker } from '#rooms/users/web/admin-user-picker.tsx';
import { useText } from '#web/lib/text.ts';
import { PressChip, SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

type Chosen = Readonly<{
  user: Readonly<{ id: Id; name: string }> | undefined;
  activityId: Id | undefined;
}>;

type PersonActivityChipsProps = {
  /** Undefined for all schools: then no activity can be chosen, there would be thousands. */
  schoolId: Id | undefined;
  filters: Chosen;
  onChange: (change: Partial<Chosen>) => void;
};

/** Filters entries by the volunteer and by the activity. */
export function PersonActivityChips({ schoolId, filters, onChange }: PersonActivityChipsProps) {
  const { t } = useText();
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
      {schoolId !== undefined && (
        <ActivityChip
          schoolId={schoolId}
          activityId={activityId}
          onChange={(chosen) => onChange({ activityId: chosen })}
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

type ActivityChipProps = {
  schoolId: Id;
  activityId: Id | undefined;
  onChange: (activityId: Id | undefined) => void;
};

function ActivityChip({ schoolId, activityId, onChange }: ActivityChipProps) {
  const { t } = useText();
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
