import { Pencil, Repeat2, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDay, formatDayShort } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { useFocusOnArrival } from '#web/ui/focus-target.ts';
import type { TimeEntry } from '../contract.ts';

type EntryRowProps = {
  entry: TimeEntry;
  /** Whether to show the volunteer's name, for administrators who see everyone's entries. */
  isPersonShown: boolean;
  /** Whether the entry was just restored and takes the focus, since the Undo button that had it is gone. */
  isBack: boolean;
  /** Its verification status, at a school that verifies hours. */
  state?: ReactNode;
  /** Logs the same activity again, where that is possible. */
  onLogAgain?: ((entry: TimeEntry) => void) | undefined;
  onEdit: () => void;
  onDelete: () => void;
};

/** One entry: activity, hours, note, and the buttons that the user may use. */
export function EntryRow({
  entry,
  isPersonShown,
  isBack,
  state,
  onLogAgain,
  onEdit,
  onDelete,
}: EntryRowProps) {
  const { t } = useTranslation();
  const name = useEntryName(entry);
  const last = useFocusOnArrival<HTMLButtonElement>(() => isBack && document.activeElement === document.body);
  return (
    <li className="flex flex-col py-1.5 pr-1.5 pl-4 sm:pr-2">
      {/* A name that does not fit next to the buttons takes the whole line, and they move to the next. */}
      <div className="flex flex-wrap items-center justify-end gap-x-3">
        <div className="flex max-w-full grow items-center gap-x-3 pr-2.5">
          <CategoryDot color={entry.activity.category.color} />
          <span className="min-w-0 grow py-2 font-medium wrap-break-word">{entry.activity.name}</span>
          <span className="figures shrink-0 font-semibold whitespace-nowrap">{name.hours}</span>
        </div>
        {(entry.canEdit || entry.canDelete || onLogAgain !== undefined) && (
          <span className="-ml-4 flex shrink-0">
            {onLogAgain !== undefined && (
              <IconButton
                label={t('time-entries:logRowAgain', { activity: entry.activity.name })}
                icon={<Repeat2 aria-hidden="true" className="size-5" />}
                onPress={() => onLogAgain(entry)}
              />
            )}
            {entry.canEdit && (
              <IconButton
                label={t('time-entries:edit', name)}
                icon={<Pencil aria-hidden="true" className="size-5" />}
                onPress={onEdit}
                {...(entry.canDelete ? {} : { ref: last })}
              />
            )}
            {entry.canDelete && (
              <IconButton
                label={t('time-entries:delete', name)}
                icon={<Trash2 aria-hidden="true" className="size-5" />}
                onPress={onDelete}
                ref={last}
              />
            )}
          </span>
        )}
      </div>
      {(isPersonShown || entry.notes !== null) && (
        <div className="-mt-1 flex flex-col pr-3 pb-2 pl-6.5 text-dense text-soft">
          {isPersonShown && (
            <span>
              {entry.user.firstName} {entry.user.lastName}
            </span>
          )}
          {entry.notes !== null && <p className="wrap-anywhere whitespace-pre-line">{entry.notes}</p>}
        </div>
      )}
      {state}
    </li>
  );
}

/**
 * A deleted entry stays in the list until the user leaves it. The button that deleted it is gone, so Undo takes the
 * focus.
 */
export function DeletedRow({ entry, onUndo }: { entry: TimeEntry; onUndo: () => void }) {
  const { t } = useTranslation();
  const undo = useFocusOnArrival<HTMLButtonElement>();
  const name = useEntryName(entry);
  return (
    <li className="flex flex-wrap items-center justify-end gap-x-3 py-2 pr-2 pl-4 text-soft">
      <CategoryDot color={entry.activity.category.color} />
      <span className="min-w-0 grow basis-16 wrap-anywhere line-through">
        {entry.activity.name}, {name.hours}
      </span>
      <span className="shrink-0">{t('time-entries:deletedRow')}</span>
      <Button ref={undo} kind="plain" onPress={onUndo} label={t('time-entries:undoDelete', name)}>
        {t('web:undo')}
      </Button>
    </li>
  );
}

/** Identifies an entry in a dialog: person, activity, day, hours. */
export function EntryFacts({ entry }: { entry: TimeEntry }) {
  const { t, language } = useTranslation();
  const { user, activity, entryDate, hours } = entry;
  return (
    <p className="wrap-anywhere text-soft">
      {t('time-entries:aboutEntry', {
        person: fullName(user),
        activity: activity.name,
        date: formatDay(entryDate, language),
        hours: formatHours(hours, language),
      })}
    </p>
  );
}

function useEntryName(entry: TimeEntry) {
  const { t, language } = useTranslation();
  return {
    activity: entry.activity.name,
    hours: t('time-entries:shortHours', { hours: formatHours(entry.hours, language) }),
    date: formatDayShort(entry.entryDate, language),
  };
}
