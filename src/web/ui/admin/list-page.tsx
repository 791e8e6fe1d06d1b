import { Plus } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { ListFormat } from '#shared/list-query.ts';
import { useTranslation } from '../../i18n/translate.ts';
import { Button } from '../button.tsx';
import { ListEnd } from '../list-end.tsx';
import { ErrorBox } from '../notice.tsx';
import { QueryError } from '../query-error.tsx';
import { SearchField } from '../search-field.tsx';
import { SkeletonRows } from '../skeleton.tsx';
import { useIsWide } from '../use-media.ts';
import { ExportList } from './export-list.tsx';
import { listAdd, listSearch, listTitle } from './list-focus-targets.ts';

/** The part of an infinite query that a list uses. */
export type Loading = Readonly<{
  isError: boolean;
  error: unknown;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  hasNextPage: boolean;
  refetch: () => Promise<unknown>;
  fetchNextPage: () => Promise<unknown>;
}>;

type ListPageProps = {
  title: string;
  /** The total count, in words. */
  total: string | undefined;
  /** Shown at the end of the title's line, such as the school select. */
  aside?: ReactNode;
  search: { label: string; value: string; onChange: (value: string) => void };
  /** Undefined if nothing can be added by hand. */
  add?: { text: string; onPress: () => void };
  /** Next to the search and the Add button, or below them. */
  filters?: ReactNode;
  /** Notice about missing translations, below the search, or below the rows on a narrow screen. */
  names?: ReactNode;
  /** Exports the list as a file, with its filters and order. */
  onSave?: ((format: ListFormat) => Promise<void>) | undefined;
  /** An error that belongs to no field or row. */
  banner?: string | undefined;
  /** Bulk actions for the selected rows. */
  bulk?: ReactNode;
  loading: Loading;
  /** Shown if the rows could not be loaded. */
  failure: string;
  /** The rows; undefined until they have loaded for the first time. */
  children: ReactNode | undefined;
  /** Shown instead of the rows if there are none. */
  empty: ReactNode | undefined;
};

/** An admin list: title, search and Add button at the top, then rows that load more while scrolling. */
export function ListPage(props: ListPageProps) {
  const { title, total, aside, search, add, filters, banner, bulk, loading, failure, children, empty } =
    props;
  const { onSave } = props;
  const id = useId();
  const hasRows = children !== undefined;
  const isWide = useIsWide();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <ListTitle
        id={id}
        title={title}
        total={total}
        more={onSave !== undefined && <ExportList on="phones" onSave={onSave} />}
        aside={aside}
      />
      {banner !== undefined && <ErrorBox text={banner} />}
      {loading.isError && !loading.isFetchNextPageError && <QueryError text={failure} query={loading} />}
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 grow basis-60 max-sm:basis-full">
          <SearchField {...search} ref={listSearch.ref} />
        </div>
        {onSave !== undefined && <ExportList on="wide" onSave={onSave} />}
        {add !== undefined && (
          <Button
            ref={listAdd.ref}
            kind="primary"
            onPress={add.onPress}
            icon={<Plus aria-hidden="true" className="size-5" />}
          >
            {add.text}
          </Button>
        )}
        {filters}
      </div>
      {isWide && props.names}
      {bulk}
      {!hasRows && !loading.isError && <SkeletonRows rows={8} />}
      {hasRows && (empty ?? children)}
      {hasRows && empty === undefined && <ListEnd list={loading} failure={failure} />}
      {!isWide && hasRows && props.names}
    </section>
  );
}

type ListTitleProps = {
  id?: string;
  title: string;
  total?: string | undefined;
  /** At the end of the title's own line. */
  more?: ReactNode;
  aside?: ReactNode;
};

/** The heading of a list with its total. It takes the focus when the focused row is gone. */
export function ListTitle({ id, title, total, more, aside }: ListTitleProps) {
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2
          id={id}
          ref={listTitle.ref}
          tabIndex={-1}
          className="text-2xl font-semibold wrap-anywhere outline-none"
        >
          {title}
        </h2>
        <p role="status" className="figures text-soft">
          {total}
        </p>
      </div>
      {more}
      {aside}
    </div>
  );
}

/** Shown for an empty list: one sentence, one action. */
export function EmptyList({ text, action }: { text: string; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-card border border-line bg-card px-6 py-12 text-center">
      <p className="text-lg wrap-anywhere">{text}</p>
      {action}
    </div>
  );
}

/** A search without results, with a button to clear it. */
export function NothingFound({ search, onClear }: { search: string; onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyList
      text={t('web:nothingFound', { search })}
      action={<Button onPress={onClear}>{t('web:clearSearch')}</Button>}
    />
  );
}
