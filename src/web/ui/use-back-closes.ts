import { useEffect, useEffectEvent } from 'react';

/** Back closes the layer with the highest rank; among equals, the one opened last. */
const RANKS = { place: 0, part: 1, window: 2 } as const;
type Rank = keyof typeof RANKS;
type Layer = Readonly<{ rank: Rank; close: () => void }>;

/** How long to wait for the browser to finish a history step. */
const STEP_TIMEOUT_MS = 1_000;
/** After this time the page may have stayed, because the user chose to or the reply is slow. */
const LEAVING_TIMEOUT_MS = 10_000;

const layers: Layer[] = [];
let isStepping = false;
let isLeaving = false;

/** Makes the Back button or gesture close a dialog or a part of a screen instead of leaving the page. */
export function useBackCloses(isOpen: boolean, onClose: () => void, rank: Rank = 'window'): void {
  useBackSteps(isOpen ? 1 : 0, onClose, rank);
}

/**
 * Makes Back undo `count` steps inside the page before leaving it. Each step adds its history entry when it is taken,
 * because browsers skip entries that a page adds while Back is pressed. However a step is undone, its entry is removed
 * too.
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
      // Deferred, so the history entry stays when one dialog replaces another.
      setTimeout(settle);
    };
  }, [count, rank]);
}

/**
 * Reloads or leaves the page with `go` once no history step is in progress. A browser drops a navigation that such a
 * step overtakes, so `go` is called again after a late one. Dialogs that close while the page is being left take no
 * step; if the page stays, the next opening or closing makes up for it.
 */
export async function leaveWhenSettled(go: () => void): Promise<void> {
  isLeaving = true;
  if (isStepping) await stepMade();
  const isLate = isStepping;
  go();
  if (isLate) addEventListener('popstate', go, { once: true });
  setTimeout(() => {
    isLeaving = false;
    removeEventListener('popstate', go);
  }, LEAVING_TIMEOUT_MS);
}

function stepMade(): Promise<unknown> {
  return new Promise((resolve) => {
    addEventListener('popstate', resolve, { once: true });
    setTimeout(resolve, STEP_TIMEOUT_MS);
  });
}

/** Returns how many history entries this page has added before the current one. */
function depth(): number {
  return Number(history.state?.depth ?? 0);
}

function settle() {
  if (isStepping || isLeaving || depth() === layers.length) return;
  // Keeps the scroll position of the screen behind the layer, instead of the one that the browser remembers.
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
  // A layer that stayed open to ask first gets its history entry back.
  setTimeout(settle);
}
