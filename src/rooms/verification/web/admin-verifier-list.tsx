import { memo, useMemo } from 'react';
import { useGrowing } from '#web/lib/use-growing.ts';
import { type Deciding, GroupCard } from './admin-verifier-group.tsx';
import { type DeskEntry, groupsOf } from './admin-verifier-groups.ts';

/** About two screens of a phone. */
const STEP = 6;

/** The entries at the desk, by activity and day. */
export const DeskList = memo(function DeskList({
  entries,
  timeZone,
  isWaiting,
  deciding,
}: {
  entries: readonly DeskEntry[];
  /** The district's. */
  timeZone: string;
  isWaiting: boolean;
  deciding: Deciding | undefined;
}) {
  const groups = useMemo(() => groupsOf(entries), [entries]);
  const drawn = useGrowing(groups.length, STEP);
  return (
    <ul className="flex flex-col gap-3">
      {groups.slice(0, drawn).map((group) => (
        <GroupCard
          key={group.key}
          group={group}
          timeZone={timeZone}
          isWaiting={isWaiting}
          deciding={deciding}
        />
      ))}
    </ul>
  );
});
