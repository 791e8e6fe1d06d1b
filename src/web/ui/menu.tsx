import { ChevronDown, EllipsisVertical } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Spinner } from './button.tsx';

export type MenuAction = Readonly<{ key: string; title: string; icon?: ReactNode; onPress: () => void }>;

type MenuProps = {
  label: string;
  actions: readonly MenuAction[];
  /** Shown next to the label. Without it the button is three dots and the label only its accessible name. */
  icon?: ReactNode;
  isDisabled?: boolean;
  /** Busy: the button keeps the focus, but opens nothing. */
  isBusy?: boolean;
};

/** Actions behind one button. Arrow keys move between them; Escape or moving the focus elsewhere closes the menu. */
export function Menu({ label, actions, icon, isDisabled = false, isBusy = false }: MenuProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);

  function close() {
    setIsOpen(false);
    trigger.current?.focus();
  }
  function closeWhenLeft({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
    if (!currentTarget.contains(relatedTarget)) setIsOpen(false);
  }
  function move(event: KeyboardEvent<HTMLElement>) {
    if (event.key === 'Escape') close();
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const at = items.findIndex((item) => item.matches(':focus'));
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    items.at(next % items.length)?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only detects that the focus has left
    <div className="relative" onBlur={closeWhenLeft}>
      <button
        ref={trigger}
        type="button"
        aria-label={icon === undefined ? label : undefined}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-disabled={isBusy || undefined}
        disabled={isDisabled}
        className={`flex h-11 shrink-0 items-center justify-center gap-2 rounded-xl transition-colors hover:bg-wash aria-expanded:bg-wash disabled:pointer-events-none disabled:opacity-50 ${icon === undefined ? 'w-11 text-soft hover:text-ink' : 'px-3 font-medium'}`}
        onClick={() => (isOpen || isBusy ? close() : setIsOpen(true))}
      >
        {icon === undefined ? (
          <EllipsisVertical aria-hidden="true" className="size-6" />
        ) : (
          <>
            {isBusy ? <Spinner /> : icon}
            <span>{label}</span>
            <ChevronDown aria-hidden="true" className="size-4 text-soft" />
          </>
        )}
      </button>
      {isOpen && (
        <div
          ref={focusFirst}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className={`rise absolute top-full z-20 mt-1 ${icon === undefined ? 'right-0 min-w-52' : 'left-0 min-w-40'} rounded-card border border-line bg-card p-1.5 floating`}
          onKeyDown={move}
          // In Safari, pressing a button in the menu would take the focus away and close the menu too early.
          onMouseDown={(event) => event.preventDefault()}
        >
          {actions.map(({ key, title, icon, onPress }) => (
            <button
              key={key}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className="flex min-h-12 w-full items-center gap-3 rounded-lg px-3 text-left font-medium whitespace-nowrap -outline-offset-2! hover:bg-wash"
              onClick={() => {
                close();
                onPress();
              }}
            >
              {icon}
              {title}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function focusFirst(menu: HTMLElement | null) {
  menu?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
}
