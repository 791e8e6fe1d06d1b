import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Kills the next `times` processes that this one starts, as soon as they exist; returns how many. */
export async function endChildren(times: number, signal: NodeJS.Signals): Promise<number> {
  const known = new Set(children());
  let ended = 0;
  for (let looks = 0; ended < times && looks < 5_000; looks += 1) {
    for (const pid of children()) {
      if (known.has(pid) || ended === times) continue;
      known.add(pid);
      process.kill(pid, signal);
      ended += 1;
    }
    await setTimeout(2);
  }
  return ended;
}

// Each thread has its own list of the processes that it started.
export function children(): number[] {
  return readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}
