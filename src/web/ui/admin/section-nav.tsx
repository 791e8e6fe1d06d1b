import { Badge } from '../badge.tsx';
import { fadeScrollEnds, scrollIntoFullView } from './horizontal-scroll.ts';

export type Section<Key extends string> = Readonly<{
  key: Key;
  title: string;
  /** The number of items; 0 and undefined are not shown. */
  count?: number | undefined;
  /** Whether the items wait for this user. */
  isUrgent?: boolean;
}>;

type SectionNavProps<Key extends string> = {
  label: string;
  sections: readonly Section<Key>[];
  selected: Key;
  onSelect: (key: Key) => void;
};

/** The sections of a tab, each with its number of pending items, in one row that scrolls horizontally on phones. */
export function SectionNav<Key extends string>(props: SectionNavProps<Key>) {
  const { label, sections, selected, onSelect } = props;
  return (
    <nav aria-label={label} className="print:hidden">
      <ul ref={fadeScrollEnds} className="-mx-1 flex gap-1 overflow-x-auto [scrollbar-width:none]">
        {sections.map(({ key, title, count = 0, isUrgent = false }) => (
          <li key={key} ref={key === selected ? scrollIntoFullView : null} className="shrink-0">
            <button
              type="button"
              aria-current={key === selected ? 'page' : undefined}
              className="flex min-h-11 items-center gap-2 rounded-full border border-transparent px-3.5 text-dense font-medium text-soft transition-colors select-none hover:bg-wash hover:text-ink aria-[current=page]:border-brand aria-[current=page]:bg-wash aria-[current=page]:text-brand forced-colors:aria-[current=page]:border-[Highlight]"
              onClick={() => onSelect(key)}
            >
              {title}
              {count > 0 && <Badge tone={isUrgent ? 'notice' : 'grey'}>{count}</Badge>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
