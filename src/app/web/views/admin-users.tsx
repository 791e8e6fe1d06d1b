import { type ComponentType, useState } from 'react';
import { type NamedUser, useWaiting } from '#rooms/users/web/admin-api.ts';
import { LettersNotice } from '#rooms/users/web/admin-letters-notice.tsx';
import type {
  AdminUsersProps,
  ErasingProps,
  MergingProps,
  WritingProps,
} from '#rooms/users/web/admin-part.ts';
import { People } from '#rooms/users/web/admin-people.tsx';
import { useMay } from '#web/lib/may.ts';
import { useText } from '#web/lib/text.ts';
import { useLeave } from '#web/lib/unsaved.ts';
import { usePart } from '#web/lib/use-part.ts';
import type { RecordForm } from '#web/ui/admin/record-list.tsx';
import { SectionNav } from '#web/ui/admin/section-nav.tsx';
import { LoadedPart } from './loaded-part.tsx';
import { PartAhead } from './part-ahead.tsx';

type SectionKey = 'people' | 'requests' | 'invites' | 'erasures' | 'letters' | 'import' | 'duplicates';

/** The Users tab: people, and requests that wait for an administrator's decision. */
export function AdminUsers(props: AdminUsersProps) {
  const { t } = useText();
  const [section, setSection] = useState<SectionKey>(props.startAt === 'invites' ? 'invites' : 'people');
  const leave = useLeave();
  const waiting = useWaiting().data;
  const may = useMay();
  return (
    <div className="flex flex-col gap-3">
      <PartAhead {...FORM} />
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
      {section === 'people' ? (
        <People
          {...props}
          form={(given) => <Form {...given} {...props} />}
          writing={(given) => <Writing {...given} />}
        />
      ) : (
        <Section section={section} {...props} />
      )}
    </div>
  );
}

// Sections that most visits do not need are loaded when first opened.
const PARTS: Readonly<Record<Exclude<SectionKey, 'people'>, () => Promise<ComponentType<AdminUsersProps>>>> =
  {
    requests: () => import('./admin-requests-part.tsx').then((part) => part.Requests),
    invites: () => import('./admin-invites-part.tsx').then((part) => part.Invites),
    erasures: () => import('./admin-erasures-part.tsx').then((part) => part.Erasures),
    letters: () => import('./admin-letters-part.tsx').then((part) => part.AdminLetters),
    duplicates: () => import('./admin-duplicates-part.tsx').then((part) => part.Duplicates),
    import: () => import('./admin-import-part.tsx').then((part) => part.Import),
  };

function Section({ section, ...given }: AdminUsersProps & { section: keyof typeof PARTS }) {
  const part = usePart(`admin-users-${section}`, PARTS[section]);
  return (
    <LoadedPart part={part} rows={6}>
      {(Loaded) => <Loaded {...given} />}
    </LoadedPart>
  );
}

// Loaded in the background once the list is there.
const FORM = { name: 'admin-user-form', load: () => import('./admin-user-form-part.tsx') } as const;

function Form(given: AdminUsersProps & RecordForm<NamedUser>) {
  const part = usePart(FORM.name, FORM.load);
  return (
    <LoadedPart part={part} rows={6}>
      {({ UserForm }) => (
        <UserForm
          {...given}
          erasing={(person) => <Erasing {...person} />}
          merging={(walkIn) => <Merging {...walkIn} />}
        />
      )}
    </LoadedPart>
  );
}

// The dialog is loaded on demand: most visits to the form never open it.
function Erasing(props: ErasingProps) {
  const part = usePart('admin-erase-dialog', () => import('./admin-erasures-part.tsx'));
  return part.data === undefined ? null : <part.data.EraseDialog {...props} />;
}

function Writing(props: WritingProps) {
  const part = usePart('admin-write', () => import('./admin-write-part.tsx'));
  return part.data === undefined ? null : <part.data.WriteToMany {...props} />;
}

function Merging(props: MergingProps) {
  const part = usePart('admin-users-duplicates-part', () => import('./admin-duplicates-part.tsx'));
  return part.data === undefined ? null : <part.data.MergeWalkIn {...props} />;
}
