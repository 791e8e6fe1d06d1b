import { queryOptions, useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
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

/**
 * The same for what a next tap may open: fetched in the background once the screen stands, but only when needed where data is
 * to be saved.
 */
export function usePartAhead<Part>(name: string, load: () => Promise<Part>, isNeeded: boolean) {
  const stands = useStands();
  return usePart(name, load, isNeeded || (stands && !savesData()));
}

/** How long nothing has been asked for when a screen counts as standing: its data may be drawn in one long step. */
const QUIET_MS = 200;
let hasStood = false;

/** Whether the first screen of the page is there with its data: what it does not need itself waits for that. */
export function useStands(): boolean {
  const asked = useIsFetching();
  const [stands, setStands] = useState(hasStood);
  useEffect(() => {
    if (stands || asked > 0) return;
    const timer = setTimeout(() => {
      hasStood = true;
      setStands(true);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [stands, asked]);
  return stands || hasStood;
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
