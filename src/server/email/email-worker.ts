import type { Deps } from '../deps.ts';
import { buildMimeMessage } from './email.ts';
import { emailFileName, removeEmailFile } from './email-files.ts';
import { createMailer, type Delivery, type Mailer } from './mailer.ts';
import {
  type LeasedEmail,
  leaseDueEmails,
  markEmailFailed,
  markEmailSent,
  releaseEmail,
  retryEmailLater,
} from './outbox.ts';

const LOOK_EVERY_MS = 1_000;
const AT_ONCE = 5;
/** Shorter than a lease, so that no other process takes an email that is still being sent. */
const TRY_MS = 90_000;
const STOP_AFTER_MS = 5_000;

/** How sending stops: `soon` starts no more emails, `now` aborts those in progress. */
export type Ending = Readonly<{ soon: AbortSignal; now: AbortSignal }>;

/** Sends emails from the outbox until stopped. `stop` gives attempts in progress a few seconds to finish. */
export function startEmailWorker(deps: Deps): { stop: () => Promise<void> } {
  const courier = createMailer(deps);
  const soon = new AbortController();
  const now = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();
  const look = () => {
    round = sendDueEmails(deps, courier, { soon: soon.signal, now: now.signal })
      .catch((error: unknown) => deps.log.error({ err: error }, 'mail could not be looked for'))
      .then(() => {
        if (!soon.signal.aborted) timer = setTimeout(look, LOOK_EVERY_MS);
      });
  };
  look();
  return {
    stop: async () => {
      soon.abort();
      clearTimeout(timer);
      const patience = setTimeout(() => now.abort(), STOP_AFTER_MS);
      await round;
      clearTimeout(patience);
      courier.close();
    },
  };
}

/** Sends all due emails, five at a time. */
export async function sendDueEmails(deps: Deps, courier: Mailer, ending: Ending): Promise<void> {
  while (!ending.soon.aborted) {
    const taken = await leaseDueEmails(deps, AT_ONCE);
    if (taken.length === 0) return;
    await deps.settings.refresh();
    await Promise.all(taken.map((mail) => send(deps, courier, ending, mail)));
  }
}

async function send(deps: Deps, courier: Mailer, ending: Ending, mail: LeasedEmail): Promise<void> {
  const delivery = await attempt(deps, courier, ending, mail);
  const about = { mail: mail.id, kind: mail.kind, attempts: mail.attempts };
  if (delivery.how === 'sent') {
    // The recipient was deleted while the email was being sent.
    if (!(await markEmailSent(deps, mail))) await removeEmailFile(deps, emailFileName(mail));
    return;
  }
  if (ending.now.aborted) return releaseEmail(deps, mail);
  if (delivery.how === 'refused') {
    deps.log.error({ ...about, failure: delivery.failure }, 'mail was refused for good');
    return markEmailFailed(deps, mail, delivery.failure);
  }
  deps.log.warn({ ...about, failure: delivery.failure }, 'mail will be tried again');
  return retryEmailLater(deps, mail, delivery.failure);
}

async function attempt(deps: Deps, courier: Mailer, ending: Ending, mail: LeasedEmail): Promise<Delivery> {
  const envelope = await buildMimeMessage(deps, mail.letter, mail);
  const signal = AbortSignal.any([ending.now, AbortSignal.timeout(TRY_MS)]);
  const aborted = new Promise<Delivery>((resolve) => {
    const giveUpWaiting = () => resolve({ how: 'again', failure: 'ETIMEDOUT' });
    if (signal.aborted) giveUpWaiting();
    signal.addEventListener('abort', giveUpWaiting);
  });
  // Writing a file, such as to a network disk, may hang without reacting to the signal.
  return Promise.race([courier.deliver(envelope, emailFileName(mail), signal), aborted]);
}
