import * as z from 'zod/mini';
import { SchoolCheckboxes } from '#features/schools/web/school-checkboxes.tsx';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import { useCan } from '#web/api/permissions.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import { InviteInput, LIMITS, LINKS, type Role } from '../../contract.ts';
import { useAssignableRoles } from '../../roles/web/admin-assignable-roles.ts';
import { useNewPermissionsConfirm } from '../../roles/web/admin-new-permissions-confirm.tsx';
import { type ChosenGrant, GrantsEditor } from '../../roles/web/admin-roles-editor.tsx';
import { useSendInvite } from '../../web/admin-requests-api.ts';

type InviteValues = { email: string; role: Role; schoolIds: number[]; grants: ChosenGrant[] };

/** An invitation that was not emailed: the server's message, and the link to pass on. */
export type CreatedInvitation = Readonly<{ email: string; message: string; link: string }>;

type InviteFormProps = {
  onClose: () => void;
  onReady: (ready: CreatedInvitation) => void;
  onAddSchool: () => void;
};

/** Invites a person to schools, optionally with roles there. */
export function InviteForm({ onClose, onReady, onAddSchool }: InviteFormProps) {
  const { t } = useTranslation();
  const may = useCan();
  const { mayGive, schools } = useAssignableRoles();
  const isOfDistrict = may('run the district', 'all');
  const invitation = useSendInvite();
  const only = isOfDistrict || schools.length !== 1 ? [] : schools.map(({ id }) => id);
  const initial: InviteValues = { email: '', role: 'user', schoolIds: only, grants: [] };
  const form = useForm({
    schema: InviteInput,
    initial,
    send: async ({ role, ...body }) => {
      const { invite, message, link } = await invitation.mutateAsync({
        ...body,
        ...(isOfDistrict ? { role } : {}),
      });
      if (link === null) notify.success(message);
      else onReady({ email: invite.email, message, link });
      onClose();
    },
  });
  const role = form.field('role');
  const { values } = form;
  const widening = useNewPermissionsConfirm({
    form,
    name: values.email,
    before: { role: 'user', grants: [] },
    after: values,
    isWhole: () => z.safeParse(InviteInput, values).success,
  });
  return (
    <>
      <PanelForm form={widening.form} saveText={t('users:inviteSend')} onCancel={onClose}>
        <p className="text-soft">{t('users:inviteHelp', { days: LINKS.inviteDays })}</p>
        <TextField
          {...form.field('email')}
          label={t('users:email')}
          type="email"
          maxLength={LIMITS.email}
          autoComplete="off"
          isRequired
        />
        {isOfDistrict && (
          <Select
            {...role}
            label={t('users:role')}
            onChange={(value) => role.onChange(value === 'admin' ? 'admin' : 'user')}
            choices={[
              { value: 'user', text: t('users:roleUser') },
              { value: 'admin', text: t('users:roleAdmin') },
            ]}
          />
        )}
        <SchoolCheckboxes
          {...form.field('schoolIds')}
          label={t('users:schools')}
          onAddSchool={onAddSchool}
          isOffered={mayGive}
        />
        <GrantsEditor
          {...form.field('grants')}
          rowError={(at) => form.rowError('grants', at)}
          note={isDistrictAdministrator(values) ? t('users:grantsOfAdmin') : undefined}
        />
      </PanelForm>
      {widening.question}
    </>
  );
}
