import type { ReactNode } from 'react';
import { lazyDialog } from './lazy-screen.tsx';

/**
 * A dialog over the page: a centered card, or a sheet from below on phones. The focus stays inside and returns
 * afterwards. Loaded in the background, so the screen that may open it appears sooner.
 */
export const Dialog = lazyDialog(async () => (await import('./dialog-surface.tsx')).DialogSurface);

/** The buttons at the bottom of a dialog, the main one last; on phones it is on top and full width. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="mt-5 flex flex-col-reverse gap-2 sm:flex-row sm:flex-wrap sm:justify-end">{children}</div>
  );
}
