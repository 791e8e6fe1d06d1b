import { translationValues } from '#features/schools/content-translations/web/admin-translation-fields.tsx';
import { useTranslation } from '#web/i18n/translate.ts';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { SidePanel } from '#web/ui/admin/side-panel.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { type ActivityInput, TRANSLATED } from '../../contract.ts';
import { ActivityFields, useActivityForm } from '../../web/admin-activity-form-fields.tsx';
import { type ActivityValues, canSubmit } from '../../web/admin-activity-form-values.ts';
import type { AdminSuggestion } from '../contract.ts';

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
    name,
    schoolId,
    categoryId: categoryId ?? undefined,
    description: description ?? '',
    isYearLong,
    activeFrom,
    activeUntil,
    requiresDescription: false,
    descriptionPrompt: '',
    isActive: true,
    verifiedBy: 'school',
    outsideVerifier: null,
    translations: translationValues(TRANSLATED, null),
  };
}
