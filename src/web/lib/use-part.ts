import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { baseMessages } from '#base/messages.ts';
import { notify } from './notify.ts';
import { useText } from './text.ts';

/** A part of the program that is loaded when it is first needed, then kept. Loading is tried again after a failure. */
export function usePart<Part>(name: string, load: () => Promise<Part>) {
  return useQuery({
    queryKey: ['public', 'part', name],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
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
  const part = usePart(name, load);
  const giveUp = useEffectEvent(() => {
    notify.failure(say(baseMessages.networkError));
    onClose();
    void part.refetch();
  });
  const isMissing = isOpen && part.isError;
  useEffect(() => {
    if (isMissing) giveUp();
  }, [isMissing]);
  return part.data;
}
