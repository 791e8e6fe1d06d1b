import type { ReactNode } from 'react';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';

type TabToComeProps = { title: MessageKey; aside: ReactNode; failed: ReactNode };

/** What stands in a tab until its list has loaded. */
export function TabPlaceholder({ title, aside, failed }: TabToComeProps) {
  const { t } = useTranslation();
  return (
    <section className="flex flex-col gap-4">
      <ListTitle title={t(title)} aside={aside} />
      {failed ?? <SkeletonRows rows={6} isTall />}
    </section>
  );
}
