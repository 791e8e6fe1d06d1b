import { History } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ListFormat } from '#shared/list-query.ts';
import { useTranslation } from '../../i18n/translate.ts';
import { Button, IconButton } from '../button.tsx';
import { notify } from '../toasts.ts';
import { ConfirmDelete } from './confirm-delete.tsx';
import { type Column, DataTable, type Selection } from './data-table.tsx';
import { listTitle } from './list-focus-targets.ts';
import { EmptyList, ListPage, type Loading, NothingFound } from './list-page.tsx';
import { SidePanel } from './side-panel.tsx';
import type { Search } from './use-list-search.ts';

type Row = Readonly<{ id: number; name: string; version: number }>;

/** What the panel shows: an existing record, or a new one, possibly copied from another. */
export type Opened<R extends Row> =
  | Readonly<{ kind: 'edit'; row: R }>
  | Readonly<{ kind: 'new'; from: R | undefined }>;

/** The props of a form in the panel. */
export type EditableListForm<R extends Row> = Readonly<{
  opened: Opened<R>;
  onClose: () => void;
  /** Opens another record in the panel. */
  onOpen: (opened: Opened<R>) => void;
  onDelete: (row: R) => void;
  onReload: (row: R) => Promise<void>;
}>;

type EditableListProps<R extends Row> = {
  texts: Readonly<{
    title: string;
    total: string | undefined;
    search: string;
    add: string;
    noneYet: string;
    addFirst: string;
    createTitle: string;
    editTitle: string;
    deleteTitle: string;
    failure: string;
  }>;
  aside?: ReactNode;
  banner?: string | undefined;
  bulk?: ReactNode;
  filters?: ReactNode;
  names?: ReactNode;
  /** Exports the list as a file, with its filters and order. */
  onSave: (format: ListFormat) => Promise<void>;
  /** Further actions for an empty list. */
  emptyMore?: ReactNode;
  /** Shown if nothing matches the filters, with the button that clears them; undefined while no filter is set. */
  noneMatch?: { text: string; clear: string; onClear: () => void } | undefined;
  selection?: Selection<R>;
  search: Search;
  loading: Loading;
  rows: readonly R[] | undefined;
  columns: (open: (row: R) => void) => readonly Column<R>[];
  form: (given: EditableListForm<R>) => ReactNode;
  remove: (row: R) => Promise<{ message: string }>;
  /** What depends on a row, in words. */
  things: (row: R) => string;
  /** Why it can't be deleted and what to do instead; undefined if it can. */
  inUse?: (row: R, things: string) => string | undefined;
  /** Reloads the rows and returns the current version of one of them. */
  reload: (id: number) => Promise<R | undefined>;
  mayAdd: boolean;
  /** Texts of a row that have no column. */
  more?: (row: R) => readonly { title: string; text: string | null }[];
  /** Whether the user may edit a row; other rows are read-only. */
  mayEdit: (row: R) => boolean;
  /** Shows a row's history. */
  onHistory: (row: R) => void;
};

/** An admin list with a panel that creates and edits rows, and a confirmation before deleting. */
export function EditableList<R extends Row>(props: EditableListProps<R>) {
  const { texts, search, loading, rows, columns, form, remove, things, reload, noneMatch } = props;
  const { t } = useTranslation();
  const [opened, setOpened] = useState<Opened<R>>();
  const [deleting, setDeleting] = useState<R>();
  const close = () => setOpened(undefined);
  const openNew = () => setOpened({ kind: 'new', from: undefined });
  const columnsShown = columns((row) => setOpened({ kind: 'edit', row }));
  const read = opened?.kind === 'edit' && !props.mayEdit(opened.row) ? opened.row : undefined;

  async function confirmDelete() {
    if (deleting === undefined) return;
    const { message } = await remove(deleting);
    setDeleting(undefined);
    close();
    notify.success(message);
    // The row that opened the panel is gone, so the list's heading takes the focus.
    setTimeout(listTitle.focus);
  }

  return (
    <>
      <ListPage
        title={texts.title}
        total={texts.total}
        aside={props.aside}
        banner={props.banner}
        bulk={props.bulk}
        filters={props.filters}
        names={props.names}
        onSave={rows === undefined || rows.length === 0 ? undefined : props.onSave}
        search={{ label: texts.search, value: search.typed, onChange: search.onChange }}
        {...(props.mayAdd ? { add: { text: texts.add, onPress: openNew } } : {})}
        loading={loading}
        failure={texts.failure}
        empty={
          rows?.length !== 0 ? undefined : noneMatch !== undefined ? (
            <EmptyList
              text={noneMatch.text}
              action={<Button onPress={noneMatch.onClear}>{noneMatch.clear}</Button>}
            />
          ) : search.searched === '' ? (
            <EmptyList
              text={texts.noneYet}
              action={
                props.mayAdd && (
                  <div className="flex flex-wrap justify-center gap-2">
                    <Button onPress={openNew}>{texts.addFirst}</Button>
                    {props.emptyMore}
                  </div>
                )
              }
            />
          ) : (
            <NothingFound search={search.searched} onClear={() => search.onChange('')} />
          )
        }
      >
        {rows && (
          <DataTable
            label={texts.title}
            columns={columnsShown}
            rows={rows}
            {...(props.selection === undefined ? {} : { selection: props.selection })}
          />
        )}
      </ListPage>
      <SidePanel
        title={read?.name ?? (opened?.kind === 'edit' ? texts.editTitle : texts.createTitle)}
        isOpen={opened !== undefined}
        onClose={close}
        aside={
          opened?.kind === 'edit' && (
            <IconButton
              label={t('web:history')}
              icon={<History aria-hidden="true" className="size-5" />}
              onPress={() => props.onHistory(opened.row)}
            />
          )
        }
      >
        {read !== undefined && <Facts row={read} columns={columnsShown} more={props.more?.(read) ?? []} />}
        {opened !== undefined && read === undefined && (
          <div key={keyOf(opened)} className="contents">
            {form({
              opened,
              onClose: close,
              onOpen: setOpened,
              onDelete: setDeleting,
              onReload: async (stale) => {
                const row = await reload(stale.id);
                setOpened(row === undefined ? undefined : { kind: 'edit', row });
              },
            })}
          </div>
        )}
      </SidePanel>
      <ConfirmDelete
        title={texts.deleteTitle}
        question={deleting && t('web:confirmDelete', { name: deleting.name })}
        things={deleting === undefined ? '' : things(deleting)}
        inUse={deleting && props.inUse?.(deleting, things(deleting))}
        onConfirm={confirmDelete}
        onClose={() => setDeleting(undefined)}
      />
    </>
  );
}

type FactsProps<R extends Row> = {
  row: R;
  columns: readonly Column<R>[];
  more: readonly { title: string; text: string | null }[];
};

/** A read-only view of a row, for users who can't edit it. */
function Facts<R extends Row>({ row, columns, more }: FactsProps<R>) {
  const facts = [
    ...columns
      .filter(({ isMain }) => isMain !== true)
      .map(({ title, cell, whole = cell }) => ({ title, text: whole(row) })),
    ...more,
  ];
  return (
    <dl className="flex flex-col gap-4 pb-6">
      {facts.map(({ title, text }) => (
        <div key={title}>
          <dt className="text-sm text-soft">{title}</dt>
          <dd className="whitespace-pre-line wrap-anywhere empty:after:content-['-']">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

// A new key for another row or a newer version resets the form.
function keyOf(opened: Opened<Row>): string {
  return opened.kind === 'edit' ? `${opened.row.id} ${opened.row.version}` : `new ${opened.from?.id ?? ''}`;
}
