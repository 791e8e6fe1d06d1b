import { baseMessages } from '#base/messages.ts';
import type { ManagePhotosProps } from '#rooms/photos/web/manage-photos.tsx';
import { useText } from '#web/lib/text.ts';
import { usePart } from '#web/lib/use-part.ts';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';

/** Manage Photos, loaded when first opened, because logging hours does not need it. */
export function Photos(props: ManagePhotosProps) {
  const { say } = useText();
  const part = usePart('photos', () => import('./photos-part.tsx'));
  if (part.data !== undefined) return <part.data.ManagePhotos {...props} />;
  return part.isError ? (
    <ErrorBox
      text={say(baseMessages.networkError)}
      onRetry={() => void part.refetch()}
      isRetrying={part.isFetching}
    />
  ) : (
    <SkeletonRows rows={6} isTall />
  );
}
