import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { type PointerEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { IconButton } from './button.tsx';
import { notify, type Toast, useToasts } from './toasts.ts';

/**
 * Where notices appear: bottom center on phones, bottom right on desktops. Both live regions are always rendered,
 * because screen readers announce only changes inside an existing one. A dialog covers them, so messages about a dialog
 * appear inside it.
 */
export function ToastRegion() {
  const { t } = useTranslation();
  const toasts = useToasts();
  const region = useRoomBelow(toasts);
  const rows = (kind: Toast['kind']) =>
    toasts.filter((toast) => toast.kind === kind).map((toast) => <ToastRow key={toast.id} toast={toast} />);
  return (
    <section
      ref={region}
      aria-label={t('web:notices')}
      className="pointer-events-none fixed inset-x-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-10 flex flex-col items-center gap-2 sm:left-auto sm:items-end print:hidden"
      {...usePauseByPointer()}
      onFocus={notify.pause}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) notify.resume();
      }}
    >
      <div role="alert" className="contents">
        {rows('failure')}
      </div>
      <div role="status" className="contents">
        {rows('success')}
      </div>
    </section>
  );
}

// A pointer that already rests where a notice appears is not reading it, so only movement on the notice pauses it.
function usePauseByPointer() {
  const entered = useRef<string>(undefined);
  const placeOf = ({ screenX, screenY }: PointerEvent) => `${screenX} ${screenY}`;
  return {
    onPointerEnter: (event: PointerEvent) => {
      entered.current = placeOf(event);
    },
    onPointerMove: (event: PointerEvent) => {
      if (placeOf(event) !== entered.current) notify.pause();
    },
    onPointerLeave: notify.resume,
  };
}

/** The width of the focus mark in pixels. */
const RING = 6;

/**
 * Adds space at the bottom of the page for the notices, so a focused element can scroll above them (WCAG 2.2, 2.4.11):
 * at 400 % zoom they fill half of the window. Runs before the focus that comes with a notice is set.
 */
function useRoomBelow(toasts: readonly Toast[]) {
  const region = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = region;
    if (toasts.length === 0 || current === null) return;
    const { style } = document.documentElement;
    const measure = () =>
      style.setProperty('--notices', `${innerHeight - current.getBoundingClientRect().top + RING}px`);
    measure();
    addEventListener('resize', measure);
    return () => {
      removeEventListener('resize', measure);
      style.removeProperty('--notices');
    };
  }, [toasts]);
  return region;
}

function ToastRow({ toast }: { toast: Toast }) {
  const { t } = useTranslation();
  const { undo, offer = undo && { text: t('web:undo'), accept: undo } } = toast;
  const isFailure = toast.kind === 'failure';
  return (
    <div className="rise pointer-events-auto flex min-h-13 w-full max-w-104 items-center gap-3 rounded-card bg-ink py-1 pr-1.5 pl-4 text-page floating sm:w-auto sm:min-w-80 forced-colors:border">
      {isFailure ? (
        <CircleAlert aria-hidden="true" className="size-5 shrink-0" />
      ) : (
        <CircleCheck aria-hidden="true" className="size-5 shrink-0" />
      )}
      <p className="min-w-0 grow py-2 wrap-anywhere">{toast.text}</p>
      {offer !== undefined && (
        <button
          type="button"
          className="min-h-11 shrink-0 rounded-xl px-3 font-semibold underline underline-offset-4 hover:opacity-80 focus-visible:outline-page"
          onClick={() => {
            notify.close(toast.id);
            offer.accept();
          }}
        >
          {offer.text}
        </button>
      )}
      <span className="[&_button]:bg-transparent! [&_button]:text-page! [&_button]:outline-page!">
        <IconButton
          label={t('web:close')}
          icon={<X aria-hidden="true" className="size-5" />}
          onPress={() => notify.close(toast.id)}
        />
      </span>
    </div>
  );
}
