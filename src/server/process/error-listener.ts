import type { EventEmitter } from 'node:events';

/**
 * The same stream, thread, process or connection, with a listener for its errors from its first moment. Node ends the
 * whole process for an error that nobody listens to, and one can come before whoever uses it does: while it is being
 * opened, or between opening and reading. Whoever reads it still hears the error: a stream that failed stays failed.
 */
export function withErrorListener<Emitter extends EventEmitter>(emitter: Emitter): Emitter {
  return emitter.on('error', () => undefined);
}
