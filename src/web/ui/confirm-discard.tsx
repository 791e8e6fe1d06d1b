import { useId } from 'react';
import { answer, useQuestion } from '../forms/unsaved-changes.ts';
import { useTranslation } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

/** Asks before Escape, Back, a close button or another screen would lose unsaved input. */
export function ConfirmDiscard() {
  const { t } = useTranslation();
  const id = useId();
  const question = useQuestion();
  if (question === undefined) return null;
  return (
    <Dialog title={t('web:discardTitle')} isOpen onClose={() => answer(false)} isAlert>
      <p id={id}>{t('web:discardWarning')}</p>
      <DialogActions>
        <Button onPress={() => answer(true)} describedBy={id}>
          {t('web:discard')}
        </Button>
        <Button kind="primary" onPress={() => answer(false)}>
          {t('web:keepEditing')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
