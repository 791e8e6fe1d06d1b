import { useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import { FormSchool } from '#features/schools/web/admin-form-school.tsx';
import { useLeaveArea } from '#web/forms/unsaved-changes.ts';
import { useBackCloses } from '#web/ui/use-back-closes.ts';
import type { AdminActivity } from '../../contract.ts';
import { copyForNextYear } from '../../web/admin-activity-form-values.ts';
import type { BulkDone } from '../contract.ts';
import { BulkAddedNotice } from './admin-activity-batches.tsx';
import { AddActivities } from './admin-add-activities.tsx';
import { EMPTY, keepDraft, keptDraft, saveBulkScreenOpen } from './bulk-draft.ts';
import type { ListRow } from './pasted-activities.ts';

/** What is open: the screen that adds several, the same for copies of next year, or the card that says what was added. */
export type BulkState =
  | Readonly<{ kind: 'add' }>
  | Readonly<{ kind: 'next year'; copies: readonly AdminActivity[] }>
  | Readonly<{ kind: 'done'; done: BulkDone }>;

/** The props of adding several activities, which is loaded on demand. */
export type BulkActivitiesProps = Readonly<{
  state: BulkState;
  /** Undefined in a list of all schools. */
  school: PublicSchool | undefined;
  zone: string;
  onDone: (done: BulkDone) => void;
  onClose: () => void;
}>;

/** Adds several activities at once, from a list, a set of usual ones, or as copies; afterwards a card with Undo. */
export function Several({ state, school, zone, onDone, onClose }: BulkActivitiesProps) {
  return state.kind === 'done' ? (
    <BulkAddedNotice done={state.done} onClose={onClose} />
  ) : (
    <Adding state={state} school={school} zone={zone} onDone={onDone} onClose={onClose} />
  );
}

function Adding({ state, school, zone, onDone, onClose }: BulkActivitiesProps) {
  const leave = useLeaveArea();
  const close = () => leave(onClose);
  useBackCloses(true, close, 'part');
  const [copies] = useState(() => (state.kind === 'next year' ? state.copies : []));
  return (
    <FormSchool school={copies[0]?.schoolId ?? school} needs="edit activities">
      {(at) => (
        <AddActivities
          school={at}
          zone={zone}
          start={
            copies.length > 0
              ? { ...EMPTY, rows: copies.map((activity, id) => copyOf(copyForNextYear(activity), id)) }
              : keptDraft(at.id)
          }
          isKept={copies.length === 0}
          onDone={(done) => {
            if (copies.length === 0) keepDraft(at.id, undefined);
            saveBulkScreenOpen(undefined);
            onDone(done);
          }}
          onClose={close}
        />
      )}
    </FormSchool>
  );
}

function copyOf(activity: AdminActivity, id: number): ListRow {
  const { name, category, description, activeFrom, activeUntil, descriptionPrompt } = activity;
  const { isActive, verifiedBy, outsideVerifier, translations } = activity;
  return {
    id,
    name,
    category: category.name,
    description: description ?? '',
    from: activeFrom ?? '',
    until: activeUntil ?? '',
    prompt: descriptionPrompt ?? '',
    more: { isActive, verifiedBy, outsideVerifier, translations },
  };
}
