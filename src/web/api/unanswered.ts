import { CallError } from './call.ts';

/**
 * Whether the outcome of a request is unknown: no response, a partial one, or one from a gateway while the server was
 * down.
 */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError';
  if (!(error instanceof CallError)) return false;
  return error.status === 0 || (!error.isReadable && (error.status < 400 || error.status > 500));
}

/**
 * Whether a request got no response or a partial one. A gateway's response counts as one, because the specification
 * defines the message for it.
 */
export function gotNoAnswer(error: unknown): boolean {
  return isUnanswered(error) && !(error instanceof CallError && error.status >= 500);
}
