import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { baseMessages } from '#base/messages.ts';
import { notify } from './notify.ts';
import { useText } from './text.ts';

const partOf = <Part>(name: string, load: () => Promise<Part>) =>
  queryOptions({
    queryKey: ['public', 'part', name],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

/** A part of the program that is loaded when it is first needed, then kept. Loading is tried again after a failure. */
export function usePart<Part>(name: string, load: () => Promise<Part>) {
  return useQuery(partOf(name, load));
}

/**
 * The same for a window, loaded behind the screen that may open it, so that the screen itself comes sooner. When it is
 * opened and cannot be loaded, that is said and it counts as closed.
 */
export function useWindowPart<Part>(
  name: string,
  load: () => Promise<Part>,
  { isOpen, onClose }: { isOpen: boolean; onClose: () => void },
): Part | undefined {
  const { say } = useText();
  const client = useQueryClient();
  const part = usePart(name, load);
  const loadAgain = useEffectEvent(() => client.ensureQueryData(partOf(name, load)));
  const giveUp = useEffectEvent(() => {
    notify.failure(say(baseMessages.networkError));
    onClose();
  });
  // An open window waits for the load that is under way, or starts one when an earlier one has failed.
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
