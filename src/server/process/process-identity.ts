import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { errorCode } from '#shared/errors.ts';

/** The id of this process, unique among all that ever used its database: 'machine/4711/random'. */
export const THIS_PROCESS = `${hostname()}/${process.pid}/${randomUUID()}`;

/** Whether a process has certainly ended. False for a process on another machine, which may still be running. */
export function isGone(name: string): boolean {
  const [host, pid] = name.split('/');
  if (host !== hostname() || name === THIS_PROCESS) return false;
  // A container reuses the same process ids after a restart.
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

/** Whether a process with this id runs on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
