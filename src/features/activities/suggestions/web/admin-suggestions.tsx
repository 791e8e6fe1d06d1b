import { type ReactNode, useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import { dayIn, formatDay } from '#shared/calendar-date.ts';
import type { ListFormat } from '#shared/list-query.ts';
import { failureText } from '#web/api/call.ts';
import { download } from '#web/api/download.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ExportList } from '#web/ui/admin/export-list.tsx';
import { SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { EmptyList, ListTitle } from '#web/ui/admin/list-page.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { moveBetweenRows, RowButton } from '#web/ui/row-button.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { notify } from '#web/ui/toasts.ts';
import { useIsWide } from '#web/ui/use-media.ts';
import { VirtualList } from '#web/ui/virtual-list.tsx';
import { type AdminSuggestion, exportSuggestions, messages } from '../contract.ts';
import {
  isAlreadyDecided,
  useApprove,
  useDelete,
  usePendingCount,
  useReject,
  useSuggestionList,
} from './admin-api.ts';
import { ApprovePanel, ReasonDialog } from './admin-suggestion-decisions.tsx';
import { type SuggestionAction, SuggestionDetails } from './admin-suggestion-details.tsx';
import { StatusBadge } from './suggestion-status-badge.tsx';

export type AdminSuggestionsProps = {
  /** Undefined means all schools. */
  school: PublicSchool | undefined;
  filter: ReactNode;
  district: District;
  /** Whether to start with only pending suggestions, as after a click on the tab's badge. */
  startsPending: boolean;
};

type Open = Readonly<{ action: SuggestionAction; suggestion: AdminSuggestion }>;

/** The suggestions of one school or of all, pending ones first, with the administrator's actions. */
export function AdminSuggestions({ school, filter, district, startsPending }: AdminSuggestionsProps) {
  const { t, say } = useTranslation();
  const [isPendingOnly, setIsPendingOnly] = useState(startsPending);
  const list = useSuggestionList(school?.id, isPendingOnly);
  const [open, setOpen] = useState<Open>();
  const [banner, setBanner] = useState<string>();
  const approve = useApprove();
  const reject = useReject();
  const remove = useDelete();
  const suggestions = list.data;
  const pendingCount = usePendingCount(school?.id);
  const suggestionFor = (action: SuggestionAction) => (open?.action === action ? open.suggestion : undefined);

  const hasRows = suggestions !== undefined && suggestions.length > 0;
  const save = (format: ListFormat) =>
    download(`suggestions.${format}`, exportSuggestions, {
      body: { format, schoolId: school?.id, status: isPendingOnly ? 'pending' : null },
    });

  function start(suggestion: AdminSuggestion, action: SuggestionAction) {
    setBanner(undefined);
    setOpen({ suggestion, action });
  }
  // If another administrator decided first, a message above the list explains what happened.
  async function finishDecision(decision: Promise<{ message: string }>) {
    try {
      notify.success((await decision).message);
    } catch (error) {
      if (!isAlreadyDecided(error)) throw error;
      setBanner(failureText(error));
    }
    setOpen(undefined);
    // The buttons that opened the dialog may be gone.
    setTimeout(listTitle.focus);
  }

  return (
    <section className="flex flex-col gap-4">
      <ListTitle
        title={t('suggestions:title')}
        total={pendingCount === 0 ? undefined : t('suggestions:waiting', { count: pendingCount })}
        more={hasRows && <ExportList on="phones" onSave={save} />}
        aside={filter}
      />
      <div className="flex flex-wrap gap-2">
        <SelectChip
          label={t('suggestions:shown')}
          value={isPendingOnly ? 'pending' : ''}
          onChange={(value) => setIsPendingOnly(value === 'pending')}
          all={t('suggestions:shownAll')}
          choices={[{ value: 'pending', text: t('suggestions:shownPending') }]}
        />
        {hasRows && <ExportList on="wide" onSave={save} />}
      </div>
      {banner !== undefined && <ErrorBox text={banner} />}
      {list.isError && !list.isFetchNextPageError && <QueryError text={messages.failedToLoad} query={list} />}
      {suggestions === undefined && !list.isError && <SkeletonRows rows={6} isTall />}
      {suggestions?.length === 0 && (
        <EmptyList
          text={
            isPendingOnly
              ? t('suggestions:noneWaits')
              : t('suggestions:noneInSchool', { school: school?.name ?? t('suggestions:yourSchools') })
          }
          action={
            isPendingOnly && (
              <Button onPress={() => setIsPendingOnly(false)}>{t('suggestions:showAll')}</Button>
            )
          }
        />
      )}
      {hasRows && (
        <Inbox
          suggestions={suggestions}
          zone={district.timeZone}
          isSchoolShown={school === undefined}
          onAction={start}
          end={<ListEnd list={list} failure={say(messages.failedToLoad)} />}
        />
      )}
      <ApprovePanel
        suggestion={suggestionFor('approve')}
        onApprove={(suggestion, body) => finishDecision(approve.mutateAsync({ suggestion, body }))}
        onClose={() => setOpen(undefined)}
      />
      <ReasonDialog
        action="reject"
        suggestion={suggestionFor('reject')}
        onDecide={(suggestion, reason) =>
          finishDecision(reject.mutateAsync({ suggestion, body: { reason } }))
        }
        onClose={() => setOpen(undefined)}
      />
      <ReasonDialog
        action="delete"
        suggestion={suggestionFor('delete')}
        onDecide={(suggestion, reason) =>
          finishDecision(remove.mutateAsync({ suggestion, body: { reason } }))
        }
        onClose={() => setOpen(undefined)}
      />
    </section>
  );
}

/** Estimated height of a card on a phone, and the gap between cards. */
const CARD_PX = 420;
const GAP_PX = 12;
const ROW_PX = 66;

type InboxProps = {
  suggestions: readonly AdminSuggestion[];
  zone: string;
  /** Whether each card shows its school. */
  isSchoolShown: boolean;
  onAction: (suggestion: AdminSuggestion, action: SuggestionAction) => void;
  /** Loads more at the end of the list. */
  end: ReactNode;
};

/** The list with a detail pane; on a narrow screen, a list of full cards. */
function Inbox({ suggestions, zone, isSchoolShown, onAction, end }: InboxProps) {
  const { t } = useTranslation();
  const isWide = useIsWide();
  const [selectedId, setSelectedId] = useState<number>();
  const selected = suggestions.find(({ id }) => id === selectedId) ?? suggestions[0];
  const details = (suggestion: AdminSuggestion) => (
    <SuggestionDetails
      suggestion={suggestion}
      zone={zone}
      isSchoolShown={isSchoolShown}
      onAction={(action) => onAction(suggestion, action)}
    />
  );
  if (!isWide) {
    return (
      <>
        <ul aria-label={t('suggestions:title')} className="flex flex-col gap-3">
          <VirtualList
            as="li"
            items={suggestions}
            keyOf={({ id }) => String(id)}
            heightOf={() => CARD_PX}
            gap={GAP_PX}
          >
            {(suggestion) => (
              <Card>
                <div className="flex flex-col gap-4">{details(suggestion)}</div>
              </Card>
            )}
          </VirtualList>
        </ul>
        {end}
      </>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-start gap-5">
      <div>
        <ul
          aria-label={t('suggestions:title')}
          onKeyDown={moveBetweenRows}
          className="flex flex-col rounded-card border border-line bg-card p-1.5"
        >
          <VirtualList
            as="li"
            items={suggestions}
            keyOf={({ id }) => String(id)}
            heightOf={() => ROW_PX}
            stays={(suggestion) => suggestion === selected}
          >
            {(suggestion) => (
              <InboxRow
                suggestion={suggestion}
                isSelected={suggestion === selected}
                onChoose={() => setSelectedId(suggestion.id)}
                {...{ zone, isSchoolShown }}
              />
            )}
          </VirtualList>
        </ul>
        {end}
      </div>
      {selected !== undefined && (
        <div className="sticky top-6 max-h-[calc(100dvh-3rem)] overflow-y-auto rounded-card">
          <Card>
            <div className="flex flex-col gap-5">{details(selected)}</div>
          </Card>
        </div>
      )}
    </div>
  );
}

type InboxRowProps = Pick<InboxProps, 'zone' | 'isSchoolShown'> & {
  suggestion: AdminSuggestion;
  isSelected: boolean;
  onChoose: () => void;
};

function InboxRow({ suggestion, isSelected, zone, isSchoolShown, onChoose }: InboxRowProps) {
  const { language } = useTranslation();
  const { id, name, user, school, status, createdAt } = suggestion;
  return (
    <div className={isSelected ? 'rounded-xl bg-wash forced-colors:outline-2' : ''}>
      <RowButton rowKey={id} isCurrent={isSelected} onPress={onChoose}>
        <span className="flex min-w-0 grow basis-24 flex-col gap-0.5">
          <span className="font-semibold wrap-anywhere">{name}</span>
          <span className="text-sm text-soft">
            {`${user.firstName} ${user.lastName} · ${formatDay(dayIn(zone, createdAt), language)}`}
          </span>
          {isSchoolShown && <span className="text-sm wrap-anywhere text-soft">{school.name}</span>}
        </span>
        <StatusBadge status={status} />
      </RowButton>
    </div>
  );
}
