import { CalendarPlus, Copy, QrCode } from 'lucide-react';
import { useRef } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import type { EditableListForm } from '#web/ui/admin/editable-list.tsx';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/toasts.ts';
import type { AdminActivity } from '../contract.ts';
import { ActivityFields, useActivityForm } from './admin-activity-form-fields.tsx';
import { canSubmit, copyForNextYear, valuesOf } from './admin-activity-form-values.ts';
import { useSaveActivity } from './admin-api.ts';

type ActivityFormProps = EditableListForm<AdminActivity> & {
  school: PublicSchool;
  /** Opens the dialog for printing a sign-in sheet; undefined if the viewer may not. */
  onPrintSheet: ((activity: AdminActivity) => void) | undefined;
  /** Opens the dialog that copies an activity to other schools; undefined if there are none. */
  onCopyToSchools: ((activity: AdminActivity) => void) | undefined;
};

/** The form for an activity, with every field from the specification (sections 3 to 5). */
export function ActivityForm(props: ActivityFormProps) {
  const { school, opened, onClose, onOpen, onDelete, onReload, onPrintSheet, onCopyToSchools } = props;
  const { t } = useTranslation();
  const save = useSaveActivity();
  const activity = opened.kind === 'edit' ? opened.row : undefined;
  const isAnother = useRef(false);
  const name = useRef<HTMLInputElement>(null);
  const form = useActivityForm(
    valuesOf(opened.kind === 'edit' ? opened.row : opened.from, school.id),
    async (body, { categoryId, isYearLong }) => {
      const { message } = await save.mutateAsync({ activity, body });
      notify.success(message);
      if (!isAnother.current) return onClose();
      // Keeps the category, because the next activity is often of the same kind.
      form.clear({ ...valuesOf(undefined, school.id), categoryId, isYearLong });
      name.current?.focus();
    },
    `activity ${activity?.id ?? `at ${school.id}`}`,
  );

  return (
    <PanelForm
      form={form}
      saveText={t(activity === undefined ? 'activities:create' : 'web:save')}
      isSaveDisabled={!canSubmit(form.values)}
      onCancel={onClose}
      {...(activity === undefined
        ? {
            another: {
              text: t('activities:createAnother'),
              onChosen: (isChosen) => {
                isAnother.current = isChosen;
              },
            },
          }
        : {
            deleteText: t('activities:deleteTitle'),
            onDelete: () => onDelete(activity),
            onReload: () => void onReload(activity),
          })}
    >
      {opened.kind === 'new' && opened.from !== undefined && (
        <Notice>{t(opened.from.activeFrom === null ? 'activities:copied' : 'activities:copiedDates')}</Notice>
      )}
      <ActivityFields form={form} school={school} nameRef={name} />
      {activity !== undefined && (
        <div className="flex flex-wrap gap-2 border-t border-line pt-4">
          <Button
            icon={<CalendarPlus aria-hidden="true" className="size-5" />}
            onPress={() => onOpen({ kind: 'new', from: copyForNextYear(activity) })}
          >
            {t('activities:copyToNextYear')}
          </Button>
          {onPrintSheet !== undefined && (
            <Button
              icon={<QrCode aria-hidden="true" className="size-5" />}
              onPress={() => onPrintSheet(activity)}
            >
              {t('time-entries:printSheet')}
            </Button>
          )}
          {onCopyToSchools !== undefined && (
            <Button
              icon={<Copy aria-hidden="true" className="size-5" />}
              onPress={() => onCopyToSchools(activity)}
            >
              {t('activities:copyToSchools')}
            </Button>
          )}
        </div>
      )}
    </PanelForm>
  );
}
