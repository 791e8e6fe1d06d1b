import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const ROOM_NEEDED = 2 * 1024 ** 3;

/**
 * Where tests keep files: in memory when there is enough of it, since thousands of synchronous commits take most of
 * their time.
 */
export function baseFolder(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_NEEDED ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
