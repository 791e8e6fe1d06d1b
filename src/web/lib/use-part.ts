import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { baseMessages } from '#base/messages.ts';
import { notify } from './notify.ts';
import { reloadNewest } from './reload-newest.ts';
import { savesData } from './saves-data.ts';
import { useText } from './text.ts';

/** A part as a query: whoever needs it elsewhere than in a component gives its screen the same one. */
export const partOf = <Part>(name: string, load: () => Promise<Part>) =>
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
const stood = () => hasStood;

/** Whether the first screen of the page is there with its data: what it does not need itself waits for that. */
export function useStands(): boolean {
  const client = useQueryClient();
  return useSyncExternalStore(
    useCallback((told) => whenStands(client, told), [client]),
    stood,
  );
}

type Watch = Readonly<{ told: Set<() => void>; end: () => void }>;
let watch: Watch | undefined;

// One watch for all who wait, none of whom renders again before the screen stands.
function whenStands(client: QueryClient, told: () => void): () => void {
  if (hasStood) return () => {};
  watch ??= watchUntilQuiet(client);
  const { told: all } = watch;
  all.add(told);
  return () => {
    all.delete(told);
    if (all.size > 0 || watch?.told !== all) return;
    watch.end();
    watch = undefined;
  };
}

function watchUntilQuiet(client: QueryClient): Watch {
  const told = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    if (client.isFetching() > 0) {
      clearTimeout(timer);
      timer = undefined;
    } else timer ??= setTimeout(stand, QUIET_MS);
  };
  const stop = client.getQueryCache().subscribe(look);
  const end = () => {
    clearTimeout(timer);
    stop();
  };
  function stand() {
    end();
    watch = undefined;
    hasStood = true;
    tellInTurn([...told]);
  }
  look();
  return { told, end };
}

// Each in a task of its own, between which a slow phone answers.
function tellInTurn([tell, ...others]: readonly (() => void)[]): void {
  tell?.();
  if (others.length > 0) setTimeout(() => tellInTurn(others));
}

/**
 * The same for a dialog, loaded in the background so that the screen behind it appears sooner. If it is opened and
 * fails to load, a notice says so and it counts as closed. Undefined until it is opened first: a screen has several, and most
 * visits open none.
 */
export function useWindowPart<Part>(
  name: string,
  load: () => Promise<Part>,
  { isOpen, onClose }: { isOpen: boolean; onClose: () => void },
): Part | undefined {
  const { t, say } = useText();
  const client = useQueryClient();
  const part = usePartAhead(name, load, isOpen);
  const loadAgain = useEffectEvent(() => client.ensureQueryData(partOf(name, load)));
  const giveUp = useEffectEvent(() => {
    notify.failure(say(baseMessages.networkError), {
      text: t('web:reload'),
      accept: () => void reloadNewest(),
    });
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
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen ? part.data : undefined;
}
