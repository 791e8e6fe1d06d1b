/** How long the event loop is left to requests between two turns, in milliseconds. */
const PAUSE_MS = 5;

const waiting: (() => void)[] = [];

/**
 * Waits for a turn with a piece of something large, such as an upload. Of all who wait, one goes on at a time, first
 * come first served, and requests are answered between two of them; who waits alone goes on at once. So twenty uploads
 * share some 20 MB a second, and leave the rest of the loop to everybody else.
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
