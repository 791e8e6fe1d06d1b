import { useRef, useState } from 'react';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { QueryStatus } from '#web/ui/query-error.tsx';
import { moveBetweenRows, RowButton } from '#web/ui/row-button.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { messages } from '../admin-contract.ts';
import { type NamedUser, useFindUsers, useUserList } from './admin-api.ts';

type UserPickerProps = {
  /** The school to search; all accounts if undefined. */
  schoolId?: Id;
  onPick: (user: NamedUser) => void;
  /** Users to leave out, such as those already picked. */
  without?: ReadonlySet<Id>;
};

/** Picks a user of a school or the district by name or address. The server searches, so the list can have any length. */
export function UserPicker({ schoolId, onPick, without }: UserPickerProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const list = useUserList(useDebounced(search), { schoolId });
  const find = useFindUsers();
  const latest = useRef(search);
  const isLeft = ({ id }: NamedUser) => without?.has(id) !== true;
  const found = list.data?.users.filter(isLeft);

  function type(text: string) {
    latest.current = text;
    setSearch(text);
  }
  // The list may still show the results for an earlier text, so Enter searches again with the current text.
  async function pickOnly() {
    if (search.trim() === '') return;
    const matches = (await find(search, schoolId)).filter(isLeft);
    const [only] = matches;
    if (only === undefined || matches.length > 1 || latest.current !== search) return;
    type('');
    onPick(only);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the arrow keys of what is inside
    <div className="flex flex-col gap-2" onKeyDown={moveBetweenRows}>
      <SearchField
        label={t('users:searchVolunteers')}
        value={search}
        onChange={type}
        onEnter={() => void pickOnly()}
      />
      <div className="max-h-72 overflow-y-auto rounded-xl border border-line p-1">
        <QueryStatus text={messages.failedToLoad} query={list} rows={4} />
        {found?.length === 0 && <p className="px-3 py-3 text-soft">{t('users:noVolunteerFound')}</p>}
        {found?.map((user) => (
          <RowButton key={user.id} onPress={() => onPick(user)}>
            <span className="flex min-w-0 flex-col wrap-anywhere">
              <span className="font-medium">{user.name}</span>
              <span className="text-sm text-soft">{user.email === '' ? t('users:walkIn') : user.email}</span>
            </span>
          </RowButton>
        ))}
        {list.hasNextPage && (
          <RowButton onPress={() => void list.fetchNextPage()}>
            <span className="text-brand">{t('web:showMore')}</span>
          </RowButton>
        )}
      </div>
    </div>
  );
}
