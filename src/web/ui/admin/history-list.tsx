import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { Message } from '#shared/i18n/message.ts';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '../../i18n/translate.ts';
import { Badge } from '../badge.tsx';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { ListEnd } from '../list-end.tsx';
import { QueryError } from '../query-error.tsx';
import { SkeletonRows } from '../skeleton.tsx';
import { listTitle } from './list-focus-targets.ts';
import { QueueList, QueueRow } from './queue-list.tsx';

/** A query of one or more pages. */
type HistoryQuery<Item> = Pick<
  UseQueryResult<readonly Item[]>,
  'data' | 'error' | 'isError' | 'isFetching' | 'refetch'
> &
  Partial<
    Pick<
      UseInfiniteQueryResult,
      'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
    >
  >;

type HistoryRow = {
  when: string;
  /** Shown next to the time once it was undone. */
  undone: string | undefined;
  facts: readonly string[];
  /** The button's full name, because each row has one. */
  undoLabel: string;
  /** Progress of an item that is not finished. */
  progress?: ReactNode;
};

type HistoryListProps<Item> = {
  title: string;
  list: HistoryQuery<Item>;
  failedToLoad: Message;
  /** Shown instead of an empty list. */
  none?: string;
  rowOf: (item: Item) => HistoryRow;
  undoText: string;
  onUndo: (item: Item) => void;
  /** Dialogs of the list, and items an undo could not remove. */
  children: ReactNode;
};

/** Recent bulk actions, latest first, each with an Undo button while it can be undone. */
export function HistoryList<Item extends { id: Id; canUndo: boolean }>(props: HistoryListProps<Item>) {
  const { title, list, failedToLoad, none, rowOf, undoText, onUndo, children } = props;
  const { say } = useTranslation();
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h3 id={id} className="text-xl font-semibold">
        {title}
      </h3>
      {list.isError && list.isFetchNextPageError !== true && <QueryError text={failedToLoad} query={list} />}
      {list.data === undefined && !list.isError && <SkeletonRows rows={2} />}
      {none !== undefined && list.data?.length === 0 && <p className="text-soft">{none}</p>}
      {list.data !== undefined && list.data.length > 0 && (
        <QueueList label={title}>
          {list.data.map((item) => {
            const { when, undone, facts, undoLabel, progress } = rowOf(item);
            return (
              <QueueRow
                key={item.id}
                title={
                  <>
                    {when}
                    {undone !== undefined && <Badge>{undone}</Badge>}
                  </>
                }
                facts={facts}
              >
                {progress}
                {item.canUndo && (
                  <Button label={undoLabel} onPress={() => onUndo(item)}>
                    {undoText}
                  </Button>
                )}
              </QueueRow>
            );
          })}
        </QueueList>
      )}
      <ListEnd list={list} failure={say(failedToLoad)} />
      {children}
    </section>
  );
}

type HistoryDialogProps = {
  title: string;
  /** One line for each item an undo could not remove; undefined while the dialog is closed. */
  lines: readonly string[] | undefined;
  onClose: () => void;
};

/**
 * Lists what an undo could not remove, and why. Closing it focuses the list's heading, because the button that opened
 * it is gone.
 */
export function HistoryDialog({ title, lines, onClose }: HistoryDialogProps) {
  return (
    <Dialog
      title={title}
      isOpen={lines !== undefined}
      onClose={() => {
        onClose();
        setTimeout(listTitle.focus);
      }}
    >
      <ul className="flex flex-col gap-2">
        {lines?.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
