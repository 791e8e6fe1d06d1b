import { useEffect, useEffectEvent } from 'react';

// How to close each open window, the topmost last.
const windows: (() => void)[] = [];
let isLeaving = false;

/**
 * Has Back, also as a gesture, close a window instead of leaving the page. While windows are open the history is one step
 * longer; however the last one closes, that step is taken back.
 */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return;
    const mine = () => close();
    windows.push(mine);
    if (windows.length === 1) addEventListener('popstate', closeTopmost);
    setTimeout(keepStep);
    return () => {
      windows.splice(windows.indexOf(mine), 1);
      // Where one window follows another, the step stays.
      setTimeout(keepStep);
    };
  }, [isOpen]);
}

const isStepTaken = () => history.state?.isWindowOpen === true;

function keepStep() {
  if (isLeaving || isStepTaken() === windows.length > 0) return;
  if (windows.length > 0) {
    // The list behind stands where it stood, whatever the browser remembers of it.
    history.scrollRestoration = 'manual';
    history.pushState({ isWindowOpen: true }, '');
  } else {
    isLeaving = true;
    history.back();
  }
}

function closeTopmost() {
  if (isStepTaken()) return;
  if (!isLeaving) windows.at(-1)?.();
  isLeaving = false;
  if (windows.length === 0) removeEventListener('popstate', closeTopmost);
  setTimeout(keepStep);
}
