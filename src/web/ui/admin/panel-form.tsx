import { Trash2 } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { Button } from '../button.tsx';
import { FormErrors, type SentForm } from '../form-errors.tsx';
import { PanelActions } from './side-panel.tsx';

type PanelFormProps = {
  children: ReactNode;
  /** The result of `useForm`. */
  form: SentForm;
  saveText: string;
  isSaveDisabled?: boolean;
  onCancel: () => void;
  /** Replaces 'Cancel' where leaving loses nothing. */
  cancelText?: string;
  /** Deletes the record; undefined for a new one. */
  onDelete?: (() => void) | undefined;
  deleteText?: string;
  /** Opens the current version after somebody else has changed the record. */
  onReload?: (() => void) | undefined;
  /** A second submit button; `onChosen` reports before sending whether it was pressed. */
  another?: { text: string; onChosen: (isAnother: boolean) => void } | undefined;
  /** A question the next press answers. Above the buttons, so it is visible however far the form is scrolled. */
  question?: ReactNode;
  /** Further actions, shown before Delete. */
  more?: ReactNode;
};

/** The form of a panel: fields, form-level errors, and buttons that stay visible. */
export function PanelForm(props: PanelFormProps) {
  const {
    children,
    form,
    saveText,
    isSaveDisabled = false,
    onCancel,
    cancelText,
    onDelete,
    deleteText,
    onReload,
    another,
    question,
    more,
  } = props;
  const { t } = useTranslation();
  const anotherButton = useRef<HTMLButtonElement>(null);
  return (
    <form
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        another?.onChosen(submitter !== null && submitter === anotherButton.current);
        return form.onSubmit(event);
      }}
      noValidate
      className="flex grow flex-col gap-5"
    >
      <div className="flex flex-col gap-4 pb-1">
        {children}
        {more}
      </div>
      <PanelActions
        message={
          <>
            {question}
            <FormErrors form={form} onReload={onReload} />
          </>
        }
        danger={
          onDelete !== undefined && (
            <Button kind="plain" onPress={onDelete} icon={<Trash2 aria-hidden="true" className="size-5" />}>
              <span className="max-sm:sr-only">{deleteText}</span>
            </Button>
          )
        }
      >
        <Button
          kind="primary"
          type="submit"
          isBusy={form.isSending}
          busyText={t('web:saving')}
          isDisabled={isSaveDisabled}
        >
          {saveText}
        </Button>
        {another !== undefined && (
          <Button ref={anotherButton} type="submit" isDisabled={isSaveDisabled || form.isSending}>
            {another.text}
          </Button>
        )}
        <Button kind="plain" onPress={onCancel}>
          {cancelText ?? t('web:cancel')}
        </Button>
      </PanelActions>
    </form>
  );
}
