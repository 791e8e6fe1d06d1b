import type { ReactNode } from 'react';
import { usePart } from '#web/lib/use-part.ts';
import { LoadedPart } from './loaded-part.tsx';
import type { PartSource } from './part-ahead.tsx';

type TabPartProps<Part> = PartSource<Part> & { children: (part: Part) => ReactNode };

/** The content of a tab of the Admin Panel, loaded when the tab is opened unless it is there already. */
export function TabPart<Part>({ name, load, children }: TabPartProps<Part>) {
  const part = usePart(name, load);
  return (
    <LoadedPart part={part} rows={8}>
      {children}
    </LoadedPart>
  );
}
