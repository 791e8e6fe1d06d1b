import { SchoolCheckList } from '#rooms/schools/web/school-check-list.tsx';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { useForm } from '#web/lib/use-form.ts';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { InviteInput, LIMITS, LINKS, type Role } from '../contract.ts';
import { useSendInvite } from './admin-desk-api.ts';

type InviteValues = { email: string; role: Role; schoolIds: number[] };

/** An invitation whose mail was not delivered: the server's message, and the link to pass on. */
export type ReadyInvite = Readonly<{ email: string; message: string; link: string }>;

type InviteFormProps = {
  onClose: () => void;
  onReady: (ready: ReadyInvite) => void;
  onAddSchool: () => void;
};

/** Invites a person to schools. */
export function InviteForm({ onClose, onReady, onAddSchool }: InviteFormProps) {
  const { t } = useText();
  const invitation = useSendInvite();
  const initial: InviteValues = { email: '', role: 'user', schoolIds: [] };
  const form = useForm({
    schema: InviteInput,
    initial,
    send: async (body) => {
      const { invite, message, link } = await invitation.mutateAsync(body);
      if (link === null) notify.success(message);
      else onReady({ email: invite.email, message, link });
      onClose();
    },
  });
  const role = form.field('role');
  return (
    <PanelForm form={form} saveText={t('users:inviteSend')} onCancel={onClose}>
      <p className="text-soft">{t('users:inviteHelp', { days: LINKS.inviteDays })}</p>
      <TextField
        {...form.field('email')}
        label={t('users:email')}
        type="email"
        maxLength={LIMITS.email}
        autoComplete="off"
        isRequired
      />
      <Select
        {...role}
        label={t('users:role')}
        onChange={(value) => role.onChange(value === 'admin' ? 'admin' : 'user')}
        choices={[
          { value: 'user', text: t('users:roleUser') },
          { value: 'admin', text: t('users:roleAdmin') },
        ]}
      />
      <SchoolCheckList {...form.field('schoolIds')} label={t('users:schools')} onAddSchool={onAddSchool} />
    </PanelForm>
  );
}
