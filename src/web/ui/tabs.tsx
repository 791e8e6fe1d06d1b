import type { ReactNode } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { type TitleAt, useTabs } from './use-tab-keys.ts';

export type TabItem<Key extends string> = Readonly<{ key: Key; title: ReactNode; content: ReactNode }>;

type TabsProps<Key extends string> = {
  label: string;
  tabs: readonly TabItem<Key>[];
  selected: Key;
  onSelect: (key: Key) => void;
  titleAt?: TitleAt<Key>;
};

/**
 * Tabs. Only the selected one is rendered; arrow keys move between the titles. On a phone the titles share the width,
 * and large text wraps.
 */
export function Tabs<Key extends string>({ label, tabs, selected, onSelect, titleAt }: TabsProps<Key>) {
  const keys = tabs.map(({ key }) => key);
  const { move, title: titleOf, panel } = useTabs(keys, selected, onSelect, { titleAt });

  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        className="flex flex-wrap gap-x-1 border-b border-line print:hidden"
        onKeyDown={move}
      >
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            role="tab"
            {...titleOf(key)}
            className="relative flex min-h-12 items-center px-0.5 font-medium text-soft transition-colors -outline-offset-2! select-none hover:text-ink aria-selected:text-brand aria-selected:after:absolute aria-selected:after:inset-x-0 aria-selected:after:bottom-0 aria-selected:after:h-0.75 aria-selected:after:rounded-t-full aria-selected:after:bg-brand max-sm:grow max-sm:justify-center max-[359px]:text-sm sm:px-4 forced-colors:aria-selected:after:bg-[Highlight]"
          >
            {title}
          </button>
        ))}
      </div>
      <div key={selected} role="tabpanel" className="pt-5 sm:pt-6" {...panel}>
        <ErrorBoundary>{tabs.find(({ key }) => key === selected)?.content}</ErrorBoundary>
      </div>
    </>
  );
}
