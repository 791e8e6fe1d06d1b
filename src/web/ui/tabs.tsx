import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';

export type TabItem<Key extends string> = Readonly<{ key: Key; title: ReactNode; content: ReactNode }>;

type TabsProps<Key extends string> = {
  label: string;
  tabs: readonly TabItem<Key>[];
  selected: Key;
  onSelect: (key: Key) => void;
};

/** Screens side by side. Only the chosen one is on the page; arrow keys move between the titles. */
export function Tabs<Key extends string>({ label, tabs, selected, onSelect }: TabsProps<Key>) {
  return (
    <AriaTabs
      selectedKey={selected}
      onSelectionChange={(chosen) => {
        const tab = tabs.find(({ key }) => key === chosen);
        if (tab !== undefined) onSelect(tab.key);
      }}
    >
      {/* On the narrowest phones the row scrolls sideways rather than the page. */}
      <TabList
        aria-label={label}
        className="flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none] print:hidden"
      >
        {tabs.map(({ key, title }) => (
          <Tab
            key={key}
            id={key}
            className="relative flex min-h-12 shrink-0 cursor-pointer items-center px-3 font-medium text-soft transition-colors -outline-offset-2! select-none hover:text-ink sm:px-4 data-selected:text-brand data-selected:after:absolute data-selected:after:inset-x-3 data-selected:after:bottom-0 data-selected:after:h-0.75 data-selected:after:rounded-t-full data-selected:after:bg-brand forced-colors:data-selected:after:bg-[Highlight]"
          >
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ key, content }) => (
        <TabPanel key={key} id={key} className="pt-5 sm:pt-6">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
