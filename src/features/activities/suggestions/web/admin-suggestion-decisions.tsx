import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { SidePanel } from '#web/ui/admin/side-panel.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import type { ActivityInput } from '../../contract.ts';
import { ActivityFields, useActivityForm } from '../../web/admin-activity-form-fields.tsx';
import { type ActivityValues, canSubmit, valuesOf } from '../../web/admin-activity-form-values.ts';
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

type ApprovePanelProps = {
  /** The suggestion to approve; undefined while the panel is closed. */
  suggestion: AdminSuggestion | undefined;
  /** Approves the suggestion; an error it throws appears in the panel. */
  onApprove: (suggestion: AdminSuggestion, activity: ActivityInput) => Promise<void>;
  onClose: () => void;
};

/** The form for the activity of a suggestion, prefilled with the suggested values. */
export function ApprovePanel({ suggestion, onApprove, onClose }: ApprovePanelProps) {
  const { t } = useTranslation();
  return (
    <SidePanel title={t('suggestions:approveTitle')} isOpen={suggestion !== undefined} onClose={onClose}>
      {suggestion !== undefined && (
        <ApproveForm key={suggestion.id} suggestion={suggestion} onApprove={onApprove} onClose={onClose} />
      )}
    </SidePanel>
  );
}

function ApproveForm({
  suggestion,
  onApprove,
  onClose,
}: ApprovePanelProps & { suggestion: AdminSuggestion }) {
  const { t } = useTranslation();
  const { firstName, lastName } = suggestion.user;
  const form = useActivityForm(
    suggestedValues(suggestion),
    (body) => onApprove(suggestion, body),
    `approve suggestion ${suggestion.id}`,
  );
  return (
    <PanelForm
      form={form}
      saveText={t('suggestions:approveSave')}
      isSaveDisabled={!canSubmit(form.values)}
      onCancel={onClose}
    >
      <Notice>{t('suggestions:approveHint', { name: `${firstName} ${lastName}` })}</Notice>
      <ActivityFields form={form} school={suggestion.school} />
    </PanelForm>
  );
}

function suggestedValues(suggestion: AdminSuggestion): ActivityValues {
  const { name, schoolId, categoryId, description, isYearLong, activeFrom, activeUntil } = suggestion;
  return {
    ...valuesOf(undefined, schoolId),
    name,
    categoryId: categoryId ?? undefined,
    description: description ?? '',
    isYearLong,
    activeFrom,
    activeUntil,
  };
}
