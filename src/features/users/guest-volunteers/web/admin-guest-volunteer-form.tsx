import type { ReactNode } from 'react';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import type { EditableListForm } from '#web/ui/admin/editable-list.tsx';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { CheckboxField } from '#web/ui/checkbox.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import { messages } from '../../admin-contract.ts';
import { LIMITS } from '../../contract.ts';
import { ActiveCheckbox } from '../../web/admin-active-checkbox.tsx';
import { type NamedUser, useSaveGuestVolunteer } from '../../web/admin-api.ts';
import { NameFields } from '../../web/name-fields.tsx';
import { GuestVolunteerChange } from '../contract.ts';

type GuestVolunteerFormProps = Pick<EditableListForm<NamedUser>, 'onClose' | 'onDelete' | 'onReload'> & {
  user: NamedUser;
  /** The button that erases the person, if the viewer may do that. */
  erase: ReactNode;
  /** The button that merges the person with an account. */
  merge: ReactNode;
  /** Shows the link of a new account, if it is not emailed. */
  onLink: (made: { email: string; link: string }) => void;
};

/** The form for a guest volunteer: names, the address on the sheet, and a way to create an account. */
export function GuestVolunteerForm({
  user,
  erase,
  merge,
  onLink,
  onClose,
  onDelete,
  onReload,
}: GuestVolunteerFormProps) {
  const { t } = useTranslation();
  const save = useSaveGuestVolunteer();
  const { firstName, lastName, email, isActive } = user;
  const form = useForm({
    schema: GuestVolunteerChange,
    initial: { firstName, lastName, email, isActive, isInvited: false },
    check: (values): { email?: typeof messages.walkInNeedsAddress } =>
      values.isInvited && values.email.trim() === '' ? { email: messages.walkInNeedsAddress } : {},
    send: async ({ isInvited, ...body }) => {
      const { message, link } = await save.mutateAsync({ user, body, isInvited });
      notify.success(message);
      if (link === null) onClose();
      else onLink({ email: body.email, link });
    },
  });
  const { values } = form;
  return (
    <PanelForm
      form={form}
      saveText={t(values.isInvited ? 'users:walkInInvite' : 'web:save')}
      onCancel={onClose}
      onReload={() => void onReload(user)}
      {...(user.closed.includes('deletion')
        ? {}
        : { deleteText: t('users:deleteTitle'), onDelete: () => onDelete(user) })}
    >
      <Notice>{t('users:walkInHelp')}</Notice>
      <NameFields field={form.field} />
      <TextField
        {...form.field('email')}
        label={t(values.isInvited ? 'users:email' : 'users:walkInEmail')}
        type="email"
        maxLength={LIMITS.email}
        autoComplete="off"
        isRequired={values.isInvited}
      />
      <CheckboxField isSelected={values.isInvited} onChange={(isInvited) => form.set('isInvited', isInvited)}>
        {t('users:walkInGive')}
      </CheckboxField>
      <ActiveCheckbox
        user={user}
        isActive={values.isActive}
        onChange={(next) => form.set('isActive', next)}
      />
      {merge}
      {erase}
    </PanelForm>
  );
}
