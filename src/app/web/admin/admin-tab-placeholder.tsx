import type { ReactNode } from 'react';
import { type TextKey, useText } from '#web/i18n/translate.ts';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';

type TabToComeProps = { title: TextKey; aside: ReactNode; failed: ReactNode };

/** What stands in a tab until its list has loaded. */
export function TabToCome({ title, aside, failed }: TabToComeProps) {
  const { t } = useText();
  return (
    <section className="flex flex-col gap-4">
      <ListTitle title={t(title)} aside={aside} />
      {failed ?? <SkeletonRows rows={6} isTall />}
    </section>
  );
}
