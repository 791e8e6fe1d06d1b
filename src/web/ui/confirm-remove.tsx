import { type ReactNode, useId, useState } from 'react';
import { failureText } from '../api/call.ts';
import { useTranslation } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { FormMessage } from './notice.tsx';

type ConfirmRemoveProps = {
  title: string;
  /** What is asked, or the consequences of the removal; undefined while the dialog is closed. */
  question: string | undefined;
  /** Identifies what is removed if the question does not. */
  about?: ReactNode;
  /** Additional questions. */
  more?: ReactNode;
  /** The text of the button; undefined if nothing can be removed, and the question says why. */
  confirmText: string | undefined;
  /** Carries out the removal; an error it throws appears above the buttons. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

/** Asks before a removal or another action that can't be undone. */
export function ConfirmRemove({ title, question, onClose, ...rest }: ConfirmRemoveProps) {
  return (
    <Dialog title={title} isOpen={question !== undefined} onClose={onClose} isAlert>
      {question !== undefined && <Question question={question} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function Question({
  question,
  about,
  more,
  confirmText,
  onConfirm,
  onClose,
}: Omit<ConfirmRemoveProps, 'title'>) {
  const { t } = useTranslation();
  const id = useId();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  async function confirm() {
    setIsBusy(true);
    setFailure(undefined);
    try {
      await onConfirm();
    } catch (error) {
      setFailure(failureText(error));
      setIsBusy(false);
    }
  }
  return (
    <>
      <div id={id} className="mb-4 flex flex-col gap-2 wrap-anywhere">
        <p>{question}</p>
        {about}
      </div>
      {more}
      <FormMessage message={failure} />
      <DialogActions>
        <Button kind="plain" onPress={onClose}>
          {t(confirmText === undefined ? 'web:close' : 'web:cancel')}
        </Button>
        {confirmText !== undefined && (
          <Button kind="danger" onPress={() => void confirm()} isBusy={isBusy} describedBy={id}>
            {confirmText}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
