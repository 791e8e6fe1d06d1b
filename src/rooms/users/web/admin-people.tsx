import type { ReactNode } from 'react';
import { dayIn, formatDay } from '#base/calendar-date.ts';
import { useText } from '#web/lib/text.ts';
import { RowName } from '#web/ui/admin/data-table.tsx';
import { RecordList } from '#web/ui/admin/record-list.tsx';
import { useSearch } from '#web/ui/admin/use-search.ts';
import { Badge } from '#web/ui/badge.tsx';
import { messages } from '../admin-contract.ts';
import { type NamedUser, useDeleteUser, useUserList } from './admin-api.ts';
import type { AdminUsersProps, ErasingProps } from './admin-part.ts';
import { UserForm } from './admin-user-form.tsx';

type PeopleProps = AdminUsersProps & {
  /** Renders the dialog that asks whether a person should be erased for good. */
  erasing: (given: ErasingProps) => ReactNode;
};

/** Everybody with an account: search, add, edit, deactivate and, while they have no data, delete. */
export function People({ viewer, district, onAddSchool, onHistory, erasing }: PeopleProps) {
  const { t, say, language } = useText();
  const search = useSearch();
  const list = useUserList(search.searched);
  const remove = useDeleteUser();
  return (
    <RecordList<NamedUser>
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
      loading={list}
      rows={list.data?.users}
      columns={(open) => [
        {
          key: 'name',
          title: t('users:name'),
          isMain: true,
          cell: (user) => (
            <RowName onPress={() => open(user)}>
              {user.name}
              {user.id === viewer.id && <Badge>{t('users:you')}</Badge>}
            </RowName>
          ),
        },
        {
          key: 'email',
          title: t('users:email'),
          isPlain: true,
          cell: ({ email }) => (
            <span className="wrap-anywhere text-soft @xl:block @xl:max-w-44 @[62rem]:max-w-52">
              <Address email={email} />
            </span>
          ),
        },
        {
          key: 'schools',
          title: t('users:schools'),
          isPlain: true,
          cell: ({ userSchools }) => <Schools names={userSchools.map(({ school }) => school.name)} />,
        },
        {
          key: 'role',
          title: t('users:role'),
          isPlain: true,
          cell: ({ role }) => t(role === 'admin' ? 'users:roleAdmin' : 'users:roleUser'),
        },
        {
          key: 'status',
          title: t('users:status'),
          isPlain: true,
          cell: ({ isActive }) =>
            isActive ? <Badge tone="brand">{t('users:active')}</Badge> : <Badge>{t('users:inactive')}</Badge>,
        },
        {
          key: 'lastLogin',
          title: t('users:lastLogin'),
          isExtra: true,
          cell: ({ lastLogin }) => (
            <span className="figures whitespace-nowrap">
              {lastLogin === null
                ? t('users:never')
                : formatDay(dayIn(district.timeZone, lastLogin), language)}
            </span>
          ),
        },
      ]}
      form={(given) => (
        <UserForm
          {...given}
          viewer={viewer}
          district={district}
          onAddSchool={onAddSchool}
          erasing={erasing}
        />
      )}
      remove={remove.mutateAsync}
      things={() => ''}
      reload={async (id) => (await list.refetch()).data?.users.find((user) => user.id === id)}
      onHistory={onHistory}
    />
  );
}

/** An address that breaks behind its @ where it does not fit, before it breaks within a word. */
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

/** A person's first school, and how many more there are. */
function Schools({ names }: { names: readonly string[] }) {
  const { t } = useText();
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
