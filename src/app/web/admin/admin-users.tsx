import { useState } from 'react';
import { useWaiting } from '#features/users/web/admin-api.ts';
import { EmailNotice } from '#features/users/web/admin-email-notice.tsx';
import type {
  AdminUsersProps,
  AnnouncementProps,
  DeleteAccountProps,
  MergingProps,
} from '#features/users/web/admin-users-props.ts';
import { useCan } from '#web/api/permissions.ts';
import { useLeaveArea } from '#web/forms/unsaved-changes.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { SectionNav } from '#web/ui/admin/section-nav.tsx';
import { lazyScreen, rows, usePreload } from '#web/ui/lazy-screen.tsx';

type SectionKey = 'people' | 'requests' | 'invites' | 'erasures' | 'letters' | 'import' | 'duplicates';

/** The Users tab: users, and requests for an administrator to decide. */
export function AdminUsers(props: AdminUsersProps) {
  const { t } = useTranslation();
  const [section, setSection] = useState<SectionKey>(props.startAt === 'invites' ? 'invites' : 'people');
  const leave = useLeaveArea();
  const waiting = useWaiting().data;
  const may = useCan();
  const Section = section === 'people' ? undefined : SECTIONS[section];
  usePreload(UserForm);
  return (
    <div className="flex flex-col gap-3">
      <SectionNav<SectionKey>
        label={t('users:sections')}
        selected={section}
        onSelect={(next) => leave(() => setSection(next))}
        sections={[
          { key: 'people' as const, needs: 'see people' as const, title: t('users:sectionPeople') },
          {
            key: 'requests' as const,
            needs: 'see requests' as const,
            title: t('users:sectionRequests'),
            count: waiting?.memberships,
            isUrgent: may('decide requests'),
          },
          {
            key: 'invites' as const,
            needs: 'see requests' as const,
            title: t('users:sectionInvites'),
            count: waiting?.openInvites,
          },
          {
            key: 'erasures' as const,
            needs: 'run the district' as const,
            title: t('privacy:sectionErasures'),
            count: waiting?.erasureRequests,
            isUrgent: true,
          },
          { key: 'letters' as const, needs: 'issue letters' as const, title: t('users:sectionLetters') },
          { key: 'duplicates' as const, needs: 'manage people' as const, title: t('users:findDuplicates') },
          { key: 'import' as const, needs: 'import people' as const, title: t('web:importUsers') },
        ].filter(({ needs }) => may(needs))}
      />
      {section !== 'people' && section !== 'letters' && may('manage people') && <EmailNotice />}
      {Section === undefined ? (
        <People
          {...props}
          form={(given) => (
            <UserForm
              {...given}
              {...props}
              erasing={(person) => <Erasing {...person} />}
              merging={(walkIn) => <Merging {...walkIn} />}
              twoFactorReset={(account) => <TwoFactorReset {...account} />}
            />
          )}
          writing={(given) => <Writing {...given} />}
        />
      ) : (
        <Section {...props} />
      )}
    </div>
  );
}

const People = lazyScreen(
  async () => (await import('#features/users/web/admin-users-table.tsx')).People,
  rows(8),
);

// Sections most visits do not need are loaded when first opened.
const SECTIONS = {
  requests: lazyScreen<AdminUsersProps>(
    async () => (await import('#features/users/memberships/web/admin-membership-requests.tsx')).Requests,
    rows(6),
  ),
  invites: lazyScreen<AdminUsersProps>(
    async () => (await import('#features/users/invitations/web/admin-invitations.tsx')).Invites,
    rows(6),
  ),
  erasures: lazyScreen<AdminUsersProps>(
    async () => (await import('#features/privacy/web/admin-deletion-requests.tsx')).DeletionRequests,
    rows(6),
  ),
  letters: lazyScreen<AdminUsersProps>(
    async () =>
      (await import('#features/reports/service-letters/web/admin-service-letters.tsx')).AdminLetters,
    rows(6),
  ),
  duplicates: lazyScreen<AdminUsersProps>(
    async () => (await import('#features/users/merging/web/admin-duplicates.tsx')).Duplicates,
    rows(6),
  ),
  import: lazyScreen<AdminUsersProps>(
    async () => (await import('#features/imports/people/web/admin-import-people.tsx')).Import,
    rows(6),
  ),
} as const;

// Loaded in the background once the list is shown.
const UserForm = lazyScreen(
  async () => (await import('#features/users/web/admin-user-form.tsx')).UserForm,
  rows(6),
);

// Loaded on demand, because most visits to the form never open these dialogs.
const Erasing = lazyScreen<DeleteAccountProps>(
  async () => (await import('#features/privacy/web/admin-delete-account-dialog.tsx')).DeleteAccountDialog,
);
const TwoFactorReset = lazyScreen<{ id: number }>(
  async () => (await import('#features/auth/two-factor/web/admin-two-factor-reset.tsx')).TwoFactorReset,
);
const Writing = lazyScreen<AnnouncementProps>(
  async () =>
    (await import('#features/notifications/announcements/web/admin-announcement-form.tsx')).AnnouncementForm,
);
const Merging = lazyScreen<MergingProps>(
  async () =>
    (await import('#features/users/merging/web/admin-merge-guest-volunteer.tsx')).MergeGuestVolunteer,
);
