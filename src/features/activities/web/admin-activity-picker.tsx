import { useState } from 'react';
import { usePublicSchools } from '#features/schools/web/api.ts';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { QueryStatus } from '#web/ui/query-error.tsx';
import { moveBetweenRows, RowButton } from '#web/ui/row-button.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { messages } from '../contract.ts';
import { useActivityList } from './admin-api.ts';

type AdminActivityPickerProps = { onPick: (activity: Readonly<{ id: Id; name: string }>) => void };

/** Picks an activity of any school by name. The server searches, because a district has thousands. */
export function AdminActivityPicker({ onPick }: AdminActivityPickerProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const list = useActivityList(undefined, useDebounced(search), undefined);
  const schools = usePublicSchools().data;
  const found = list.data?.activities;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles arrow keys from the controls inside
    <div className="flex flex-col gap-2" onKeyDown={moveBetweenRows}>
      <SearchField label={t('activities:search')} value={search} onChange={setSearch} />
      <div className="max-h-72 overflow-y-auto rounded-xl border border-line p-1">
        <QueryStatus text={messages.failedToLoad} query={list} rows={4} />
        {found?.length === 0 && <p className="px-3 py-3 text-soft">{t('activities:noneFound')}</p>}
        {found?.map(({ id, name, schoolId }) => (
          <RowButton key={id} onPress={() => onPick({ id, name })}>
            <span className="flex min-w-0 flex-col wrap-anywhere">
              <span className="font-medium">{name}</span>
              <span className="text-sm text-soft">{schools?.find((one) => one.id === schoolId)?.name}</span>
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
