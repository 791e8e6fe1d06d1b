import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { type AdminSuggestion, LIMITS, ReasonInput } from '../contract.ts';

type ReasonDialogProps = {
  action: 'reject' | 'delete';
  /** Undefined while the dialog is closed. */
  suggestion: AdminSuggestion | undefined;
  /** Carries out the decision; an error it throws appears in the dialog. */
  onDecide: (suggestion: AdminSuggestion, reason: string | null) => Promise<void>;
  onClose: () => void;
};

/** Asks for an optional reason when a suggestion is rejected or deleted. */
export function ReasonDialog({ action, suggestion, onDecide, onClose }: ReasonDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t(action === 'reject' ? 'suggestions:rejectTitle' : 'suggestions:deleteTitle')}
      isOpen={suggestion !== undefined}
      onClose={onClose}
    >
      {suggestion !== undefined && (
        <ReasonForm action={action} suggestion={suggestion} onDecide={onDecide} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ReasonForm({
  action,
  suggestion,
  onDecide,
  onClose,
}: ReasonDialogProps & { suggestion: AdminSuggestion }) {
  const { t } = useTranslation();
  const form = useForm({
    schema: ReasonInput,
    initial: { reason: '' },
    draft: `${action} suggestion ${suggestion.id}`,
    send: ({ reason }) => onDecide(suggestion, reason ?? null),
  });
  const { name, user } = suggestion;
  const hasReason = form.values.reason.trim() !== '';
  const buttonKey =
    action === 'reject'
      ? 'suggestions:rejectAction'
      : hasReason
        ? 'suggestions:deleteMark'
        : 'suggestions:deleteForGood';
  return (
    <DialogForm form={form} send={{ text: t(buttonKey), isDanger: action === 'delete' }} onCancel={onClose}>
      <p className="wrap-anywhere">
        {t(action === 'reject' ? 'suggestions:rejectQuestion' : 'suggestions:deleteQuestion', {
          name,
          firstName: user.firstName,
        })}
      </p>
      <TextArea
        {...form.field('reason')}
        label={t('suggestions:reasonOptional')}
        max={LIMITS.adminReason}
        rows={3}
        isAlwaysCounted
      />
    </DialogForm>
  );
}
