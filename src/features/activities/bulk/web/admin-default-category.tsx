import { useTranslation } from '#web/i18n/translate.ts';
import { SuggestField } from '#web/ui/admin/suggest-field.tsx';
import { LIMITS as CATEGORY_LIMITS } from '../../categories/contract.ts';
import { useCategories } from '../../categories/web/admin-api.ts';

type CategoryOfRestProps = { schoolId: number; value: string; onChange: (value: string) => void };

/** The category of rows that name none. */
export function DefaultCategory({ schoolId, value, onChange }: CategoryOfRestProps) {
  const { t } = useTranslation();
  const categories = useCategories(schoolId).data ?? [];
  return (
    <div className="sm:max-w-96">
      <SuggestField
        name="category"
        label={t('activities:severalCategory')}
        hint={t('activities:severalCategoryHint')}
        value={value}
        onChange={onChange}
        suggestions={categories.map(({ name }) => name)}
        maxLength={CATEGORY_LIMITS.name}
      />
    </div>
  );
}
