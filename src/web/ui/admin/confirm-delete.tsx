import { type ReactNode, useId, useState } from 'react';
import { failureText } from '../../api/call.ts';
import { useTranslation } from '../../i18n/translate.ts';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { FormMessage } from '../notice.tsx';

type ConfirmDeleteProps = {
  title: string;
  /** The question, in the specification's words (section 5); undefined while the dialog is closed. */
  question: string | undefined;
  /** Identifies the record if the question does not. */
  about?: ReactNode;
  /** Additional questions. */
  more?: ReactNode;
  /** What depends on the record, such as '3 categories and 24 volunteers'; empty if nothing does. */
  things?: string;
  /** Why the record can't be deleted. Replaces the question. */
  inUse?: string | undefined;
  /** The button's text when the question is not about deleting. */
  confirmText?: string;
  /** Carries out the deletion; an error it throws appears above the buttons. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

/** Asks for confirmation before a deletion or another action that can't be undone. */
export function ConfirmDelete({ title, question, onClose, ...rest }: ConfirmDeleteProps) {
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
  things = '',
  inUse,
  confirmText,
  onConfirm,
  onClose,
}: Omit<ConfirmDeleteProps, 'title' | 'question'> & { question: string }) {
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
        <p>{inUse ?? question}</p>
        {about}
        {inUse === undefined && things !== '' && (
          <p className="text-soft">{t('web:hangsOnIt', { things })}</p>
        )}
      </div>
      {more}
      <FormMessage message={failure} />
      <DialogActions>
        <Button kind="plain" onPress={onClose}>
          {t(inUse === undefined ? 'web:cancel' : 'web:close')}
        </Button>
        {inUse === undefined && (
          <Button kind="danger" onPress={() => void confirm()} isBusy={isBusy} describedBy={id}>
            {confirmText ?? t('web:delete')}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
