import { setTimeout } from 'node:timers/promises';
import { exitCode, isInterrupted, runTold } from './process.mjs';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** After this long without a crash the pauses start small again. */
const STEADY_AFTER_MS = 600_000;
/** Exits that somebody asked for. */
const ASKED = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * Runs a server in front of the user and starts it again when it crashed, after pauses that double up to a minute.
 * A start that fails is left to the person who made it. So is a server that somebody stopped, or that finds its port
 * taken or a setting wrong. Answers the exit code.
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
    const isOver = code === 0 || ASKED.includes(signal) || said.refused === 'setting';
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
