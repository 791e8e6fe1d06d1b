import { RotateCw, Upload } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Step, StepMessage, stepTitle } from '#web/ui/admin/steps.tsx';
import { Button } from '#web/ui/button.tsx';
import { activitiesOpener } from './admin-activity-dropdown.tsx';
import { findUnfinishedActivities } from './admin-sync-labels.ts';
import { SyncPanel } from './admin-sync-progress.tsx';
import type { Syncing } from './admin-sync-state.ts';

type SyncStepProps = { timeZone: string; chosenIds: readonly Id[]; syncing: Syncing };

/** The third step: starts a sync, follows it photo by photo, and shows the outcome. */
export function SyncStep({ timeZone, chosenIds, syncing }: SyncStepProps) {
  const { t } = useTranslation();
  const { sync, isUnderWay, isStarting, failure } = syncing;
  const wasUnderWay = useRef(isUnderWay);
  // The pressed button disappears when a sync starts or ends; the step's title takes the focus.
  useEffect(() => {
    if (wasUnderWay.current !== isUnderWay && document.activeElement === document.body) stepTitle(3).focus();
    wasUnderWay.current = isUnderWay;
  }, [isUnderWay]);
  function begin() {
    if (chosenIds.length === 0) activitiesOpener.focus();
    syncing.begin(chosenIds);
  }
  const again = sync === undefined || isUnderWay ? [] : findUnfinishedActivities(sync);
  return (
    <Step number={3} title={t('google-drive:stepSync')} state="open">
      <StepMessage message={failure} />
      {!isUnderWay && (
        <div className="flex flex-wrap gap-3">
          <Button
            kind="primary"
            onPress={begin}
            isBusy={isStarting}
            busyText={t('google-drive:starting')}
            icon={<Upload aria-hidden="true" className="size-5" />}
          >
            {chosenIds.length === 0
              ? t('google-drive:syncPhotos')
              : t('google-drive:syncCount', { count: chosenIds.length })}
          </Button>
          {again.length > 0 && (
            <Button
              onPress={() => syncing.begin(again)}
              isDisabled={isStarting}
              icon={<RotateCw aria-hidden="true" className="size-4" />}
            >
              {t('google-drive:goOn', { count: again.length })}
            </Button>
          )}
        </div>
      )}
      {sync !== undefined && <SyncPanel sync={sync} timeZone={timeZone} syncing={syncing} />}
    </Step>
  );
}
