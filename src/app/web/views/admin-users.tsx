import { useState } from 'react';
import { type NamedUser, useWaiting } from '#rooms/users/web/admin-api.ts';
import { LettersNotice } from '#rooms/users/web/admin-letters-notice.tsx';
import type {
  AdminUsersProps,
  ErasingProps,
  MergingProps,
  WritingProps,
} from '#rooms/users/web/admin-part.ts';
import { useMay } from '#web/lib/may.ts';
import { useText } from '#web/lib/text.ts';
import { useLeave } from '#web/lib/unsaved.ts';
import type { RecordForm } from '#web/ui/admin/record-list.tsx';
import { SectionNav } from '#web/ui/admin/section-nav.tsx';
import { lazyScreen, rows, usePreload } from '#web/ui/lazy-screen.tsx';

type SectionKey = 'people' | 'requests' | 'invites' | 'erasures' | 'letters' | 'import' | 'duplicates';

/** The Users tab: people, and requests that wait for an administrator's decision. */
export function AdminUsers(props: AdminUsersProps) {
  const { t } = useText();
  const [section, setSection] = useState<SectionKey>(props.startAt === 'invites' ? 'invites' : 'people');
  const leave = useLeave();
  const waiting = useWaiting().data;
  const may = useMay();
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
            title: t('own-data:sectionErasures'),
            count: waiting?.erasureRequests,
            isUrgent: true,
          },
          { key: 'letters' as const, needs: 'issue letters' as const, title: t('users:sectionLetters') },
          { key: 'duplicates' as const, needs: 'manage people' as const, title: t('users:findDuplicates') },
          { key: 'import' as const, needs: 'import people' as const, title: t('web:importUsers') },
        ].filter(({ needs }) => may(needs))}
      />
      {section !== 'people' && section !== 'letters' && may('manage people') && <LettersNotice />}
      {Section === undefined ? (
        <People
          {...props}
          form={(given) => <Form {...given} {...props} />}
          writing={(given) => <Writing {...given} />}
        />
      ) : (
        <Section {...props} />
      )}
    </div>
  );
}

const People = lazyScreen(async () => (await import('#rooms/users/web/admin-people.tsx')).People, rows(8));

// Sections that most visits do not need are loaded when first opened.
const SECTIONS = {
  requests: lazyScreen<AdminUsersProps>(
    async () => (await import('#rooms/users/web/admin-requests.tsx')).Requests,
    rows(6),
  ),
  invites: lazyScreen<AdminUsersProps>(
    async () => (await import('#rooms/users/web/admin-invites.tsx')).Invites,
    rows(6),
  ),
  erasures: lazyScreen<AdminUsersProps>(
    async () => (await import('#rooms/own-data/web/admin-erasures.tsx')).Erasures,
    rows(6),
  ),
  letters: lazyScreen<AdminUsersProps>(
    async () => (await import('#rooms/letters/web/admin-letters.tsx')).AdminLetters,
    rows(6),
  ),
  duplicates: lazyScreen<AdminUsersProps>(
    async () => (await import('#rooms/merges/web/admin-duplicates.tsx')).Duplicates,
    rows(6),
  ),
  import: lazyScreen<AdminUsersProps>(
    async () => (await import('#rooms/user-imports/web/admin-import.tsx')).Import,
    rows(6),
  ),
} as const;

// Loaded in the background once the list is there.
const UserForm = lazyScreen(
  async () => (await import('#rooms/users/web/admin-user-form.tsx')).UserForm,
  rows(6),
);

function Form(given: AdminUsersProps & RecordForm<NamedUser>) {
  return (
    <UserForm
      {...given}
      erasing={(person) => <Erasing {...person} />}
      merging={(walkIn) => <Merging {...walkIn} />}
    />
  );
}

// The dialogs are loaded on demand: most visits to the form never open them.
const Erasing = lazyScreen<ErasingProps>(
  async () => (await import('#rooms/own-data/web/admin-erase-dialog.tsx')).EraseDialog,
);
const Writing = lazyScreen<WritingProps>(
  async () => (await import('#rooms/mailings/web/admin-write-to-many.tsx')).WriteToMany,
);
const Merging = lazyScreen<MergingProps>(
  async () => (await import('#rooms/merges/web/admin-merge-walk-in.tsx')).MergeWalkIn,
);
