import type { ReactNode } from 'react';
import { lazyDialog } from '../lazy-screen.tsx';

/**
 * A panel for a form next to its list: at the right edge, or a sheet from below on phones. A click outside does not
 * close it, because typed text would be lost. Loaded in the background of the screen that may open it.
 */
export const SidePanel = lazyDialog(async () => (await import('./side-panel-surface.tsx')).SidePanelSurface);

type PanelActionsProps = { children: ReactNode; message?: ReactNode; danger?: ReactNode };

/**
 * The bottom of a panel's form, always visible unless the window is too low: an error message, Save first, and the
 * destructive button last, set apart.
 */
export function PanelActions({ children, message, danger }: PanelActionsProps) {
  return (
    <div className="sticky bottom-0 z-1 [@media(max-height:30rem)]:static -mx-5 mt-auto flex flex-col gap-2 border-t border-line bg-card px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:-mx-6 sm:px-6 sm:py-4">
      {message}
      <div className="flex flex-row-reverse gap-1 sm:gap-2 max-sm:[&>[type=submit]]:grow">
        {children}
        <div className="contents [&_button]:mr-auto [&_button]:text-danger">{danger}</div>
      </div>
    </div>
  );
}
