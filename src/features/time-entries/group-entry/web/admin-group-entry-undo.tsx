import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { baseMessages } from '#shared/common-messages.ts';
import type { Id } from '#shared/id.ts';
import { call, failureText } from '#web/api/call.ts';
import { refreshEverything } from '#web/api/list-cache.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/toasts.ts';
import { ROSTER, undoRoster } from '../contract.ts';
import type { GroupEntryRow } from './group-entry-rows.ts';

/** What a sheet holds before it is sent. */
export type SheetValues = {
  activityId: Id | undefined;
  entryDate: string | null;
  hours: number | undefined;
  entries: GroupEntryRow[];
  notes: string;
  reason: string;
  schoolId: Id;
};

/** A sheet that was sent and can be undone until a moment, in milliseconds. */
export type SentGroupEntry = Readonly<{ batch: string; message: string; until: number }>;

/** Whose sheet it is: nobody else at the same computer is shown it. */
export type Owner = Readonly<{ userId: Id; schoolId: Id }>;

type Drafts = Readonly<{ latest: string | null; sheets: Readonly<Record<string, SheetValues>> }>;

const NONE: Drafts = { latest: null, sheets: {} };
/** So many sheets are kept of one school. */
const KEPT = 20;

const nameOf = ({ userId, schoolId }: Owner) => `sheet.${userId}.${schoolId}`;
const sentName = ({ userId, schoolId }: Owner) => `sheetSent.${userId}.${schoolId}`;
const keyOf = ({ activityId, entryDate }: SheetValues) => `${activityId ?? ''} ${entryDate ?? ''}`;

/** The sheet that was begun last at a school, if any. */
export function latestGroupEntryDraft(owner: Owner): SheetValues | undefined {
  const { latest, sheets } = read<Drafts>(nameOf(owner)) ?? NONE;
  return latest === null ? undefined : sheets[latest];
}

/** The sheet begun for the activity and day of these values, if any. */
export function findMatchingDraft(owner: Owner, values: SheetValues): SheetValues | undefined {
  return (read<Drafts>(nameOf(owner)) ?? NONE).sheets[keyOf(values)];
}

/** Keeps a sheet in place of what it was before; one without names or notes is not kept. */
export function keepDraft(owner: Owner, values: SheetValues, before: SheetValues): void {
  const { sheets } = read<Drafts>(nameOf(owner)) ?? NONE;
  const others = Object.entries(sheets).filter(([key]) => key !== keyOf(values) && key !== keyOf(before));
  const isBegun = values.entries.length > 0 || values.notes !== '';
  const kept = Object.fromEntries(isBegun ? [...others.slice(1 - KEPT), [keyOf(values), values]] : others);
  write(nameOf(owner), { latest: isBegun ? keyOf(values) : null, sheets: kept } satisfies Drafts);
}

/** The sheet that was sent last and can still be undone. */
export function lastSentGroupEntry(owner: Owner, now: number): SentGroupEntry | undefined {
  const sent = read<SentGroupEntry>(sentName(owner));
  return sent !== undefined && sent.until > now ? sent : undefined;
}

/** Remembers what was sent, or with null forgets it. */
export function saveSentGroupEntry(
  owner: Owner,
  sent: Omit<SentGroupEntry, 'until'> | null,
  now: number,
): void {
  write(sentName(owner), sent && { ...sent, until: now + ROSTER.undoMinutes * 60_000 });
}

// Of this tab alone, and gone with it: names of volunteers do not stay on a shared computer. Where storage is switched
// off, a sheet lasts as long as its page.
const unkept = new Map<string, string>();

function read<Value>(name: string): Value | undefined {
  try {
    const text = unkept.get(name) ?? sessionStorage.getItem(name);
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}

function write(name: string, value: unknown): void {
  unkept.delete(name);
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    unkept.set(name, JSON.stringify(value));
  }
}

/** This browser's milliseconds, for what is kept some minutes. */
export function pageClock(): number {
  return performance.timeOrigin + performance.now();
}

/** Takes back a whole sheet. */
export function useUndoGroupEntry(owner: Owner) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (batch: string) => call(undoRoster, { body: { batch } }),
    onSuccess: ({ message }) => {
      saveSentGroupEntry(owner, null, pageClock());
      notify.success(message);
      void refreshEverything(client);
    },
    onError: (error) => notify.failure(failureText(error, baseMessages.requestFailed)),
  });
}

/** The sheet that was sent last, while it can be undone: also after a reload. */
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
