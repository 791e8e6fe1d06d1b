import type { FormEvent } from 'react';
import { useRef, useState } from 'react';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import type { SentForm } from '#web/ui/form-errors.tsx';
import type { Role } from '../../contract.ts';
import { describeRole } from '../role-description.ts';
import { useAssignableRoles } from './admin-assignable-roles.ts';
import type { ChosenGrant } from './admin-roles-editor.tsx';

/** A user's rights before or after a change. */
export type Rights = Readonly<{ role: Role; grants: readonly ChosenGrant[] }>;

type WideningProps<Form extends SentForm> = {
  form: Form;
  name: string;
  before: Rights;
  after: Rights;
  /** Whether the form is valid; its errors are shown first. */
  isWhole: () => boolean;
};

/**
 * Asks for confirmation before a user becomes a district or school administrator. Returns the form to render instead of the
 * given one, and the question.
 */
export function useNewPermissionsConfirm<Form extends SentForm>({
  form,
  name,
  before,
  after,
  isWhole,
}: WideningProps<Form>) {
  const text = useTranslation();
  const { t } = text;
  const { nameOf } = useAssignableRoles();
  const [asking, setAsking] = useState<HTMLFormElement>();
  const isSure = useRef(false);
  const sentences = [
    ...(isDistrictAdministrator(after) && !isDistrictAdministrator(before)
      ? [t('users:widenAdmin', { name })]
      : []),
    ...newSchoolsOf(before, after).map((id) => {
      const school = nameOf(id);
      const sentence = describeRole('school-admin', school, text);
      return t('users:widenSchoolAdmin', { name, school, sentence });
    }),
  ];
  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    if (sentences.length === 0 || isSure.current || !isWhole()) {
      isSure.current = false;
      return form.onSubmit(event);
    }
    event.preventDefault();
    setAsking(event.currentTarget);
  }
  const question = (
    <ConfirmDelete
      title={t('users:widenTitle')}
      question={asking && sentences.join(' ')}
      confirmText={t('users:widenConfirm')}
      onConfirm={async () => {
        isSure.current = true;
        setAsking(undefined);
        // Deferred until the dialog has returned the focus, so that an invalid field can take it.
        setTimeout(() => asking?.requestSubmit());
      }}
      onClose={() => setAsking(undefined)}
    />
  );
  return { form: { ...form, onSubmit }, question } as const;
}

function newSchoolsOf(before: Rights, after: Rights): number[] {
  const at = ({ grants }: Rights) =>
    grants.flatMap(({ role, schoolId }) =>
      role === 'school-admin' && typeof schoolId === 'number' ? [schoolId] : [],
    );
  const held = at(before);
  return [...new Set(at(after))].filter((id) => !held.includes(id));
}
