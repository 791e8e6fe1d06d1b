/** How long the event loop is free for requests between two turns, in milliseconds. */
const PAUSE_MS = 5;

const waiting: (() => void)[] = [];

/**
 * Waits for a turn to process a piece of something large, such as an upload. Of all that wait, one runs at a time,
 * first come first served, and requests are served in between; a single one runs at once. So twenty uploads together
 * get about 20 MB a second and leave the rest of the loop to other requests.
 */
export function turn(): Promise<void> {
  return new Promise((goOn) => {
    waiting.push(goOn);
    if (waiting.length === 1) setImmediate(letOneGo);
  });
}

function letOneGo(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setTimeout(letOneGo, PAUSE_MS);
}
