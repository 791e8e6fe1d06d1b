import { ChevronDown, X } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { type Activity, messages as activityMessages } from '#features/activities/contract.ts';
import { findActivities, sortByNameMatch, toSearchable } from '#features/activities/web/activity-search.ts';
import { useActivities } from '#features/activities/web/api.ts';
import type { PublicSchool } from '#features/schools/contract.ts';
import { dayIn } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { listSearch } from '#web/ui/admin/list-focus-targets.ts';
import { Step } from '#web/ui/admin/steps.tsx';
import { Button, IconButton, LinkButton } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { createFocusTarget } from '#web/ui/focus-target.ts';
import { BOX } from '#web/ui/labeled-field.tsx';
import { QueryStatus } from '#web/ui/query-error.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { folderName, LIMITS } from '../contract.ts';
import { photoCountLabel } from './admin-sync-labels.ts';

type ActivityDropdownProps = {
  activities: readonly Activity[];
  chosenIds: readonly Id[];
  onChoose: (ids: readonly Id[]) => void;
};

/** A searchable dropdown to select several of a school's activities. Activities with photos are listed first. */
export function ActivityDropdown({ activities, chosenIds, onChoose }: ActivityDropdownProps) {
  const { t } = useTranslation();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  function close() {
    setIsOpen(false);
    activitiesOpener.focus();
  }
  function closeOnEscape(event: KeyboardEvent) {
    if (event.key === 'Escape' && isOpen) close();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles the Escape key of the controls inside
    <div className="flex flex-col gap-1.5" onKeyDown={closeOnEscape}>
      <span id={`${id}-label`} className="font-medium">
        {t('google-drive:activitiesLabel')}
      </span>
      <button
        ref={activitiesOpener.ref}
        type="button"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-labelledby={`${id}-label ${id}-value`}
        className={`${BOX} flex min-h-12 items-center justify-between gap-3 text-left`}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span id={`${id}-value`} className={chosenIds.length === 0 ? 'text-soft' : ''}>
          {chosenIds.length === 0
            ? t('google-drive:chooseActivities')
            : t('google-drive:chosenCount', { count: chosenIds.length })}
        </span>
        <ChevronDown
          aria-hidden="true"
          className={`size-5 shrink-0 text-soft transition-transform ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      <div id={`${id}-list`} hidden={!isOpen}>
        {isOpen && (
          <Choices activities={activities} chosenIds={chosenIds} onChoose={onChoose} onDone={close} />
        )}
      </div>
    </div>
  );
}

/** The button that opens the list. It gets the focus if an activity still has to be selected or a selected one was removed. */
export const activitiesOpener = createFocusTarget();

// With a mouse the search field gets the focus immediately; on a phone the keyboard would hide the list.
function startSearching(input: HTMLInputElement | null): (() => void) | undefined {
  if (matchMedia('(pointer: fine)').matches) input?.focus();
  return listSearch.ref(input);
}

function Choices({
  activities,
  chosenIds,
  onChoose,
  onDone,
}: ActivityDropdownProps & { onDone: () => void }) {
  const text = useTranslation();
  const { t } = text;
  const [search, setSearch] = useState('');
  const searchable = useMemo(
    () => toSearchable(activities.toSorted((a, b) => Number(b.photoCount > 0) - Number(a.photoCount > 0))),
    [activities],
  );
  const found = sortByNameMatch(findActivities(searchable, search), search);
  const allWithPhotos = found.filter(({ photoCount }) => photoCount > 0);
  const withPhotos = allWithPhotos.slice(0, LIMITS.activities);
  const areAll = withPhotos.length === allWithPhotos.length;
  const isOffered = withPhotos.some(({ id }) => !chosenIds.includes(id));
  return (
    <div className="rise flex flex-col gap-2 rounded-xl border border-field p-2">
      <SearchField
        label={t('google-drive:searchActivities')}
        value={search}
        onChange={setSearch}
        ref={startSearching}
      />
      <p role="status" className="sr-only">
        {search !== '' && t('google-drive:found', { count: found.length })}
      </p>
      <ul className="max-h-90 overflow-y-auto">
        {found.map((activity) => (
          <li key={activity.id} className="[contain-intrinsic-size:auto_3.25rem] [content-visibility:auto]">
            <Checkbox
              name="activityIds"
              isSelected={chosenIds.includes(activity.id)}
              onChange={(isChosen) =>
                onChoose(
                  isChosen ? [...chosenIds, activity.id] : chosenIds.filter((id) => id !== activity.id),
                )
              }
            >
              <span className="grid grid-cols-[auto_1fr] items-baseline gap-x-2 sm:grid-cols-[auto_auto_1fr]">
                <CategoryDot color={activity.category.color} />
                <span className="wrap-anywhere">{activity.name}</span>
                <span className="figures text-sm font-normal text-soft max-sm:col-start-2">
                  {photoCountLabel(activity, text)}
                </span>
              </span>
            </Checkbox>
          </li>
        ))}
        {found.length === 0 && <li className="px-2 py-3 text-soft">{t('google-drive:noneFound')}</li>}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-2">
        <span>
          {withPhotos.length > 0 && (
            <LinkButton
              onPress={() =>
                onChoose(isOffered ? [...new Set([...chosenIds, ...withPhotos.map(({ id }) => id)])] : [])
              }
            >
              {isOffered
                ? t(areAll ? 'google-drive:chooseWithPhotos' : 'google-drive:chooseFirstWithPhotos', {
                    count: withPhotos.length,
                  })
                : t('google-drive:chooseNone')}
            </LinkButton>
          )}
        </span>
        <Button onPress={onDone}>{t('google-drive:done')}</Button>
      </div>
    </div>
  );
}

type ActivityStepProps = {
  school: PublicSchool;
  timeZone: string;
  chosenIds: readonly Id[];
  onChoose: (ids: readonly Id[]) => void;
  isSyncing: boolean;
};

/** The second step: selecting activities, each with its details. Collapsed while a sync is running. */
export function ActivityStep({ school, timeZone, chosenIds, onChoose, isSyncing }: ActivityStepProps) {
  const { t } = useTranslation();
  const activities = useActivities(school.id);
  const all = activities.data ?? [];
  const chosen = chosenIds.flatMap((id) => all.find((activity) => activity.id === id) ?? []);
  const photos = chosen.reduce((sum, { photoCount }) => sum + photoCount, 0);
  const summary =
    chosen.length === 0
      ? undefined
      : t('google-drive:chosenSummary', {
          activities: t('google-drive:activities', { count: chosen.length }),
          photos: t('google-drive:photos', { count: photos }),
        });
  return (
    <Step
      number={2}
      title={t('google-drive:stepChoose')}
      state={isSyncing ? 'done' : 'open'}
      summary={summary}
    >
      {isSyncing ? undefined : (
        <>
          <QueryStatus text={activityMessages.failedToLoad} query={activities} rows={1} isTall />
          {activities.data !== undefined && (
            <ActivityDropdown activities={all} chosenIds={chosenIds} onChoose={onChoose} />
          )}
          {chosen.length > 0 && (
            <ul aria-label={t('google-drive:selected')} className="divide-y divide-line">
              {chosen.map((activity) => (
                <ChosenActivity
                  key={activity.id}
                  activity={activity}
                  timeZone={timeZone}
                  onRemove={() => {
                    onChoose(chosenIds.filter((id) => id !== activity.id));
                    activitiesOpener.focus();
                  }}
                />
              ))}
            </ul>
          )}
        </>
      )}
    </Step>
  );
}

type ChosenActivityProps = { activity: Activity; timeZone: string; onRemove: () => void };

function ChosenActivity({ activity, timeZone, onRemove }: ChosenActivityProps) {
  const text = useTranslation();
  const { t } = text;
  const { name, category, activeFrom, createdAt } = activity;
  return (
    <li className="flex items-center gap-3 py-1.5">
      <CategoryDot color={category.color} />
      <div className="min-w-0 grow">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-dense wrap-anywhere text-soft">
          {category.name} · {photoCountLabel(activity, text)} ·{' '}
          {t('google-drive:folderWillBe', {
            name: folderName(name, activeFrom ?? dayIn(timeZone, createdAt)),
          })}
        </p>
      </div>
      <IconButton
        label={t('web:remove', { name })}
        icon={<X aria-hidden="true" className="size-5" />}
        onPress={onRemove}
      />
    </li>
  );
}
