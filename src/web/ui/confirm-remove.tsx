import { useId } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

type ConfirmRemoveProps = {
  title: string;
  /** The consequences of the removal; undefined while the dialog is closed. */
  question: string | undefined;
  confirmText: string;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before a removal, which can't be undone. */
export function ConfirmRemove({ title, question, confirmText, onConfirm, onClose }: ConfirmRemoveProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Dialog title={title} isOpen={question !== undefined} onClose={onClose} isAlert>
      <p id={id} className="mb-4 wrap-anywhere">
        {question}
      </p>
      <DialogActions>
        <Button kind="plain" onPress={onClose}>
          {t('web:cancel')}
        </Button>
        <Button kind="danger" onPress={onConfirm} describedBy={id}>
          {confirmText}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
