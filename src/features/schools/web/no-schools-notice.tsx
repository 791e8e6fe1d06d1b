import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** Shown to an administrator in a district without schools: only an administrator can add the first one. */
export function NoSchoolsNotice({ onAddSchool }: { onAddSchool: () => void }) {
  const { t } = useTranslation();
  return (
    <Notice>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="font-medium">{t('schools:noneYet')}</p>
        <Button onPress={onAddSchool}>{t('schools:addFirst')}</Button>
      </div>
    </Notice>
  );
}
