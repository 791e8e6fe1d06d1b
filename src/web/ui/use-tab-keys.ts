import { type KeyboardEvent, useId, useState } from 'react';
import { createFocusTargets, type FocusTarget } from './focus-target.ts';

type Ways = Readonly<Record<string, (at: number, count: number) => number>>;

/** The keys that move between titles in a row. */
export const IN_A_ROW: Ways = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The keys that move between titles in a row or in a column. */
export const BOTH_WAYS: Ways = {
  ...IN_A_ROW,
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
};

/** A focus target for each tab's title. */
export type TitleAt<Key> = (key: Key) => FocusTarget;

/** Connects titles, keys and the selected panel. Without a selected tab, Tab reaches the first title. */
export function useTabs<Key extends string>(
  keys: readonly Key[],
  selected: Key | undefined,
  onSelect: (key: Key) => void,
  { ways = IN_A_ROW, titleAt }: { ways?: Ways; titleAt?: TitleAt<Key> | undefined } = {},
) {
  const id = useId();
  const [own] = useState(() => createFocusTargets<Key>());
  const placeOf = titleAt ?? own;
  const at = selected === undefined ? 0 : Math.max(keys.indexOf(selected), 0);
  return {
    move(event: KeyboardEvent<HTMLElement>) {
      const next = ways[event.key]?.(at, keys.length);
      const key = next === undefined ? undefined : keys[next];
      if (key === undefined) return;
      event.preventDefault();
      onSelect(key);
      placeOf(key).focus();
    },
    title: (key: Key) => ({
      ref: placeOf(key).ref,
      id: `${id}-${key}`,
      'aria-selected': key === selected,
      'aria-controls': key === selected ? `${id}-panel` : undefined,
      tabIndex: key === keys[at] ? 0 : -1,
      onClick: () => onSelect(key),
    }),
    panel: { id: `${id}-panel`, 'aria-labelledby': `${id}-${selected}` },
  } as const;
}
