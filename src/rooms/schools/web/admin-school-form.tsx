import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { useForm } from '#web/lib/use-form.ts';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import type { RecordForm } from '#web/ui/admin/record-list.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { LIMITS, type School, SchoolInput } from '../contract.ts';
import { useSaveSchool } from './admin-api.ts';

/** A school's name. */
export function SchoolForm({ opened, onClose, onDelete, onReload }: RecordForm<School>) {
  const { t } = useText();
  const save = useSaveSchool();
  const school = opened.kind === 'edit' ? opened.row : undefined;
  const form = useForm({
    schema: SchoolInput,
    initial: { name: school?.name ?? '' },
    send: async (body) => {
      const { message } = await save.mutateAsync({ school, body });
      notify.success(message);
      onClose();
    },
  });
  return (
    <PanelForm
      form={form}
      saveText={t(school === undefined ? 'schools:create' : 'web:save')}
      onCancel={onClose}
      {...(school === undefined
        ? {}
        : {
            deleteText: t('schools:deleteTitle'),
            onDelete: () => onDelete(school),
            onReload: () => void onReload(school),
          })}
    >
      <TextField
        {...form.field('name')}
        label={t('schools:name')}
        maxLength={LIMITS.name}
        autoComplete="off"
        isRequired
      />
    </PanelForm>
  );
}
