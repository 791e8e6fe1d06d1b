import { messages } from '#rooms/district/contract.ts';
import type { AdminPhotoSyncProps } from '#rooms/drive-sync/web/admin-photo-sync.tsx';
import { useText } from '#web/lib/text.ts';
import { usePart } from '#web/lib/use-part.ts';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';

/** The Photo Sync tab, loaded when somebody opens it. */
export function PhotoSync(props: AdminPhotoSyncProps) {
  const { t, say } = useText();
  const part = usePart('admin-photo-sync', () => import('./admin-photo-sync-part.tsx'));
  if (part.data !== undefined) return <part.data.AdminPhotoSync {...props} />;
  return (
    <section className="flex flex-col gap-4">
      <ListTitle title={t('web:photoSync')} aside={props.filter} />
      {part.isError ? (
        <ErrorBox
          text={say(messages.failedToLoad)}
          onRetry={() => void part.refetch()}
          isRetrying={part.isFetching}
        />
      ) : (
        <SkeletonRows rows={3} isTall />
      )}
    </section>
  );
}
