import { useState } from 'react';
import { foldForSearch } from '#shared/text-normalization.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { listSearch } from '#web/ui/admin/list-focus-targets.ts';
import { Button } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { createFocusTargets } from '#web/ui/focus-target.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import type { ActivityAnalytics } from '../contract.ts';
import { FigureSection } from './admin-bar-chart.tsx';

const SORTS = ['totalHours', 'totalEntries', 'uniqueUsers'] as const;
type Sort = (typeof SORTS)[number];

/** The number of bars shown at first, since more are hard to read. The rest appear on request or in a search. */
const SHOWN_AT_FIRST = 25;

type ActivityPartProps = {
  activities: readonly ActivityAnalytics[];
  /** School names by id, when activities of several schools are listed together and names can repeat. */
  schoolNames: ReadonlyMap<number, string> | undefined;
  search: string;
  onSearch: (search: string) => void;
  onShowEntries: (activity: ActivityAnalytics) => void;
};

/** A bar for each activity; its width is relative to the activity with the most hours (specification section 2). */
export function ActivitySection({
  activities,
  schoolNames,
  search,
  onSearch,
  onShowEntries,
}: ActivityPartProps) {
  const { t } = useTranslation();
  const [sort, setSort] = useState<Sort>('totalHours');
  const [isWhole, setIsWhole] = useState(false);
  const [focusTargetOf] = useState(() => createFocusTargets<string | number>());
  const found = activities
    .filter((activity) => isFound(activity, schoolNames?.get(activity.schoolId), search))
    .toSorted((a, b) => b[sort] - a[sort]);
  const labelOf = ({ name, schoolId }: ActivityAnalytics) => {
    const school = schoolNames?.get(schoolId);
    return school === undefined
      ? t('analytics:showEntries', { name })
      : t('analytics:showEntriesAt', { name, school });
  };
  const visible = isWhole || search !== '' ? found : found.slice(0, SHOWN_AT_FIRST);
  return (
    <FigureSection
      title={t('analytics:byActivity')}
      nameTitle={t('analytics:activity')}
      asideTitle={t('analytics:category')}
      focusTargetOf={focusTargetOf}
      fullHours={activities[0]?.totalHours ?? 0}
      figures={visible.map((activity) => ({
        key: activity.id,
        ...activity,
        schoolName: schoolNames?.get(activity.schoolId),
        mark: <CategoryDot color={activity.category.color} />,
        aside: activity.category.name,
        open: {
          label: labelOf(activity),
          onPress: () => onShowEntries(activity),
        },
      }))}
      controls={
        <div className="flex flex-wrap items-center gap-2 print:hidden">
          <div className="min-w-0 grow basis-56">
            <SearchField
              ref={listSearch.ref}
              label={t('analytics:searchActivities')}
              value={search}
              onChange={onSearch}
            />
          </div>
          <SelectChip
            label={t('analytics:sortBy')}
            value={sort}
            onChange={(value) => setSort(SORTS.find((one) => one === value) ?? 'totalHours')}
            choices={SORTS.map((one) => ({ value: one, text: t(SORT_NAMES[one]) }))}
          />
        </div>
      }
      foot={
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="status" className="figures text-soft">
            {t('analytics:shownOf', { shown: visible.length, count: activities.length })}
          </p>
          {visible.length < found.length && (
            <Button
              onPress={() => {
                setIsWhole(true);
                const [firstNew] = found.slice(visible.length);
                if (firstNew !== undefined) setTimeout(focusTargetOf(firstNew.id).focus);
              }}
            >
              {t('analytics:showAll', { count: found.length })}
            </Button>
          )}
        </div>
      }
    />
  );
}

const SORT_NAMES = {
  totalHours: 'analytics:hours',
  totalEntries: 'analytics:entries',
  uniqueUsers: 'analytics:people',
} as const satisfies Record<Sort, MessageKey>;

function isFound({ name, category }: ActivityAnalytics, school: string | undefined, search: string): boolean {
  const text = foldForSearch(`${name} ${category.name} ${school ?? ''}`);
  return foldForSearch(search)
    .split(' ')
    .every((word) => text.includes(word));
}
