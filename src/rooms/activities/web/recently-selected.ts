import { useCallback, useState } from 'react';
import type { Id } from '#base/id.ts';
import { readStored, writeStored } from '#web/lib/storage.ts';

/** How many activities are remembered (specification section 9). */
export const RECENTLY_SELECTED = 8;

/** The list after one more was selected: that one first, each once. */
export function withSelected(ids: readonly Id[], id: Id): Id[] {
  return [id, ...ids.filter((other) => other !== id)].slice(0, RECENTLY_SELECTED);
}

/** What storage holds as a list; anything else that may stand there is an empty one. */
export function readIds(stored: string | null): Id[] {
  try {
    const found: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(found) ? found.filter(Number.isSafeInteger).slice(0, RECENTLY_SELECTED) : [];
  } catch {
    return [];
  }
}

/** The activities that a person selected last, kept in this browser per person; they survive a logout. */
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
