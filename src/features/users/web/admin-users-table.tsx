import { type ReactNode, useState } from 'react';
import { dayIn, formatDay, type Instant } from '#shared/calendar-date.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import { download } from '#web/api/download.ts';
import { type PermissionCheck, useCan } from '#web/api/permissions.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { RowName } from '#web/ui/admin/data-table.tsx';
import { EditableList, type EditableListForm } from '#web/ui/admin/editable-list.tsx';
import { useSearch } from '#web/ui/admin/use-list-search.ts';
import { Badge } from '#web/ui/badge.tsx';
import { exportUsers, messages, type UserSort } from '../admin-contract.ts';
import { byRole, ROLE_TEXTS } from '../roles/web/admin-assignable-roles.ts';
import { type NamedUser, useDeleteUser, useUserList, useWaiting } from './admin-api.ts';
import { BulkActionsBar } from './admin-bulk-actions-bar.tsx';
import { isNarrowed, NO_FILTERS, type Sorting, UsersFilters } from './admin-users-filters.tsx';
import type { AdminUsersProps, AnnouncementProps } from './admin-users-props.ts';

type PeopleProps = AdminUsersProps & {
  /** Renders the form of an account, which is loaded on demand. */
  form: (given: EditableListForm<NamedUser>) => ReactNode;
  /** Renders the announcement form for the selected users; loaded on demand. */
  writing: (given: AnnouncementProps) => ReactNode;
};

/** The user list: search, filter, add, edit, deactivate, and delete accounts without data. */
export function People({ viewer, district, startAt, onHistory, form, writing }: PeopleProps) {
  const { t, say } = useTranslation();
  const search = useSearch(startAt === 'own' ? viewer.email : '');
  const [filters, setFilters] = useState(NO_FILTERS);
  const [sorting, setSorting] = useState<Sorting>({ sortBy: 'name', sortOrder: 'asc' });
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const list = useUserList(search.searched, { ...filters, ...sorting });
  const sort = (by: UserSort) => sortFor(by, sorting, setSorting);
  const remove = useDeleteUser();
  const may = useCan();
  return (
    <EditableList<NamedUser>
      texts={{
        title: t('users:title'),
        total: list.data === undefined ? undefined : t('users:total', { count: list.data.total }),
        search: t('users:searchUsers'),
        add: t('users:add'),
        noneYet: t('users:noneYet'),
        addFirst: t('users:addFirst'),
        createTitle: t('users:createTitle'),
        editTitle: t('users:editTitle'),
        deleteTitle: t('users:deleteTitle'),
        failure: say(messages.failedToLoad),
      }}
      search={search}
      onSave={(format) => save({ format, search: search.searched, ...filters, ...sorting })}
      filters={
        <UsersFilters
          filters={filters}
          hidesPhotos={list.data?.hidesPhotos === true}
          sorting={sorting}
          onSort={setSorting}
          onChange={setFilters}
        />
      }
      bulk={
        <Bulk
          ticked={(list.data?.users ?? []).filter(({ id }) => chosen.has(id))}
          matching={{ ...filters, ...(search.searched === '' ? {} : { search: search.searched }) }}
          total={list.data?.total ?? 0}
          timeZone={district.timeZone}
          onClear={() => setChosen(new Set())}
          writing={writing}
        />
      }
      {...(may('manage people')
        ? {
            selection: {
              chosen,
              onChange: setChosen,
              allLabel: t('users:selectAllUsers'),
              rowLabel: ({ name }: NamedUser) => t('users:selectUser', { name }),
            },
          }
        : {})}
      noneMatch={
        isNarrowed(filters)
          ? {
              text: t('users:noneMatch'),
              clear: t('users:showEverybody'),
              onClear: () => setFilters(NO_FILTERS),
            }
          : undefined
      }
      loading={list}
      rows={list.data?.users}
      columns={(open) => [
        {
          key: 'name',
          ...sort('name'),
          title: t('users:name'),
          isMain: true,
          cell: (user) => <Name user={user} isViewer={user.id === viewer.id} onOpen={() => open(user)} />,
        },
        {
          key: 'email',
          ...sort('email'),
          title: t('users:email'),
          isPlain: true,
          cell: ({ email }) => (
            <span className="@max-xl:wrap-anywhere @xl:wrap-break-word text-soft @xl:block @xl:max-w-44 @[62rem]:max-w-64">
              <Address email={email} />
            </span>
          ),
        },
        {
          key: 'schools',
          title: t('users:schools'),
          isPlain: true,
          cell: ({ userSchools, grants }) => <Schools names={namesOf(userSchools, grants)} />,
        },
        { key: 'role', title: t('users:role'), isPlain: true, cell: (user) => <Roles user={user} /> },
        {
          key: 'status',
          title: t('users:status'),
          isPlain: true,
          cell: ({ isActive }) =>
            isActive ? <Badge tone="brand">{t('users:active')}</Badge> : <Badge>{t('users:inactive')}</Badge>,
        },
        {
          key: 'lastLogin',
          ...sort('lastLogin'),
          title: t('users:lastLogin'),
          isExtra: true,
          cell: ({ lastLogin }) => <LastLogin at={lastLogin} timeZone={district.timeZone} />,
        },
      ]}
      form={form}
      remove={remove.mutateAsync}
      things={() => ''}
      reload={async (id) => (await list.refetch()).data?.users.find((user) => user.id === id)}
      mayAdd={may('manage people')}
      mayEdit={(user) => mayManage(may, user)}
      onHistory={onHistory}
    />
  );
}

type BulkProps = Pick<PeopleProps, 'writing'> &
  Pick<AnnouncementProps, 'matching' | 'total' | 'timeZone'> & {
    ticked: readonly NamedUser[];
    onClear: () => void;
  };

/** Actions on the selected users. */
function Bulk({ ticked, onClear, writing, ...list }: BulkProps) {
  const [isWriting, setIsWriting] = useState(false);
  const may = useCan();
  const close = () => setIsWriting(false);
  const onSent = () => {
    close();
    onClear();
  };
  return (
    <>
      <BulkActionsBar
        chosen={ticked}
        onClear={onClear}
        onWrite={may('write to people') ? () => setIsWriting(true) : undefined}
      />
      {isWriting && writing({ ...list, chosen: ticked, onClose: close, onSent })}
    </>
  );
}

function save(body: BodyOf<typeof exportUsers>): Promise<void> {
  return download(`users.${body.format}`, exportUsers, { body });
}

// Names and addresses start with A, sign-ins with the latest. A second click reverses the order.
function sortFor(by: UserSort, { sortBy, sortOrder }: Sorting, onSort: (sorting: Sorting) => void) {
  const first = by === 'lastLogin' ? 'desc' : 'asc';
  const other = sortOrder === 'asc' ? 'desc' : 'asc';
  return {
    sort: {
      order: sortBy === by ? sortOrder : undefined,
      onPress: () => onSort({ sortBy: by, sortOrder: sortBy === by ? other : first }),
    },
  };
}

// The form itself explains if the account is locked nevertheless.
function mayManage(may: PermissionCheck, { userSchools, grants }: NamedUser): boolean {
  const places = [...userSchools, ...grants].flatMap(({ school }) => school?.id ?? []);
  return places.length === 0
    ? may('manage people')
    : may('run the district') || places.some((id) => may('manage people', id));
}

function LastLogin({ at, timeZone }: { at: Instant | null; timeZone: string }) {
  const { t, language } = useTranslation();
  return (
    <span className="figures whitespace-nowrap">
      {at === null ? t('users:never') : formatDay(dayIn(timeZone, at), language)}
    </span>
  );
}

/** An address that breaks after its @ before it breaks within a word. */
function Address({ email }: { email: string }) {
  const host = email.lastIndexOf('@') + 1;
  return (
    <>
      {email.slice(0, host)}
      <wbr />
      {email.slice(host)}
    </>
  );
}

type NameProps = { user: NamedUser; isViewer: boolean; onOpen: () => void };

function Name({ user, isViewer, onOpen }: NameProps) {
  const { t } = useTranslation();
  // If no email is sent, no address can be confirmed.
  const hasNoMail = useWaiting().data?.lettersInFolder !== false;
  return (
    <RowName onPress={onOpen}>
      <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        {user.name}
        {isViewer && <Badge>{t('users:you')}</Badge>}
        {user.isWalkIn && <Badge>{t('users:walkIn')}</Badge>}
        {!user.isWalkIn && !user.isEmailConfirmed && !hasNoMail && (
          <Badge>{t('users:addressNotConfirmed')}</Badge>
        )}
        {user.photosHiddenAt !== undefined && <PhotosHidden schools={user.photosHiddenAt} />}
      </span>
    </RowName>
  );
}

function PhotosHidden({ schools }: { schools: readonly { name: string }[] }) {
  const { t } = useTranslation();
  const names = schools.map(({ name }) => name).join(', ');
  return (
    <span title={t('users:photosHiddenAt', { schools: names })}>
      <Badge>{t('users:photosHidden')}</Badge>
    </span>
  );
}

/** A user's roles as badges, with their schools in the tooltip. */
function Roles({ user }: { user: NamedUser }) {
  const { t } = useTranslation();
  if (isDistrictAdministrator(user)) return <Badge tone="brand">{t('users:roleAdmin')}</Badge>;
  const held = byRole(user.grants);
  if (held.length === 0) return t('users:roleUser');
  return (
    <span className="inline-flex flex-wrap gap-1">
      {held.map(({ role, schools }) => (
        <span key={role} title={schools.join(', ') || t('users:everySchool')}>
          <Badge>{t(ROLE_TEXTS[role])}</Badge>
        </span>
      ))}
    </span>
  );
}

// A user's schools, by membership or only by a role.
function namesOf(joined: NamedUser['userSchools'], grants: NamedUser['grants']): string[] {
  return [...new Set([...joined, ...grants].flatMap(({ school }) => school?.name ?? []))];
}

/** A user's first school, and the number of further ones. */
function Schools({ names }: { names: readonly string[] }) {
  const { t } = useTranslation();
  const [first, ...others] = names;
  if (first === undefined) return <span className="text-soft">{t('users:noSchools')}</span>;
  return (
    <span title={names.join(', ')} className="@max-xl:inline">
      <span className="block max-w-44 @max-xl:inline">{first}</span>
      {others.length > 0 && (
        <span className="text-sm text-soft"> {t('users:moreSchools', { count: others.length })}</span>
      )}
    </span>
  );
}
