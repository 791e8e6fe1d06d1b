import { failureText } from '../api/call.ts';
import { notify } from './toasts.ts';

/** Shows the message of a change, or the reason why it failed. */
export async function notifyResult(change: Promise<{ message: string }>): Promise<void> {
  try {
    notify.success((await change).message);
  } catch (error) {
    notify.failure(failureText(error));
  }
}
