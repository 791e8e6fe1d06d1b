import { readdirSync, readFileSync } from 'node:fs';

/** CPU time in nanoseconds by process, summed over its threads. */
export type CpuTimes = ReadonlyMap<number, number>;

/** The CPU time so far of these processes and all their descendants. */
export function cpuOf(roots: readonly number[]): CpuTimes {
  const times = new Map<number, number>();
  const visit = (pid: number) => {
    let time = 0;
    const children: number[] = [];
    for (const thread of threadsOf(pid)) {
      time += Number(read(`${thread}/schedstat`).split(' ')[0]);
      children.push(...read(`${thread}/children`).split(' ').filter(Boolean).map(Number));
    }
    times.set(pid, time);
    children.forEach(visit);
  };
  roots.forEach(visit);
  return times;
}

/** Nanoseconds since an earlier reading. A process that has ended since (an idle back end) is ignored. */
export function cpuSince(before: CpuTimes, now: CpuTimes): number {
  return [...now].reduce((sum, [pid, time]) => sum + Math.max(0, time - (before.get(pid) ?? 0)), 0);
}

// A process or thread may end while it is being read.
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
