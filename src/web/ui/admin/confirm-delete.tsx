import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { ConfirmRemove } from '../confirm-remove.tsx';

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

/** Asks for confirmation before a record is deleted, or says why it can't be. */
export function ConfirmDelete({
  question,
  about,
  things = '',
  inUse,
  confirmText,
  ...rest
}: ConfirmDeleteProps) {
  const { t } = useTranslation();
  return (
    <ConfirmRemove
      question={question && (inUse ?? question)}
      about={
        <>
          {about}
          {inUse === undefined && things !== '' && (
            <p className="text-soft">{t('web:hangsOnIt', { things })}</p>
          )}
        </>
      }
      confirmText={inUse === undefined ? (confirmText ?? t('web:delete')) : undefined}
      {...rest}
    />
  );
}
