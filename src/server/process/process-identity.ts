import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** This process, among all that ever worked on its database: 'machine/4711/random'. */
export const THIS_PROCESS = `${hostname()}/${process.pid}/${randomUUID()}`;

/** Whether a process is known to have ended. One of another machine is not: it may be at work there. */
export function isGone(name: string): boolean {
  const [host, pid] = name.split('/');
  if (host !== hostname() || name === THIS_PROCESS) return false;
  // In a container the same number comes again with every start.
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

/** Whether there is a process of this number on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
