import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { sendDueEmails } from '#server/email/email-worker.ts';
import { createMailer } from '#server/email/mailer.ts';
import type { TestApp } from './harness.ts';

const NOT_STOPPING = { soon: new AbortController().signal, now: new AbortController().signal };

/** Sends all due email, as the running server would within a second. */
export async function sendMail(app: TestApp): Promise<void> {
  const mailer = createMailer(app.deps);
  await sendDueEmails(app.deps, mailer, NOT_STOPPING);
  mailer.close();
}

/** Sends the email of an app without SMTP_URL; returns all that one address has received, oldest first. */
export async function emailsSentTo(app: TestApp, address: string): Promise<Email[]> {
  await sendMail(app);
  const emails = await Promise.all(
    fileNames(app).map((name) => PostalMime.parse(readFileSync(join(app.dataDir, 'outbox', name)))),
  );
  return emails.filter((email) => email.to?.some((to) => to.address === address));
}

/** The files of the outbox, oldest first. */
export function fileNames(app: TestApp): string[] {
  const number = (name: string) => Number(/-(\d+)\.eml$/.exec(name)?.[1]);
  const folder = join(app.dataDir, 'outbox');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).toSorted((a, b) => number(a) - number(b));
}
