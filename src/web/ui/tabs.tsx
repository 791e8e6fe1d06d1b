import { type KeyboardEvent, type ReactNode, useId } from 'react';

export type TabItem<Key extends string> = Readonly<{ key: Key; title: ReactNode; content: ReactNode }>;

type TabsProps<Key extends string> = {
  label: string;
  tabs: readonly TabItem<Key>[];
  selected: Key;
  onSelect: (key: Key) => void;
  /** Inside a window nothing scrolls sideways: where it is narrow, the titles take several lines. */
  isWrapped?: boolean;
};

/** Screens side by side. Only the chosen one is on the page; arrow keys move between the titles. */
export function Tabs<Key extends string>({
  label,
  tabs,
  selected,
  onSelect,
  isWrapped = false,
}: TabsProps<Key>) {
  const id = useId();
  const at = tabs.findIndex(({ key }) => key === selected);

  function move(event: KeyboardEvent<HTMLElement>) {
    const next = MOVES[event.key]?.(at, tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (tab === undefined) return;
    event.preventDefault();
    onSelect(tab.key);
    document.getElementById(`${id}-${tab.key}`)?.focus();
  }

  return (
    <>
      {/* On the narrowest phones the row scrolls sideways rather than the page. */}
      <div
        role="tablist"
        aria-label={label}
        className={`flex gap-x-1 border-b border-line print:hidden ${isWrapped ? 'flex-wrap' : 'overflow-x-auto [scrollbar-width:none]'}`}
        onKeyDown={move}
      >
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            id={`${id}-${key}`}
            type="button"
            role="tab"
            aria-selected={key === selected}
            aria-controls={key === selected ? `${id}-panel` : undefined}
            tabIndex={key === selected ? 0 : -1}
            className="relative flex min-h-12 shrink-0 items-center px-3 font-medium text-soft transition-colors -outline-offset-2! select-none hover:text-ink aria-selected:text-brand aria-selected:after:absolute aria-selected:after:inset-x-3 aria-selected:after:bottom-0 aria-selected:after:h-0.75 aria-selected:after:rounded-t-full aria-selected:after:bg-brand sm:px-4 forced-colors:aria-selected:after:bg-[Highlight]"
            onClick={() => onSelect(key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        key={selected}
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${selected}`}
        className="pt-5 sm:pt-6"
      >
        {tabs[at]?.content}
      </div>
    </>
  );
}

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};
