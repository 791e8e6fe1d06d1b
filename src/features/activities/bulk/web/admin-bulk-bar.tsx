import { useQueryClient } from '@tanstack/react-query';
import { CalendarPlus, Copy, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { refreshEverything } from '#web/api/list-cache.ts';
import { runOneByOne } from '#web/api/sequential-requests.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { SelectionBar } from '#web/ui/admin/selection-bar.tsx';
import { Button } from '#web/ui/button.tsx';
import { notify } from '#web/ui/toasts.ts';
import type { AdminActivity } from '../../contract.ts';
import { setActive } from '../../web/admin-api.ts';

type BulkBarProps = {
  chosen: readonly AdminActivity[];
  onClear: () => void;
  /** Shows an error message, or clears it. */
  onFailed: (sentence: string | undefined) => void;
  /**
   * Copies the selected activities for next year. Undefined if they are not all at one school. `onCopyToSchools` is also
   * undefined if the user has no other school to copy them to.
   */
  onNextYear: (() => void) | undefined;
  onCopyToSchools: (() => void) | undefined;
};

/** Bulk actions for the selected activities: deactivate or copy. */
export function BulkBar({ chosen, onClear, onFailed, onNextYear, onCopyToSchools }: BulkBarProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ done: number; count: number }>();
  const active = chosen.filter(({ isActive }) => isActive);

  async function deactivate() {
    onFailed(undefined);
    setProgress({ done: 0, count: active.length });
    const failed = await runOneByOne(
      active,
      (activity) => setActive(activity, false),
      (done) => setProgress({ done, count: active.length }),
    );
    setProgress(undefined);
    const done = active.filter((activity) => !failed.some(({ item }) => item === activity));
    if (failed.length > 0) {
      onFailed(
        t('activities:notDeactivated', {
          count: failed.length,
          names: failed.map(({ item }) => item.name).join(', '),
          reason: [...new Set(failed.map(({ error }) => error.message))].join(' '),
        }),
      );
    }
    if (done.length > 0) {
      notify.success(t('activities:deactivated', { count: done.length }), {
        undo: () => void activate(done),
      });
    }
    onClear();
    void refreshEverything(client);
  }

  // The deactivation raised each version by one since the activities were selected.
  async function activate(activities: readonly AdminActivity[]) {
    const failed = await runOneByOne(
      activities,
      (activity) => setActive({ ...activity, version: activity.version + 1 }, true),
      () => undefined,
    );
    const [first] = failed;
    if (first !== undefined) notify.failure(first.error.message);
    void refreshEverything(client);
  }

  return (
    <SelectionBar
      text={
        progress === undefined
          ? t('activities:selected', { count: chosen.length })
          : t('activities:deactivating', { ...progress })
      }
      isShown={chosen.length > 0}
    >
      {active.length > 0 && (
        <Button
          icon={<EyeOff aria-hidden="true" className="size-5" />}
          onPress={() => void deactivate()}
          isBusy={progress !== undefined}
        >
          {t('activities:deactivate', { count: active.length })}
        </Button>
      )}
      {onNextYear !== undefined && (
        <Button
          icon={<CalendarPlus aria-hidden="true" className="size-5" />}
          onPress={onNextYear}
          isDisabled={progress !== undefined}
        >
          {t('activities:copySelectedToNextYear', { count: chosen.length })}
        </Button>
      )}
      {onCopyToSchools !== undefined && (
        <Button
          icon={<Copy aria-hidden="true" className="size-5" />}
          onPress={onCopyToSchools}
          isDisabled={progress !== undefined}
        >
          {t('activities:copySelectedToSchools', { count: chosen.length })}
        </Button>
      )}
      <Button kind="plain" onPress={onClear} isDisabled={progress !== undefined}>
        {t('activities:clearSelection')}
      </Button>
    </SelectionBar>
  );
}
