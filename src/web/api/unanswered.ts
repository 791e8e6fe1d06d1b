import { CallError } from './call.ts';

/**
 * Whether nothing is known of what became of a request: no answer came, only a part of one, or a gateway's, behind which
 * the server was away.
 */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError';
  if (!(error instanceof CallError)) return false;
  return error.status === 0 || (!error.isReadable && (error.status < 400 || error.status > 500));
}

/**
 * Whether a request got no answer, or only a part of one. A gateway's answer is one: the page says that the request failed,
 * as the specification words it.
 */
export function gotNoAnswer(error: unknown): boolean {
  return isUnanswered(error) && !(error instanceof CallError && error.status >= 500);
}
