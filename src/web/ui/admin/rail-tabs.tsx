import type { ReactNode } from 'react';
import { formatCount } from '../../i18n/count-text.ts';
import { useTranslation } from '../../i18n/translate.ts';
import { ErrorBoundary } from '../error-boundary.tsx';
import { useIsWide } from '../use-media.ts';
import { BOTH_WAYS, useTabs } from '../use-tab-keys.ts';
import { fadeScrollEnds, scrollIntoFullView } from './horizontal-scroll.ts';

export type RailTab<Key extends string> = Readonly<{
  key: Key;
  title: string;
  icon: ReactNode;
  /** A red count at the end of the title, shown above 0; `label` is its text for screen readers. */
  badge?: Readonly<{ count: number; label: string }> | undefined;
  content: ReactNode;
}>;

type RailTabsProps<Key extends string> = {
  label: string;
  tabs: readonly RailTab<Key>[];
  /** Undefined while something else replaces the tabs' content. */
  selected: Key | undefined;
  onSelect: (key: Key) => void;
  /** Buttons below the rail, if there is one. */
  foot?: readonly Readonly<{ title: string; icon: ReactNode; isOpen: boolean; onPress: () => void }>[];
  /** Shown while no tab is selected. */
  instead?: ReactNode;
};

/** Tabs with their titles in a rail on the left; on narrow screens in a horizontally scrolling row. */
export function RailTabs<Key extends string>(props: RailTabsProps<Key>) {
  const { label, tabs, selected, onSelect, foot, instead } = props;
  const isRail = useIsWide();
  const keys = tabs.map(({ key }) => key);
  const { move, title: titleOf, panel } = useTabs(keys, selected, onSelect, { ways: BOTH_WAYS });

  return (
    <div className="lg:grid lg:grid-cols-[13.75rem_minmax(0,1fr)] lg:items-start lg:gap-8">
      <div className="lg:sticky lg:top-6">
        <div
          ref={fadeScrollEnds}
          role="tablist"
          aria-label={label}
          aria-orientation={isRail ? 'vertical' : 'horizontal'}
          className="-mx-4 flex gap-1 overflow-x-auto border-b border-line px-4 [scrollbar-width:none] lg:mx-0 lg:flex-col lg:border-b-0 lg:px-0 print:hidden"
          onKeyDown={move}
        >
          {tabs.map(({ key, title, icon, badge }) => (
            <button key={key} type="button" role="tab" className={TITLE} {...titleOf(key)}>
              <span className="hidden lg:contents">{icon}</span>
              <span ref={key === selected ? scrollIntoFullView : null}>{title}</span>
              {badge !== undefined && badge.count > 0 && <CountBadge {...badge} />}
            </button>
          ))}
        </div>
        {foot !== undefined && (
          <div className="mt-4 border-t border-line pt-4 max-lg:hidden">
            {foot.map(({ title, icon, isOpen, onPress }) => (
              <button key={title} type="button" aria-pressed={isOpen} className={TITLE} onClick={onPress}>
                {icon}
                {title}
              </button>
            ))}
          </div>
        )}
      </div>
      {selected === undefined ? (
        <div className="min-w-0 pt-5 lg:pt-1">
          <ErrorBoundary>{instead}</ErrorBoundary>
        </div>
      ) : (
        <div key={selected} role="tabpanel" className="min-w-0 pt-5 lg:pt-1" {...panel}>
          <ErrorBoundary>{tabs.find(({ key }) => key === selected)?.content}</ErrorBoundary>
        </div>
      )}
    </div>
  );
}

const TITLE =
  'relative flex min-h-12 shrink-0 items-center gap-3 px-3 py-1 font-medium whitespace-nowrap text-soft transition-colors -outline-offset-2! select-none hover:text-ink aria-selected:text-brand max-lg:aria-selected:after:absolute max-lg:aria-selected:after:inset-x-3 max-lg:aria-selected:after:bottom-0 max-lg:aria-selected:after:h-0.75 max-lg:aria-selected:after:rounded-t-full max-lg:aria-selected:after:bg-brand lg:w-full lg:rounded-xl lg:text-left lg:whitespace-normal lg:hover:bg-wash lg:aria-selected:bg-wash aria-pressed:bg-wash aria-pressed:text-brand forced-colors:aria-selected:underline';

function CountBadge({ count, label }: { count: number; label: string }) {
  const { language } = useTranslation();
  return (
    <span className="figures ml-auto min-w-6 shrink-0 rounded-full bg-danger px-1.5 text-center text-sm leading-6 font-semibold text-on-danger forced-colors:border">
      <span aria-hidden="true">{formatCount(count, language)}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}
