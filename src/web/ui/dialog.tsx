import type { ReactNode } from 'react';
import { useWindowPart } from '../lib/use-part.ts';
import type { DialogProps } from './dialog-surface.tsx';

/**
 * A dialog over the page: a centred card, on phones a sheet from below. The focus stays inside and returns afterwards.
 * Its code is loaded in the background, so that the screen that may open it appears sooner.
 */
export function Dialog(props: DialogProps) {
  const surface = useWindowPart('dialog', () => import('./dialog-surface.tsx'), props);
  return surface === undefined ? null : <surface.DialogSurface {...props} />;
}

/** The buttons at the bottom of a dialog: the main one last; on phones it is on top and full width. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="mt-5 flex flex-col-reverse gap-2 sm:flex-row sm:flex-wrap sm:justify-end">{children}</div>
  );
}
