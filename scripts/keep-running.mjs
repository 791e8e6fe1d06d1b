import { setTimeout } from 'node:timers/promises';
import { exitCode, isInterrupted, runTold } from './process.mjs';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** After this long without a crash the pauses start small again. */
const STEADY_AFTER_MS = 600_000;
/** Exit codes of a deliberate end. */
const ASKED = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/** Refused starts that would be refused again. */
const FOR_A_PERSON = ['setting', 'update'];

/**
 * Runs a server in the foreground and restarts it after a crash, after pauses that double up to a minute. It is not
 * restarted when its first start fails, when somebody stopped it, when its port is taken or a setting is wrong,
 * or when its update failed.
 * Returns the exit code.
 */
export async function keepRunning(
  node,
  args,
  { firstPauseMs = FIRST_PAUSE_MS, longestPauseMs = LONGEST_PAUSE_MS, steadyAfterMs = STEADY_AFTER_MS } = {},
) {
  let pause = firstPauseMs;
  let wasEverReady = false;
  for (;;) {
    const began = performance.now();
    const { code, signal, said } = await runTold(node, args);
    wasEverReady ||= said.isReady === true;
    const isOver = code === 0 || ASKED.includes(signal) || FOR_A_PERSON.includes(said.refused);
    if (isInterrupted() || isOver || !wasEverReady) return exitCode(code, signal);

    const lasted = performance.now() - began;
    if (lasted > steadyAfterMs) pause = firstPauseMs;
    console.error(`${howItEnded({ code, signal, said })}. It is started again in ${pause / 1000} s.`);
    await setTimeout(pause);
    pause = Math.min(pause * 2, longestPauseMs);
  }
}

function howItEnded({ code, signal, said }) {
  if (said.refused) return 'The server could not start';
  return signal ? `The server was ended by ${signal}` : `The server crashed with exit code ${code}`;
}
