import { type FocusEvent, memo, type ReactNode, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { moveBetweenRows, RowButton } from '#web/ui/row-button.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { type Group, groupActivities, unavailability } from '../activity-groups.ts';
import type { Activity } from '../contract.ts';
import { findActivities, sortByNameMatch, toSearchable } from './activity-search.ts';
import { ActivityFacts, ActivityTags, type Days } from './activity-tags.tsx';

/** What the user can open in the list: a group, or `all` rows of a group. */
type Fold = Group | `all ${Group}`;

/** The number of rows of a group that appear before the user shows all. */
const INITIAL_ROWS = 8;

/** The search text and the open groups. The parent component owns this state, so Cancel returns to the same list. */
export type PickerState = Readonly<{ query: string; isOpen: Readonly<Partial<Record<Fold, boolean>>> }>;

/** The initial state: no search, and the first non-empty group open. */
export const INITIAL_PICKER_STATE: PickerState = { query: '', isOpen: {} };

/** The element that gets the focus when the list appears. */
export type PickerFocus = 'none' | 'heading' | 'first' | 'search' | Readonly<{ activityId: Id }>;

/** Maximum length of a suggestion's name, taken from the search text. */
const NAME_MAX = 100;

type ActivityPickerProps = {
  activities: readonly Activity[];
  days: Days;
  /** Suggested activities, shown as large buttons at the top, each with a line that explains the suggestion. */
  first: readonly Readonly<{ activity: Activity; detail: ReactNode; more?: ReactNode }>[];
  /** The most recently selected activities, latest first. */
  recentIds: readonly Id[];
  state: PickerState;
  onState: (state: PickerState) => void;
  onPick: (activity: Activity) => void;
  focus: PickerFocus;
  /** The text to show instead of the list if the school has no activities. */
  whenNone: string;
  /** Opens the suggestion form for an activity that the search does not find. */
  onSuggest?: ((name: string) => void) | undefined;
};

/** The activity picker: suggested activities, a search, and all activities in three groups. */
export function ActivityPicker(props: ActivityPickerProps) {
  const { activities, days, first, recentIds, state, onState, onPick, focus, whenNone, onSuggest } = props;
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => moveFocus(box.current, focus), [focus]);

  const isSearching = state.query.trim() !== '';
  const results = useResults(activities, state.query, days);
  const suggested = Array.from(state.query.trim()).slice(0, NAME_MAX).join('');
  const recent = recentIds
    .flatMap((id) => activities.filter((activity) => activity.id === id && activity.isActive))
    .filter(({ id }) => !first.some(({ activity }) => activity.id === id));

  // The rows lag behind the search box, so Enter searches with the text in the box.
  function pickOnly() {
    const [only, ...others] = isSearching ? findActivities(toSearchable(activities), state.query) : [];
    if (only?.isActive === true && others.length === 0) onPick(only);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only moves the focus between the controls inside
    <div ref={box} onKeyDown={moveBetweenRows} className="flex min-w-0 flex-col gap-4">
      <h2 tabIndex={-1} className="text-2xl font-semibold outline-none">
        {t('activities:heading')}
      </h2>
      {first.length > 0 && (
        <ul
          aria-label={t('activities:logAgain')}
          className="grid grid-cols-1 gap-2 sm:grid-cols-[repeat(auto-fill,minmax(min(14rem,100%),1fr))]"
        >
          {first.map(({ activity, detail, more }) => (
            <li key={activity.id} className="flex gap-1.5 sm:flex-col">
              <RowButton look="tile" rowKey={activity.id} onPress={() => onPick(activity)}>
                <CategoryDot color={activity.category.color} />
                <span className="flex min-w-0 flex-col">
                  <span className="font-semibold wrap-break-word">{activity.name}</span>
                  <span className="figures text-sm text-soft">{detail}</span>
                </span>
              </RowButton>
              {more !== undefined && <span className="flex shrink-0 flex-col justify-center">{more}</span>}
            </li>
          ))}
        </ul>
      )}
      <search className="flex scroll-mt-3 flex-col gap-1.5" onFocus={scrollSearchToTop}>
        <SearchField
          label={t('activities:search')}
          value={state.query}
          onChange={(query) => onState({ ...state, query })}
          onEnter={pickOnly}
        />
        <p role="status" className="min-h-5 px-1 text-sm text-soft">
          {isSearching
            ? results.count > 0
              ? t('activities:found', { count: results.count })
              : t('activities:noneFound')
            : activities.length === 0 && t('activities:startTyping')}
        </p>
      </search>
      {isSearching && results.count === 0 && onSuggest !== undefined && (
        <div>
          <Button onPress={() => onSuggest(suggested)}>
            <span className="min-w-0 py-2 text-left wrap-anywhere">
              {t('activities:suggestNamed', { name: suggested })}
            </span>
          </Button>
        </div>
      )}
      {!isSearching && recent.length > 0 && <Recent activities={recent} onPick={onPick} />}
      {activities.length === 0 && <p className="text-soft">{whenNone}</p>}
      {results.count > 0 && (
        <div className="rounded-card border border-line bg-card px-2 py-1 sm:px-3">
          {GROUPS.filter(({ group }) => !isSearching || results.groups[group].length > 0).map(
            ({ group, title, hint }) => {
              const isExpanded = isSearching || (state.isOpen[group] ?? group === results.firstWithSome);
              return (
                <Disclosure
                  key={group}
                  title={t(title)}
                  {...(hint === undefined ? {} : { hint: t(hint) })}
                  count={results.groups[group].length}
                  isExpanded={isExpanded}
                  onExpandedChange={(isOpen) =>
                    onState({ ...state, isOpen: { ...state.isOpen, [group]: isOpen } })
                  }
                >
                  {isExpanded && (
                    <Rows
                      activities={results.groups[group]}
                      days={days}
                      onPick={onPick}
                      isAllShown={isSearching || state.isOpen[`all ${group}`] === true}
                      onShowAll={() =>
                        onState({ ...state, isOpen: { ...state.isOpen, [`all ${group}`]: true } })
                      }
                    />
                  )}
                </Disclosure>
              );
            },
          )}
        </div>
      )}
    </div>
  );
}

const GROUPS = [
  { group: 'events', title: 'activities:groupEvents', hint: 'activities:groupEventsHint' },
  { group: 'yearRound', title: 'activities:groupYearRound', hint: undefined },
  { group: 'other', title: 'activities:groupOther', hint: undefined },
] as const;

// Rows update in a deferred render, so typing in the search box stays fast.
function useResults(activities: readonly Activity[], query: string, { utcDay, today }: Days) {
  const deferred = useDeferredValue(query);
  const searchable = useMemo(() => toSearchable(activities), [activities]);
  return useMemo(() => {
    const found = findActivities(searchable, deferred);
    const groups = groupActivities(found, utcDay);
    const isOpenAt = (isGood: (activity: Activity) => boolean) =>
      GROUPS.find(({ group }) => groups[group].some(isGood))?.group;
    return {
      count: found.length,
      firstWithSome:
        isOpenAt((activity) => unavailability(activity, today) === undefined) ?? isOpenAt(() => true),
      groups: {
        events: sortByNameMatch(groups.events, deferred),
        yearRound: sortByNameMatch(groups.yearRound, deferred),
        other: sortByNameMatch(groups.other, deferred),
      },
    };
  }, [searchable, deferred, utcDay, today]);
}

type Pick = { onPick: (activity: Activity) => void };

function Recent({ activities, onPick }: { activities: readonly Activity[] } & Pick) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="px-1 text-sm font-medium text-soft">{t('activities:recentlySelected')}</h3>
      <ul className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0.5">
        {activities.map((activity) => (
          <li key={activity.id} className="shrink-0">
            <RowButton look="chip" onPress={() => onPick(activity)}>
              <CategoryDot color={activity.category.color} />
              <span className="min-w-0 wrap-anywhere">{activity.name}</span>
            </RowButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

type RowsProps = {
  activities: readonly Activity[];
  days: Days;
  isAllShown: boolean;
  onShowAll: () => void;
} & Pick;

function Rows({ activities, days, onPick, isAllShown, onShowAll }: RowsProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  if (activities.length === 0) return <p className="px-10 pb-4 text-soft">{t('activities:groupEmpty')}</p>;
  const hasMore = !isAllShown && activities.length > INITIAL_ROWS;
  function showAll() {
    onShowAll();
    // The button is gone, so focus the first row it revealed.
    setTimeout(() => list.current?.children[INITIAL_ROWS]?.querySelector('button')?.focus());
  }
  return (
    <>
      <ul ref={list} className="pb-2">
        {(hasMore ? activities.slice(0, INITIAL_ROWS) : activities).map((activity) => (
          <Row key={activity.id} activity={activity} days={days} onPick={onPick} />
        ))}
      </ul>
      {hasMore && (
        <div className="px-7 pb-2">
          <LinkButton onPress={showAll}>{t('activities:showAll', { count: activities.length })}</LinkButton>
        </div>
      )}
    </>
  );
}

const Row = memo(function Row({ activity, days, onPick }: { activity: Activity; days: Days } & Pick) {
  const isDimmed = unavailability(activity, days.today) !== undefined;
  return (
    <li className="[contain-intrinsic-size:auto_3.5rem] [content-visibility:auto]">
      <RowButton rowKey={activity.id} isUnavailable={!activity.isActive} onPress={() => onPick(activity)}>
        <CategoryDot color={activity.category.color} />
        <span className="flex min-w-0 grow basis-24 flex-col">
          <span className={`wrap-anywhere ${isDimmed ? 'text-soft' : 'font-medium'}`}>{activity.name}</span>
          <span className="text-sm wrap-anywhere text-soft">
            <ActivityFacts activity={activity} days={days} />
          </span>
        </span>
        <ActivityTags activity={activity} days={days} />
      </RowButton>
    </li>
  );
});

// A phone's keyboard covers the lower half, so scroll the search to the top and keep its results visible.
function scrollSearchToTop({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (!(target instanceof HTMLInputElement) || !matchMedia('(pointer: coarse)').matches) return;
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  currentTarget.scrollIntoView({ block: 'start', behavior: isCalm ? 'instant' : 'smooth' });
}

function moveFocus(box: HTMLElement | null, focus: PickerFocus): void {
  if (box === null || focus === 'none') return;
  const heading = box.querySelector<HTMLElement>('h2');
  if (focus === 'heading') heading?.focus();
  else if (focus === 'search') box.querySelector<HTMLElement>('input[type="search"]')?.focus();
  else if (focus === 'first') (box.querySelector<HTMLElement>('button[data-row]') ?? heading)?.focus();
  else (box.querySelector<HTMLElement>(`button[data-row="${focus.activityId}"]`) ?? heading)?.focus();
}
