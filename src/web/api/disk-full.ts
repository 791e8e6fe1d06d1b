import { STORAGE_HEADER } from '#shared/endpoint.ts';
import { createExternalStore } from './external-store.ts';

const diskFull = createExternalStore(false);

/** Reads from a response whether the server's disk is full. */
export function noteStorage(response: Response): void {
  diskFull.set(response.headers.get(STORAGE_HEADER) === 'full');
}

/** Whether the server's disk is full, according to the latest response. */
export const useDiskFull = diskFull.useValue;
