import { useCallback, useState } from 'react';
import type { Id } from '#shared/id.ts';
import { readStored, writeStored } from '#web/api/browser-storage.ts';

/** The number of activities to remember (specification section 9). */
export const RECENTLY_SELECTED = 8;

/** Returns the list after one more selection: the new one first, without duplicates. */
export function withSelected(ids: readonly Id[], id: Id): Id[] {
  return [id, ...ids.filter((other) => other !== id)].slice(0, RECENTLY_SELECTED);
}

/** Reads the list from storage; anything invalid counts as an empty list. */
export function readIds(stored: string | null): Id[] {
  try {
    const found: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(found) ? found.filter(Number.isSafeInteger).slice(0, RECENTLY_SELECTED) : [];
  } catch {
    return [];
  }
}

/** The user's most recently selected activities. Stored per user in this browser; they survive a logout. */
export function useRecentlySelected(userId: Id) {
  const key = `recentActivities:${userId}`;
  const [ids, setIds] = useState(() => readIds(readStored(key)));
  const remember = useCallback(
    (id: Id) => {
      const next = withSelected(readIds(readStored(key)), id);
      writeStored(key, JSON.stringify(next));
      setIds(next);
    },
    [key],
  );
  return { ids, remember };
}
