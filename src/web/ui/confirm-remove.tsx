import { useId } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { FormMessage } from './notice.tsx';

type ConfirmRemoveProps = {
  title: string;
  /** The consequences of the removal; undefined while the dialog is closed. */
  question: string | undefined;
  confirmText: string;
  /** Why the removal failed. */
  failure?: string | undefined;
  isBusy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before a removal, which can't be undone. */
export function ConfirmRemove(props: ConfirmRemoveProps) {
  const { title, question, confirmText, failure, isBusy = false, onConfirm, onClose } = props;
  const { t } = useTranslation();
  const id = useId();
  return (
    <Dialog title={title} isOpen={question !== undefined} onClose={onClose} isAlert>
      <p id={id} className="mb-4 wrap-anywhere">
        {question}
      </p>
      <FormMessage message={failure} />
      <DialogActions>
        <Button kind="plain" onPress={onClose}>
          {t('web:cancel')}
        </Button>
        <Button kind="danger" onPress={onConfirm} isBusy={isBusy} describedBy={id}>
          {confirmText}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
