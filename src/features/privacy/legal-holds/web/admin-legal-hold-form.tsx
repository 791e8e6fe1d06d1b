import { useState } from 'react';
import { usePublicSchools } from '#features/schools/web/api.ts';
import { UserPicker } from '#features/users/web/admin-user-picker.tsx';
import type { Id } from '#shared/id.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { notify } from '#web/ui/toasts.ts';
import { LIMITS, NewHold } from '../../retention/contract.ts';
import { usePlaceLegalHold } from '../../retention/web/admin-api.ts';

/** The form that places a legal hold on a person or a school. */
export function LegalHoldForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const place = usePlaceLegalHold();
  const schools = usePublicSchools();
  const [about, setAbout] = useState<'person' | 'school'>('person');
  const [person, setPerson] = useState<string>();
  const form = useForm({
    schema: NewHold,
    initial: { userId: null as Id | null, schoolId: null as Id | null, reason: '' },
    send: async (hold) => {
      const { message } = await place.mutateAsync(hold);
      onClose();
      notify.success(message);
    },
  });
  const [userId, schoolId] = [form.field('userId'), form.field('schoolId')];
  const fault = userId.error ?? schoolId.error;
  function choose(id: Id | null, name: string | undefined) {
    userId.onChange(id);
    setPerson(name);
  }
  return (
    <DialogForm form={form} send={{ text: t('retention:place') }} onCancel={onClose}>
      <Select
        label={t('retention:holdFor')}
        name="about"
        value={about}
        choices={[
          { value: 'person', text: t('retention:forPerson') },
          { value: 'school', text: t('retention:forSchool') },
        ]}
        {...(fault === undefined ? {} : { error: fault })}
        onChange={(value) => {
          setAbout(value === 'school' ? 'school' : 'person');
          choose(null, undefined);
          schoolId.onChange(null);
        }}
      />
      {about === 'person' && person === undefined && (
        <UserPicker onPick={({ id, name }) => choose(id, name)} />
      )}
      {about === 'person' && person !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <span className="font-medium wrap-anywhere">{person}</span>
          <Button kind="plain" onPress={() => choose(null, undefined)}>
            {t('retention:anotherPerson')}
          </Button>
        </div>
      )}
      {about === 'school' && (
        <Select
          name="schoolId"
          label={t('retention:school')}
          prompt={t('retention:chooseSchool')}
          value={schoolId.value === null ? '' : String(schoolId.value)}
          onChange={(value) => schoolId.onChange(value === '' ? null : Number(value))}
          choices={(schools.data ?? []).map(({ id, name }) => ({ value: String(id), text: name }))}
        />
      )}
      <TextArea {...form.field('reason')} label={t('retention:holdReason')} max={LIMITS.reason} isRequired />
    </DialogForm>
  );
}
