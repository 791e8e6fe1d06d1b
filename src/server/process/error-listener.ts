import type { EventEmitter } from 'node:events';

/**
 * Adds an error listener and returns the same emitter (stream, thread, process or connection). Node ends the
 * process on an `error` event without a listener, and one can fire before the consumer has attached its own.
 * The consumer still gets the error: a failed stream stays failed.
 */
export function withErrorListener<Emitter extends EventEmitter>(emitter: Emitter): Emitter {
  return emitter.on('error', () => undefined);
}
