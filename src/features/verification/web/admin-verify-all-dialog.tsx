import { useState } from 'react';
import { formatHours, type Hours } from '#shared/hours.ts';
import { CallError, failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import type { QueueTotals } from './admin-api.ts';

type VerifyAllDialogProps = {
  isOpen: boolean;
  /** How many entries the filters find, with their hours. */
  total: number;
  totalHours: Hours;
  /** The loaded ones that are marked, and those that are not; undefined when not all are loaded. */
  marked: number | undefined;
  onAll: (seen: QueueTotals) => Promise<void>;
  onUnmarked: () => Promise<void>;
  onClose: () => void;
};

/** Asks before everything that the filters find is verified; asks again when that is another number by then. */
export function VerifyAllDialog({ isOpen, total, onClose, ...rest }: VerifyAllDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('verification:verifyAllTitle', { count: total })}
      isOpen={isOpen}
      onClose={onClose}
      isAlert
    >
      {isOpen && <Question total={total} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function Question({
  total,
  totalHours,
  marked,
  onAll,
  onUnmarked,
  onClose,
}: Omit<VerifyAllDialogProps, 'isOpen'>) {
  const { t, language } = useTranslation();
  const [busy, setBusy] = useState<'all' | 'unmarked'>();
  const [failure, setFailure] = useState<string>();
  const [hasChanged, setHasChanged] = useState(false);
  const hours = formatHours(totalHours, language);
  const unmarked = marked === undefined || marked === 0 || marked === total ? 0 : total - marked;

  async function go(what: 'all' | 'unmarked') {
    setBusy(what);
    setFailure(undefined);
    try {
      await (what === 'all' ? onAll({ total, totalHours }) : onUnmarked());
    } catch (error) {
      setBusy(undefined);
      const isAnother = error instanceof CallError && error.status === 409;
      setHasChanged(isAnother);
      if (!isAnother) setFailure(failureText(error));
    }
  }

  return (
    <>
      <div className="mb-4 flex flex-col gap-2">
        <p>{t('verification:verifyAllSum', { hours })}</p>
        {marked !== undefined && marked > 0 && (
          <p className="text-notice">{t('verification:verifyAllMarked', { count: marked })}</p>
        )}
      </div>
      <FormMessage
        message={
          failure ?? (hasChanged ? t('verification:verifyAllChanged', { count: total, hours }) : undefined)
        }
      />
      <DialogActions>
        <Button kind="plain" onPress={onClose}>
          {t('web:cancel')}
        </Button>
        <Button
          kind={unmarked > 0 ? 'quiet' : 'primary'}
          onPress={() => void go('all')}
          isBusy={busy !== undefined}
        >
          {t('verification:verifyAllNow', { count: total })}
        </Button>
        {unmarked > 0 && (
          <Button kind="primary" onPress={() => void go('unmarked')} isBusy={busy !== undefined}>
            {t('verification:verifyUnmarked', { count: unmarked })}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
