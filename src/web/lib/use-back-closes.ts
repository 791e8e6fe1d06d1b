import { useEffect, useEffectEvent } from 'react';

/** What lies over what: Back takes the last of the highest away first. */
const RANKS = { place: 0, part: 1, window: 2 } as const;
type Rank = keyof typeof RANKS;
type Layer = Readonly<{ rank: Rank; close: () => void }>;

const layers: Layer[] = [];
let isStepping = false;

/** Has Back, also as a gesture, close something instead of leaving the page: a window, or a part of a screen. */
export function useBackCloses(isOpen: boolean, onClose: () => void, rank: Rank = 'window'): void {
  useBackSteps(isOpen ? 1 : 0, onClose, rank);
}

/**
 * Has Back go `count` steps inside the page before it leaves it. Each is an entry of the history, made when the step is
 * taken: browsers skip entries that a page adds by itself while Back is pressed. However a step is undone, its entry
 * goes too.
 */
export function useBackSteps(count: number, onBack: () => void, rank: Rank): void {
  const back = useEffectEvent(onBack);
  useEffect(() => {
    const mine = Array.from({ length: count }, (): Layer => ({ rank, close: () => back() }));
    const above = layers.findIndex((layer) => RANKS[layer.rank] > RANKS[rank]);
    layers.splice(above === -1 ? layers.length : above, 0, ...mine);
    addEventListener('popstate', onPopState);
    setTimeout(settle);
    return () => {
      for (const layer of mine) layers.splice(layers.indexOf(layer), 1);
      // Where one window follows another, the entry stays.
      setTimeout(settle);
    };
  }, [count, rank]);
}

/** How many entries of the page the current one stands above its first. */
function depth(): number {
  return Number(history.state?.depth ?? 0);
}

function settle() {
  if (isStepping || depth() === layers.length) return;
  // The list behind stands where it stood, whatever the browser remembers of it.
  if (layers.length > 0) history.scrollRestoration = 'manual';
  while (depth() < layers.length) history.pushState({ depth: depth() + 1 }, '');
  if (depth() > layers.length) {
    isStepping = true;
    history.go(layers.length - depth());
  }
}

function onPopState() {
  if (isStepping) isStepping = false;
  else if (depth() < layers.length) layers.at(-1)?.close();
  // What stayed open, because it asks first, gets its entry back.
  setTimeout(settle);
}
