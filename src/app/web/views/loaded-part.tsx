import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PartFailed } from '#web/ui/part-failed.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';

type LoadedPartProps<Part> = {
  part: Pick<UseQueryResult<Part>, 'data' | 'isError' | 'isFetching' | 'refetch'>;
  /** How many grey rows stand there until it is loaded. */
  rows: number;
  children: (part: Part) => ReactNode;
};

/** A part of the screen that is loaded on demand; until then grey rows, after a failure what to do. */
export function LoadedPart<Part>({ part, rows, children }: LoadedPartProps<Part>) {
  if (part.data !== undefined) return children(part.data);
  return part.isError ? <PartFailed part={part} /> : <SkeletonRows rows={rows} />;
}
