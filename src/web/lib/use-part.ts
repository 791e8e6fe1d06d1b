import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { baseMessages } from '#base/messages.ts';
import { notify } from './notify.ts';
import { savesData } from './saves-data.ts';
import { useText } from './text.ts';

const partOf = <Part>(name: string, load: () => Promise<Part>) =>
  queryOptions({
    queryKey: ['public', 'part', name],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

/**
 * A chunk of code that is loaded when first needed, then kept; not before `isWanted`. A failed load is tried again.
 */
export function usePart<Part>(name: string, load: () => Promise<Part>, isWanted = true) {
  return useQuery({ ...partOf(name, load), enabled: isWanted });
}

/** The same for what a next tap may open: fetched in the background, but only when needed where data is to be saved. */
export function usePartAhead<Part>(name: string, load: () => Promise<Part>, isNeeded: boolean) {
  return usePart(name, load, isNeeded || !savesData());
}

/**
 * The same for a dialog, loaded in the background so that the screen behind it appears sooner. If it is opened and
 * fails to load, a notice says so and it counts as closed.
 */
export function useWindowPart<Part>(
  name: string,
  load: () => Promise<Part>,
  { isOpen, onClose }: { isOpen: boolean; onClose: () => void },
): Part | undefined {
  const { say } = useText();
  const client = useQueryClient();
  const part = usePartAhead(name, load, isOpen);
  const loadAgain = useEffectEvent(() => client.ensureQueryData(partOf(name, load)));
  const giveUp = useEffectEvent(() => {
    notify.failure(say(baseMessages.networkError));
    onClose();
  });
  // An opened dialog waits for the running load, or starts a new one after a failure.
  useEffect(() => {
    if (!isOpen) return;
    let isAwaited = true;
    loadAgain().catch(() => {
      if (isAwaited) giveUp();
    });
    return () => {
      isAwaited = false;
    };
  }, [isOpen]);
  return part.data;
}
