/** Finding and merging duplicates, with its texts. */
export { Duplicates } from '#rooms/merges/web/admin-duplicates.tsx';
export { MergeWalkIn } from '#rooms/merges/web/admin-merge-walk-in.tsx';
