import * as z from 'zod/mini';
import { fullName } from '#shared/person-name.ts';
import type { GrantRole } from '#shared/roles.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { GivenRole, type PendingMembership } from '../../contract.ts';
import { describeRole } from '../../roles/role-description.ts';
import { RoleSelect } from '../../roles/web/admin-roles-editor.tsx';
import { useDecideMembership } from '../../web/admin-requests-api.ts';

const RoleChoice = z.object({ role: GivenRole });

type ApproveFormProps = {
  of: PendingMembership;
  hasNoMail: boolean;
  onDone: (message: string) => void;
  onClose: () => void;
};

/** Lets somebody into a school and gives them a role there; the sentence says what it allows before it is given. */
export function ApproveForm({ of, hasNoMail, onDone, onClose }: ApproveFormProps) {
  const text = useTranslation();
  const { t } = text;
  const decision = useDecideMembership();
  const initial: { role: GrantRole | '' } = { role: '' };
  const form = useForm({
    schema: RoleChoice,
    initial,
    send: async ({ role }) => {
      const grants = [{ role, schoolId: of.school.id }];
      onDone((await decision.mutateAsync({ isApproved: true, of, grants })).message);
    },
  });
  const name = fullName(of.user);
  const field = form.field('role');
  return (
    <DialogForm form={form} send={{ text: t('users:approveAsSend') }} onCancel={onClose}>
      <p>{t('users:approveAsHelp', { name, school: of.school.name })}</p>
      {!of.isEmailConfirmed &&
        (hasNoMail ? (
          <p>{t('users:addressNotAsked')}</p>
        ) : (
          <Notice>{t('users:approveUnconfirmed', { name, email: of.user.email })}</Notice>
        ))}
      <RoleSelect
        {...field}
        hint={field.value === '' ? undefined : `${describeRole(field.value, of.school.name, text)}.`}
      />
    </DialogForm>
  );
}
