import { setTimeout } from 'node:timers/promises';
import { exitCode, isInterrupted, runWithMessages } from './process.mjs';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** After running this long the next pause is the first one again. */
const STEADY_AFTER_MS = 600_000;
/** Signals of a deliberate stop. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/** Failed starts that would fail again until a person acts. */
const NEEDS_A_PERSON = ['setting', 'update'];

/**
 * Runs a server in the foreground and restarts it after a crash, with pauses that double up to a minute. Returns the exit code
 * when its first start fails, when it was stopped, when its port is taken, a setting is wrong or its update failed.
 */
export async function keepRunning(
  node,
  args,
  { firstPauseMs = FIRST_PAUSE_MS, longestPauseMs = MAX_PAUSE_MS, steadyAfterMs = STEADY_AFTER_MS } = {},
) {
  let pause = firstPauseMs;
  let wasEverReady = false;
  for (;;) {
    const began = performance.now();
    const { code, signal, messages } = await runWithMessages(node, args);
    wasEverReady ||= messages.isReady === true;
    const isOver = code === 0 || STOP_SIGNALS.includes(signal) || NEEDS_A_PERSON.includes(messages.refused);
    if (isInterrupted() || isOver || !wasEverReady) return exitCode(code, signal);

    const lasted = performance.now() - began;
    if (lasted > steadyAfterMs) pause = firstPauseMs;
    console.error(`${describeEnd({ code, signal, messages })}. Restarting in ${pause / 1000} s.`);
    await setTimeout(pause);
    pause = Math.min(pause * 2, longestPauseMs);
  }
}

function describeEnd({ code, signal, messages }) {
  if (messages.refused) return 'The server could not start';
  return signal ? `The server was stopped by ${signal}` : `The server crashed with exit code ${code}`;
}
