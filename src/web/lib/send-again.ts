/** How many times a call is sent again that was told to come back, and how long it waits for each at most. */
const TIMES = 4;
const LONGEST_SECONDS = 10;
/** The wait grows by up to this part of itself, by chance: those who were told the same must not all come at once. */
const SPREAD = 0.5;

const UNAVAILABLE = 503;

/**
 * Sends, and sends again as long as the server says when to come back (503 with Retry-After): nobody should have to
 * press a second time because many signed in at the same moment. Anything else is the answer.
 */
export async function sendUntilTaken(
  send: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  for (let time = 0; ; time += 1) {
    const response = await send();
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (response.status !== UNAVAILABLE || time === TIMES || !(seconds >= 0)) return response;
    await response.body?.cancel();
    await wait(Math.min(seconds, LONGEST_SECONDS) * 1000 * (1 + Math.random() * SPREAD), signal);
  }
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end, { once: true });
  });
}
