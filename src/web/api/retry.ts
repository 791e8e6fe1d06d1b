/** How many times a request is repeated when the server asks to retry, and the longest wait before each. */
const TIMES = 4;
const LONGEST_SECONDS = 10;
/** Each wait is extended by a random share of up to this much, so that waiting browsers do not all retry at once. */
const SPREAD = 0.5;

const UNAVAILABLE = 503;

/**
 * Sends a request, and repeats it while the server says when to retry (503 with Retry-After), so that nobody has to
 * press again because many signed in at the same moment. Any other answer is returned.
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
