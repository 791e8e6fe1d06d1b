import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { Message } from '#shared/i18n/message.ts';
import type { Id } from '#shared/id.ts';
import { loadingFailure } from '../../api/call.ts';
import { useTranslation } from '../../i18n/translate.ts';
import { Badge } from '../badge.tsx';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { ListEnd } from '../list-end.tsx';
import { ErrorBox } from '../notice.tsx';
import { SkeletonRows } from '../skeleton.tsx';
import { listTitle } from './list-focus-targets.ts';
import { DeskList, DeskRow } from './queue-list.tsx';

/** A query of one page or of several. */
type PastQuery<Item> = Pick<
  UseQueryResult<readonly Item[]>,
  'data' | 'error' | 'isError' | 'isFetching' | 'refetch'
> &
  Partial<
    Pick<
      UseInfiniteQueryResult,
      'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
    >
  >;

type PastRow = {
  when: string;
  /** Beside the moment, once it was undone. */
  undone: string | undefined;
  facts: readonly string[];
  /** The button's full name, as each row has one. */
  undoLabel: string;
  /** How far one is that has not ended. */
  progress?: ReactNode;
};

type PastListProps<Item> = {
  title: string;
  list: PastQuery<Item>;
  failedToLoad: Message;
  /** Said in place of an empty list. */
  none?: string;
  rowOf: (item: Item) => PastRow;
  undoText: string;
  onUndo: (item: Item) => void;
  /** Dialogs of the list, and what an undo left. */
  children: ReactNode;
};

/** What was done at once in the last days, the latest first, each with an Undo button while it can be undone. */
export function HistoryList<Item extends { id: Id; canUndo: boolean }>(props: PastListProps<Item>) {
  const { title, list, failedToLoad, none, rowOf, undoText, onUndo, children } = props;
  const { say } = useTranslation();
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h3 id={id} className="text-xl font-semibold">
        {title}
      </h3>
      {list.isError && list.isFetchNextPageError !== true && (
        <ErrorBox
          {...loadingFailure(list.error, failedToLoad)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      )}
      {list.data === undefined && !list.isError && <SkeletonRows rows={2} />}
      {none !== undefined && list.data?.length === 0 && <p className="text-soft">{none}</p>}
      {list.data !== undefined && list.data.length > 0 && (
        <DeskList label={title}>
          {list.data.map((item) => {
            const { when, undone, facts, undoLabel, progress } = rowOf(item);
            return (
              <DeskRow
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
              </DeskRow>
            );
          })}
        </DeskList>
      )}
      <ListEnd
        hasMore={list.hasNextPage === true}
        isLoading={list.isFetchingNextPage === true}
        failure={list.isFetchNextPageError === true ? say(failedToLoad) : undefined}
        onMore={() => void list.fetchNextPage?.()}
      />
      {children}
    </section>
  );
}

type KeptDialogProps = {
  title: string;
  /** A sentence for each thing that an undo kept; undefined while the dialog is closed. */
  lines: readonly string[] | undefined;
  onClose: () => void;
};

/** What an undo kept, and why. The list's heading has the focus afterwards: the button that opened this is gone. */
export function HistoryDialog({ title, lines, onClose }: KeptDialogProps) {
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
