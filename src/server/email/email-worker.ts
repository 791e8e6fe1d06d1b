import type { Deps } from '../deps.ts';
import { type BackgroundJob, startBackgroundJob } from '../jobs/background-job.ts';
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
const CONCURRENCY = 5;
/** Shorter than a lease, so that no other process takes an email that is still being sent. */
const ATTEMPT_MS = 90_000;
const STOP_AFTER_MS = 5_000;

/** Signals that stop sending: `soon` starts no more emails, `now` aborts those in progress. */
export type StopSignals = Readonly<{ soon: AbortSignal; now: AbortSignal }>;

/** Sends emails from the outbox until stopped. `stop` gives attempts in progress a few seconds to finish. */
export function startEmailWorker(deps: Deps): BackgroundJob {
  const mailer = createMailer(deps);
  const now = new AbortController();
  const pace = { everyMs: LOOK_EVERY_MS, failure: 'could not check the mail queue' };
  const sending = startBackgroundJob(deps, pace, (soon) =>
    sendDueEmails(deps, mailer, { soon, now: now.signal }),
  );
  return {
    stop: async () => {
      const abortTimer = setTimeout(() => now.abort(), STOP_AFTER_MS);
      await sending.stop();
      clearTimeout(abortTimer);
      mailer.close();
    },
  };
}

/** Sends all due emails, five at a time. */
export async function sendDueEmails(deps: Deps, mailer: Mailer, signals: StopSignals): Promise<void> {
  while (!signals.soon.aborted) {
    const leased = await leaseDueEmails(deps, CONCURRENCY);
    if (leased.length === 0) return;
    await deps.settings.refresh();
    await Promise.all(leased.map((mail) => send(deps, mailer, signals, mail)));
  }
}

async function send(deps: Deps, mailer: Mailer, signals: StopSignals, mail: LeasedEmail): Promise<void> {
  const delivery = await attempt(deps, mailer, signals, mail);
  const about = { mail: mail.id, kind: mail.kind, attempts: mail.attempts };
  if (delivery.how === 'sent') {
    // The recipient was deleted while the email was being sent.
    if (!(await markEmailSent(deps, mail))) await removeEmailFile(deps, emailFileName(mail));
    return;
  }
  if (signals.now.aborted) return releaseEmail(deps, mail);
  if (delivery.how === 'refused') {
    deps.log.error({ ...about, failure: delivery.failure }, 'email rejected permanently');
    return markEmailFailed(deps, mail, delivery.failure);
  }
  deps.log.warn({ ...about, failure: delivery.failure }, 'email not sent, will retry');
  return retryEmailLater(deps, mail, delivery.failure);
}

async function attempt(
  deps: Deps,
  mailer: Mailer,
  signals: StopSignals,
  mail: LeasedEmail,
): Promise<Delivery> {
  const envelope = await buildMimeMessage(deps, mail.letter, mail);
  const signal = AbortSignal.any([signals.now, AbortSignal.timeout(ATTEMPT_MS)]);
  const aborted = new Promise<Delivery>((resolve) => {
    const timeOut = () => resolve({ how: 'again', failure: 'ETIMEDOUT' });
    if (signal.aborted) timeOut();
    signal.addEventListener('abort', timeOut);
  });
  // Writing a file, such as to a network disk, may hang without reacting to the signal.
  return Promise.race([mailer.deliver(envelope, emailFileName(mail), signal), aborted]);
}
