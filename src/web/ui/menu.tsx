import { EllipsisVertical } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

export type MenuAction = Readonly<{ key: string; title: string; icon?: ReactNode; onPress: () => void }>;

/** Actions behind one button. Arrow keys move, Escape and whatever takes the focus elsewhere close it. */
export function Menu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
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
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears that the focus has left the two inside
    <div className="relative" onBlur={closeWhenLeft}>
      <button
        ref={trigger}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className="flex size-11 shrink-0 items-center justify-center rounded-xl text-soft transition-colors hover:bg-wash hover:text-ink aria-expanded:bg-wash"
        onClick={() => (isOpen ? close() : setIsOpen(true))}
      >
        <EllipsisVertical aria-hidden="true" className="size-6" />
      </button>
      {isOpen && (
        <div
          ref={focusFirst}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className="rise absolute top-full right-0 z-20 mt-1 min-w-52 rounded-card border border-line bg-card p-1.5 floating"
          onKeyDown={move}
          // Safari takes the focus from the menu when a button in it is pressed, which would close it too early.
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
