import { useState } from 'react';
import * as z from 'zod/mini';
import type { District } from '#features/schools/district-settings/contract.ts';
import { SchoolCheckboxes } from '#features/schools/web/school-checkboxes.tsx';
import { dayIn, deviceNow, formatDay, type Instant } from '#shared/calendar-date.ts';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import { fullName } from '#shared/person-name.ts';
import { failureText } from '#web/api/call.ts';
import { type PermissionCheck, useCan } from '#web/api/permissions.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { EmptyList, ListPage, NothingFound } from '#web/ui/admin/list-page.tsx';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { QueueList, QueueRow } from '#web/ui/admin/queue-list.tsx';
import { SidePanel } from '#web/ui/admin/side-panel.tsx';
import { useSearch } from '#web/ui/admin/use-list-search.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import { messages } from '../../admin-contract.ts';
import type { Invite } from '../../contract.ts';
import { InviteInput, LIMITS, LINKS, type Role } from '../../contract.ts';
import { byRole, ROLE_TEXTS, useAssignableRoles } from '../../roles/web/admin-assignable-roles.ts';
import { useNewPermissionsConfirm } from '../../roles/web/admin-new-permissions-confirm.tsx';
import { type ChosenGrant, DistrictRoleSelect, GrantsEditor } from '../../roles/web/admin-roles-editor.tsx';
import {
  useInvites,
  useResendInvite,
  useSendInvite,
  useWithdrawInvite,
} from '../../web/admin-requests-api.ts';
import { ShareableLinkDialog } from '../../web/admin-shareable-link.tsx';
import type { AdminUsersProps } from '../../web/admin-users-props.ts';

/** Invitations by email: send, resend, revoke. */
export function Invites({ district, onAddSchool }: AdminUsersProps) {
  const { t, say } = useTranslation();
  const search = useSearch();
  const [status, setStatus] = useState<'open' | 'all'>('open');
  const [isInviting, setIsInviting] = useState(false);
  const [withdrawing, setWithdrawing] = useState<Invite>();
  const [ready, setReady] = useState<CreatedInvitation>();
  const list = useInvites(search.searched, status);
  const withdrawal = useWithdrawInvite();
  const mayInvite = useCan()('manage people');
  const invites = list.data?.invites;
  const invite = () => setIsInviting(true);

  return (
    <>
      <ListPage
        title={t('users:sectionInvites')}
        total={list.data && t('users:invitesTotal', { count: list.data.total })}
        search={{ label: t('users:searchInvites'), value: search.typed, onChange: search.onChange }}
        {...(mayInvite ? { add: { text: t('users:inviteAdd'), onPress: invite } } : {})}
        bulk={
          <div className="flex">
            <SelectChip
              label={t('users:inviteShow')}
              value={status}
              onChange={(value) => setStatus(value === 'all' ? 'all' : 'open')}
              choices={[
                { value: 'open', text: t('users:inviteOpen') },
                { value: 'all', text: t('users:inviteAll') },
              ]}
            />
          </div>
        }
        loading={list}
        failure={say(messages.failedToLoadInvites)}
        empty={
          invites?.length !== 0 ? undefined : search.searched === '' ? (
            <EmptyList
              text={t(status === 'open' ? 'users:noInvites' : 'users:noInvitesAtAll')}
              action={mayInvite && <Button onPress={invite}>{t('users:inviteAddFirst')}</Button>}
            />
          ) : (
            <NothingFound search={search.searched} onClear={() => search.onChange('')} />
          )
        }
      >
        {invites && (
          <QueueList label={t('users:sectionInvites')}>
            {invites.map((of) => (
              <InviteRow
                key={of.id}
                invite={of}
                district={district}
                onWithdraw={() => setWithdrawing(of)}
                onReady={setReady}
              />
            ))}
          </QueueList>
        )}
      </ListPage>
      <SidePanel title={t('users:inviteTitle')} isOpen={isInviting} onClose={() => setIsInviting(false)}>
        {isInviting && (
          <InviteForm onClose={() => setIsInviting(false)} onReady={setReady} onAddSchool={onAddSchool} />
        )}
      </SidePanel>
      <ShareableLinkDialog
        title={t('users:inviteReady')}
        ready={ready && { ...ready, label: t('users:inviteLink', { email: ready.email }) }}
        onClose={() => setReady(undefined)}
      />
      <ConfirmDelete
        title={t('users:inviteWithdrawTitle')}
        question={withdrawing && t('users:inviteWithdrawQuestion', { email: withdrawing.email })}
        confirmText={t('users:inviteWithdraw')}
        onConfirm={async () => {
          if (withdrawing === undefined) return;
          const { message } = await withdrawal.mutateAsync(withdrawing.id);
          setWithdrawing(undefined);
          notify.success(message);
          setTimeout(listTitle.focus);
        }}
        onClose={() => setWithdrawing(undefined)}
      />
    </>
  );
}

type InviteRowProps = {
  invite: Invite;
  district: District;
  onWithdraw: () => void;
  onReady: (ready: CreatedInvitation) => void;
};

function InviteRow({ invite, district, onWithdraw, onReady }: InviteRowProps) {
  const { t, language } = useTranslation();
  const again = useResendInvite();
  const mayChange = mayManage(useCan(), invite);
  const date = (at: Instant) => formatDay(dayIn(district.timeZone, at), language);
  const isUsed = invite.usedAt !== null;
  const isExpired = !isUsed && invite.expiresAt <= deviceNow();
  const { invitedBy } = invite;

  async function resend() {
    try {
      const { message, link } = await again.mutateAsync(invite.id);
      if (link === null) notify.success(message);
      else onReady({ email: invite.email, message, link });
    } catch (error) {
      notify.failure(failureText(error));
    }
  }

  return (
    <QueueRow
      title={
        <>
          <span className="min-w-0">{invite.email}</span>
          {invite.role === 'admin' && <Badge>{t('users:roleAdmin')}</Badge>}
          {byRole(invite.grants).map(({ role, schools }) => (
            <span key={role} title={schools.join(', ') || t('users:everySchool')}>
              <Badge>{t(ROLE_TEXTS[role])}</Badge>
            </span>
          ))}
          {isUsed && <Badge tone="brand">{t('users:inviteStatusUsed')}</Badge>}
          {isExpired && <Badge>{t('users:inviteStatusExpired')}</Badge>}
        </>
      }
      facts={[
        invite.schools.map((school) => school.name).join(', '),
        ...(invitedBy === null ? [] : [t('users:inviteBy', { name: fullName(invitedBy) })]),
        isUsed
          ? date(invite.usedAt ?? invite.createdAt)
          : t('users:inviteUntil', { date: date(invite.expiresAt) }),
      ]}
    >
      {!isUsed && mayChange && (
        <>
          <Button
            label={t('users:inviteResendTo', { email: invite.email })}
            isBusy={again.isPending}
            onPress={() => void resend()}
          >
            {t('users:inviteResend')}
          </Button>
          <Button
            kind="plain"
            label={t('users:inviteWithdrawOf', { email: invite.email })}
            onPress={onWithdraw}
          >
            {t('users:inviteWithdraw')}
          </Button>
        </>
      )}
    </QueueRow>
  );
}

// The viewer must be able to grant everything in an invitation.
function mayManage(may: PermissionCheck, { schools, grants }: Invite): boolean {
  const places = [...schools, ...grants.map(({ school }) => school)];
  return (
    may('run the district') || places.every((school) => school !== null && may('manage people', school.id))
  );
}

type InviteValues = { email: string; role: Role; schoolIds: number[]; grants: ChosenGrant[] };

/** An invitation that was not emailed: the server's message, and the link to pass on. */
type CreatedInvitation = Readonly<{ email: string; message: string; link: string }>;

type InviteFormProps = {
  onClose: () => void;
  onReady: (ready: CreatedInvitation) => void;
  onAddSchool: () => void;
};

/** Invites a person to schools, optionally with roles there. */
function InviteForm({ onClose, onReady, onAddSchool }: InviteFormProps) {
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
        {isOfDistrict && <DistrictRoleSelect field={form.field('role')} />}
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
