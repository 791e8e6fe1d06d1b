import type { ManagePhotosProps } from '#rooms/photos/web/manage-photos.tsx';
import { usePart } from '#web/lib/use-part.ts';
import { PartFailed } from '#web/ui/part-failed.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';

/** Manage Photos, loaded when first opened, because logging hours does not need it. */
export function Photos(props: ManagePhotosProps) {
  const part = usePart('photos', () => import('./photos-part.tsx'));
  if (part.data !== undefined) return <part.data.ManagePhotos {...props} />;
  return part.isError ? <PartFailed part={part} /> : <SkeletonRows rows={6} isTall />;
}
