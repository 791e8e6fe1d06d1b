import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#shared/id.ts';
import { call, failureText } from '#web/api/call.ts';
import { refreshEverything } from '#web/api/list-cache.ts';
import { readInTab, writeInTab } from '#web/api/tab-storage.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/toasts.ts';
import { GROUP_ENTRY, undoRoster } from '../contract.ts';
import type { GroupEntryRow } from './group-entry-rows.ts';

/** The values of a group entry before it is sent. */
export type GroupEntryValues = {
  activityId: Id | undefined;
  entryDate: string | null;
  hours: number | undefined;
  entries: GroupEntryRow[];
  notes: string;
  reason: string;
  schoolId: Id;
};

/** A group entry that was sent and can be undone until `until`, in epoch milliseconds. */
export type SentGroupEntry = Readonly<{ batch: string; message: string; until: number }>;

/** The owner of a draft. The next user of the same computer must not see it. */
export type Owner = Readonly<{ userId: Id; schoolId: Id }>;

type Drafts = Readonly<{ latest: string | null; sheets: Readonly<Record<string, GroupEntryValues>> }>;

const NONE: Drafts = { latest: null, sheets: {} };
const NOT_SENT: SentGroupEntry = { batch: '', message: '', until: 0 };
/** The most drafts stored for one school. */
const MAX_DRAFTS = 20;

// Stored for this tab only, so that names of volunteers do not stay on a shared computer.
const draftsKey = ({ userId, schoolId }: Owner) => `sheet.${userId}.${schoolId}`;
const sentKey = ({ userId, schoolId }: Owner) => `sheetSent.${userId}.${schoolId}`;
const keyOf = ({ activityId, entryDate }: GroupEntryValues) => `${activityId ?? ''} ${entryDate ?? ''}`;

/** The latest draft at a school, if any. */
export function latestGroupEntryDraft(owner: Owner): GroupEntryValues | undefined {
  const { latest, sheets } = readInTab(draftsKey(owner), NONE);
  return latest === null ? undefined : sheets[latest];
}

/** The draft for the activity and day of these values, if any. */
export function findMatchingDraft(owner: Owner, values: GroupEntryValues): GroupEntryValues | undefined {
  return readInTab(draftsKey(owner), NONE).sheets[keyOf(values)];
}

/** Saves a draft in place of its earlier version. A draft without names or notes is removed. */
export function saveDraft(owner: Owner, values: GroupEntryValues, before: GroupEntryValues): void {
  const { sheets } = readInTab(draftsKey(owner), NONE);
  const others = Object.entries(sheets).filter(([key]) => key !== keyOf(values) && key !== keyOf(before));
  const isStarted = values.entries.length > 0 || values.notes !== '';
  const saved = Object.fromEntries(
    isStarted ? [...others.slice(1 - MAX_DRAFTS), [keyOf(values), values]] : others,
  );
  writeInTab(draftsKey(owner), { latest: isStarted ? keyOf(values) : null, sheets: saved } satisfies Drafts);
}

/** The latest group entry that can still be undone. */
export function lastSentGroupEntry(owner: Owner, now: number): SentGroupEntry | undefined {
  const sent = readInTab(sentKey(owner), NOT_SENT);
  return sent.until > now ? sent : undefined;
}

/** Stores the latest group entry that was sent. */
export function saveSentGroupEntry(owner: Owner, sent: Omit<SentGroupEntry, 'until'>, now: number): void {
  writeInTab(sentKey(owner), { ...sent, until: now + GROUP_ENTRY.undoMinutes * 60_000 });
}

/** The browser's time in milliseconds, for data that expires after some minutes. */
export function pageClock(): number {
  return performance.timeOrigin + performance.now();
}

/** Undoes a whole group entry. */
export function useUndoGroupEntry(owner: Owner) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (batch: string) => call(undoRoster, { body: { batch } }),
    onSuccess: ({ message }) => {
      writeInTab(sentKey(owner), undefined);
      notify.success(message);
      void refreshEverything(client);
    },
    onError: (error) => notify.failure(failureText(error)),
  });
}

/** Shows the latest group entry while it can be undone, also after a reload. */
export function SentGroupEntryNotice({ owner }: { owner: Owner }) {
  const { t } = useTranslation();
  const undo = useUndoGroupEntry(owner);
  const [sent] = useState(() => lastSentGroupEntry(owner, pageClock()));
  if (sent === undefined || undo.isSuccess) return null;
  return (
    <Notice>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 wrap-anywhere">{sent.message}</p>
        <Button isBusy={undo.isPending} onPress={() => undo.mutate(sent.batch)}>
          {t('time-entries:sheetUndo')}
        </Button>
      </div>
    </Notice>
  );
}
