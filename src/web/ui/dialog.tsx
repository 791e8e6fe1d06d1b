import type { ReactNode } from 'react';
import { useWindowPart } from '../lib/use-part.ts';
import type { DialogProps } from './dialog-surface.tsx';

/**
 * A window over the page: a centred card, on phones a sheet from below. The focus stays inside and then returns.
 * What it is made of is loaded behind the screen that may open it, so that the screen itself comes sooner.
 */
export function Dialog(props: DialogProps) {
  const surface = useWindowPart('dialog', () => import('./dialog-surface.tsx'), props);
  return surface === undefined ? null : <surface.DialogSurface {...props} />;
}

/** The buttons at the end of a dialog: the one that does it last, on phones on top and wide. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}
