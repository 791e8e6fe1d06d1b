import { memo, useId, useMemo, useState } from 'react';
import { VirtualList } from '#web/ui/virtual-list.tsx';
import { type Deciding, type ExpandedState, GroupCard } from './admin-verification-group.tsx';
import { type Group, groupsOf, type QueueEntry } from './admin-verification-groups.ts';

const GAP_PX = 12;
/** The height that a group is expected to have, and what each entry in it that stands by itself adds. */
const GROUP_PX = 170;
const MARKED_PX = 110;

/** The entries at the desk, by activity and day. Of many groups only those in the window are on the page. */
export const DeskList = memo(function DeskList({
  entries,
  timeZone,
  isWaiting,
  deciding,
}: {
  entries: readonly QueueEntry[];
  /** The district's. */
  timeZone: string;
  isWaiting: boolean;
  deciding: Deciding | undefined;
}) {
  const groups = useMemo(() => groupsOf(entries), [entries]);
  // What is unfolded or ticked in a group stays so while the group is off the page.
  const [unfolded] = useState(() => new Map<string, ExpandedState>());
  const id = useId();
  const labelOf = ({ key }: Group) => `${id}-${key.replaceAll(' ', '-')}`;
  return (
    <ul className="flex flex-col gap-3">
      <VirtualList
        as="li"
        className="rounded-card border border-line bg-card"
        items={groups}
        keyOf={({ key }) => key}
        labelOf={labelOf}
        heightOf={heightOf}
        gap={GAP_PX}
      >
        {(group) => (
          <GroupCard
            id={labelOf(group)}
            group={group}
            timeZone={timeZone}
            isWaiting={isWaiting}
            deciding={deciding}
            unfolded={unfolded}
          />
        )}
      </VirtualList>
    </ul>
  );
});

const heightOf = ({ marked }: Group) =>
  GROUP_PX + (marked.length === 0 ? 0 : MARKED_PX * Math.min(marked.length + 1, 20));
