import { useState } from 'react';
import * as z from 'zod/mini';
import type { District } from '#features/schools/district-settings/contract.ts';
import { dayIn, formatDay } from '#shared/calendar-date.ts';
import type { GrantRole } from '#shared/permissions.ts';
import { fullName } from '#shared/person-name.ts';
import { failureText } from '#web/api/call.ts';
import { useCan } from '#web/api/permissions.ts';
import { useForm } from '#web/forms/use-form.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { EmptyList, ListPage, NothingFound } from '#web/ui/admin/list-page.tsx';
import { QueueList, QueueRow } from '#web/ui/admin/queue-list.tsx';
import { useSearch } from '#web/ui/admin/use-list-search.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/toasts.ts';
import { messages } from '../../admin-contract.ts';
import { GivenRole, type PendingMembership } from '../../contract.ts';
import { describeRole } from '../../roles/role-description.ts';
import { useAssignableRoles } from '../../roles/web/admin-assignable-roles.ts';
import { RoleSelect } from '../../roles/web/admin-roles-editor.tsx';
import { useWaiting } from '../../web/admin-api.ts';
import { useDecideMembership, usePendingMemberships } from '../../web/admin-requests-api.ts';
import type { AdminUsersProps } from '../../web/admin-users-props.ts';

const RoleChoice = z.object({ role: GivenRole });

type ApproveFormProps = {
  of: PendingMembership;
  hasNoMail: boolean;
  onDone: (message: string) => void;
  onClose: () => void;
};

/** Approves a user at a school, with a role there. A sentence explains the role's permissions before it is granted. */
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

const MODES: Readonly<Record<District['registration'], MessageKey>> = {
  open: 'users:modeOpen',
  'verify-email': 'users:modeVerifyEmail',
  approval: 'users:modeApproval',
  invite: 'users:modeInvite',
};

/** Pending requests to join a school, and an explanation of the district's registration mode. */
export function Requests({ district }: AdminUsersProps) {
  const { t, say } = useTranslation();
  const search = useSearch();
  const list = usePendingMemberships(search.searched);
  const decision = useDecideMembership();
  const [unconfirmed, setUnconfirmed] = useState<PendingMembership>();
  const [declining, setDeclining] = useState<PendingMembership>();
  const [giving, setGiving] = useState<PendingMembership>();
  const { mayGive } = useAssignableRoles();
  const hasNoMail = useWaiting().data?.lettersInFolder === true;
  const memberships = list.data?.memberships;
  const mayRun = useCan()('run the district');
  // Only viewers who can open Settings get the link.
  const isOpen = district.registration === 'open';
  const mode = t(isOpen && !mayRun ? 'users:modeOpenForStaff' : MODES[district.registration]);

  async function decide(of: PendingMembership, isApproved: boolean) {
    const { message } = await decision.mutateAsync({ isApproved, of });
    notify.success(message);
    // The row that opened the dialog is gone.
    setTimeout(listTitle.focus);
  }

  // A user with an unconfirmed address is approved only after a confirmation, unless addresses cannot be confirmed at all.
  function approve(of: PendingMembership) {
    if (of.isEmailConfirmed || hasNoMail) {
      decide(of, true).catch((error: unknown) => notify.failure(failureText(error)));
    } else setUnconfirmed(of);
  }

  return (
    <>
      <ListPage
        title={t('users:sectionRequests')}
        total={list.data && t('users:requestsTotal', { count: list.data.total })}
        search={{ label: t('users:searchRequests'), value: search.typed, onChange: search.onChange }}
        bulk={isOpen ? <Notice>{mode}</Notice> : <p className="text-soft">{mode}</p>}
        loading={list}
        failure={say(messages.failedToLoadRequests)}
        empty={
          memberships?.length !== 0 ? undefined : search.searched === '' ? (
            <EmptyList text={t('users:noRequests')} />
          ) : (
            <NothingFound search={search.searched} onClear={() => search.onChange('')} />
          )
        }
      >
        {memberships && (
          <QueueList label={t('users:sectionRequests')}>
            {memberships.map((of) => (
              <RequestRow
                key={`${of.user.id} ${of.school.id}`}
                of={of}
                hasNoMail={hasNoMail}
                timeZone={district.timeZone}
                isBusy={decision.isPending && decision.variables.of === of}
                onApprove={() => approve(of)}
                onDecline={() => setDeclining(of)}
                onGive={mayGive(of.school.id) ? () => setGiving(of) : undefined}
              />
            ))}
          </QueueList>
        )}
      </ListPage>
      <ConfirmDelete
        title={t('users:addressNotConfirmed')}
        question={
          unconfirmed &&
          t('users:approveUnconfirmed', { name: fullName(unconfirmed.user), email: unconfirmed.user.email })
        }
        confirmText={t('users:approveAnyway')}
        onConfirm={async () => {
          if (unconfirmed === undefined) return;
          await decide(unconfirmed, true);
          setUnconfirmed(undefined);
        }}
        onClose={() => setUnconfirmed(undefined)}
      />
      <Dialog
        title={t('users:approveAsTitle')}
        isOpen={giving !== undefined}
        onClose={() => setGiving(undefined)}
      >
        {giving !== undefined && (
          <ApproveForm
            of={giving}
            hasNoMail={hasNoMail}
            onDone={(message) => {
              setGiving(undefined);
              notify.success(message);
              setTimeout(listTitle.focus);
            }}
            onClose={() => setGiving(undefined)}
          />
        )}
      </Dialog>
      <ConfirmDelete
        title={t('users:declineTitle')}
        question={
          declining &&
          t(hasNoMail ? 'users:declineUnmailed' : 'users:declineQuestion', {
            name: fullName(declining.user),
            school: declining.school.name,
          })
        }
        confirmText={t('users:decline')}
        onConfirm={async () => {
          if (declining === undefined) return;
          await decide(declining, false);
          setDeclining(undefined);
        }}
        onClose={() => setDeclining(undefined)}
      />
    </>
  );
}

type RequestRowProps = {
  of: PendingMembership;
  hasNoMail: boolean;
  timeZone: string;
  isBusy: boolean;
  onApprove: () => void;
  onDecline: () => void;
  /** Undefined if the viewer may not assign a role at the school. */
  onGive: (() => void) | undefined;
};

function RequestRow({ of, hasNoMail, timeZone, isBusy, onApprove, onDecline, onGive }: RequestRowProps) {
  const { t, language } = useTranslation();
  const mayDecide = useCan()('decide requests', of.school.id);
  const name = fullName(of.user);
  const school = of.school.name;
  return (
    <QueueRow
      title={name}
      facts={[
        t('users:wantsToJoin', { school }),
        of.user.email,
        ...(of.isEmailConfirmed
          ? []
          : [
              hasNoMail ? (
                t('users:addressNotAsked')
              ) : (
                <Badge key="unconfirmed" tone="notice">
                  {t('users:addressNotConfirmed')}
                </Badge>
              ),
            ]),
        t('users:since', { date: formatDay(dayIn(timeZone, of.requestedAt), language) }),
      ]}
    >
      {mayDecide && (
        <Button label={t('users:approveWhom', { name, school })} isBusy={isBusy} onPress={onApprove}>
          {t('users:approve')}
        </Button>
      )}
      {onGive !== undefined && (
        <Button kind="plain" label={t('users:approveAsWhom', { name, school })} onPress={onGive}>
          {t('users:approveAs')}
        </Button>
      )}
      {mayDecide && (
        <Button kind="plain" label={t('users:declineWhom', { name, school })} onPress={onDecline}>
          {t('users:decline')}
        </Button>
      )}
    </QueueRow>
  );
}
