/** How many times a request is retried, and the longest delay before each retry. */
const TIMES = 4;
const LONGEST_SECONDS = 10;
/**
 * Each delay is extended by a random share of up to this much, so waiting browsers don't all retry at the same moment.
 */
const SPREAD = 0.5;

const UNAVAILABLE = 503;

/**
 * Sends a request and retries it while the server asks for that (503 with Retry-After), so users need not press again
 * when many sign in at the same moment. Returns any other response.
 */
export async function sendWithRetry(
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
