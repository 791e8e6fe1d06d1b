import { CircleCheck, ImagePlus, Undo2 } from 'lucide-react';
import { formatHours, type Hours } from '#shared/hours.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import type { TimeEntry } from '../contract.ts';
import type { UndoLog } from './api.ts';

/** Several days logged with one call. */
export type LoggedDays = Readonly<{
  count: number;
  /** Undefined if the days cannot be undone. */
  undo: UndoLog | undefined;
}>;

type LoggedCardProps = {
  /** Undefined while the hours are queued on this device. */
  entry: TimeEntry | undefined;
  activity: Pick<TimeEntry['activity'], 'id'>;
  /** The logged days, when several were logged together. */
  several?: LoggedDays | undefined;
  /** The text shown while the hours are queued on this device; logged hours have a notice. */
  message: string;
  /** The volunteer's hours of this school year; undefined while loading. */
  total: Hours | undefined;
  /** Undefined if the hours cannot be undone. */
  onUndo?: (() => void) | undefined;
  isUndoing: boolean;
  onPhotos: ((activity: Pick<TimeEntry['activity'], 'id'>) => void) | undefined;
  onAnother: () => void;
};

/** Confirms what was just logged, until the user continues. */
export function LoggedConfirmation(props: LoggedCardProps) {
  const { entry, activity, several, message, total, onUndo, isUndoing, onPhotos, onAnother } = props;
  const { t, language } = useTranslation();
  return (
    <div ref={scrollIntoView} className="rounded-card border border-brand bg-wash p-4 sm:p-5">
      <div className="flex gap-3">
        <CircleCheck aria-hidden="true" className="mt-1 size-5 shrink-0 text-brand" />
        <div className="min-w-0 grow">
          <p className="text-lg font-semibold wrap-anywhere">
            {entry === undefined
              ? message
              : several === undefined
                ? t('time-entries:logged', {
                    count: entry.hours,
                    hours: formatHours(entry.hours, language),
                    activity: entry.activity.name,
                  })
                : t('time-entries:loggedDays', { count: several.count, activity: entry.activity.name })}
          </p>
          {/* The line is there before the number, so that nothing below moves. */}
          {entry !== undefined && (
            <p className="figures min-h-6 text-soft">
              {total !== undefined &&
                `${formatHours(total, language)} ${t('time-entries:totalThisYear', { count: total })}`}
            </p>
          )}
        </div>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        {onUndo !== undefined && entry !== undefined && (
          <Button
            icon={<Undo2 aria-hidden="true" className="size-5" />}
            isBusy={isUndoing}
            label={
              several === undefined
                ? t('time-entries:undoLogged', {
                    hours: formatHours(entry.hours, language),
                    activity: entry.activity.name,
                  })
                : t('time-entries:undoSeveral', { count: several.count, activity: entry.activity.name })
            }
            onPress={onUndo}
          >
            {t('web:undo')}
          </Button>
        )}
        {onPhotos !== undefined && (
          <Button
            icon={<ImagePlus aria-hidden="true" className="size-5" />}
            onPress={() => onPhotos(activity)}
          >
            {t('time-entries:addPhoto')}
          </Button>
        )}
        <Button onPress={onAnother}>{t('time-entries:logAnother')}</Button>
      </div>
    </div>
  );
}

function scrollIntoView(card: HTMLElement | null) {
  card?.scrollIntoView({ block: 'nearest' });
}
