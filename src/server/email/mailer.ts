import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { errorCode } from '#shared/errors.ts';
import type { Deps } from '../deps.ts';
import { withErrorListener } from '../process/error-listener.ts';
import { syncPath } from '../storage/durable-file.ts';
import type { Envelope } from './email.ts';
import { emailFolder } from './email-files.ts';

/** The `smtpUrl` when this process cannot decrypt the password of the configured mail server. Emails wait. */
export const UNREADABLE_EMAIL_SERVER = 'unreadable:';

/** The outcome of an attempt. `failure` is a code, never the mail server's text, because that may contain names. */
export type Delivery =
  | { how: 'sent' }
  | { how: 'again'; failure: string }
  | { how: 'refused'; failure: string };

/** Delivers emails. `name` is the file name, if emails are written to files. */
export type Mailer = Readonly<{
  deliver: (envelope: Envelope, name: string, signal: AbortSignal) => Promise<Delivery>;
  close: () => void;
}>;

/** Delivers through the mail server configured at that moment; without one, to files in `DATA_DIR/outbox`. */
export function createMailer(deps: Deps): Mailer {
  let open: { url: string | undefined; mailer: Mailer } | undefined;
  const current = () => {
    const url = deps.config.smtpUrl;
    if (open === undefined || open.url !== url) {
      open?.mailer.close();
      open = { url, mailer: mailerFor(deps, url) };
    }
    return open.mailer;
  };
  return {
    deliver: (envelope, name, signal) => current().deliver(envelope, name, signal),
    close: () => open?.mailer.close(),
  };
}

function mailerFor(deps: Deps, url: string | undefined): Mailer {
  if (url === undefined) return createFileMailer(deps);
  return url === UNREADABLE_EMAIL_SERVER ? UNREADABLE_MAILER : createSmtpMailer(url);
}

// Emails wait until the mail server is configured again.
const UNREADABLE_MAILER: Mailer = {
  deliver: async () => ({ how: 'again', failure: 'ESEALED' }),
  close: () => undefined,
};

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;
const IDLE_MS = 10_000;
const CONNECTIONS = 3;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Connects to a mail server and signs in without sending. Returns an error code, or undefined on success. */
export async function testEmailServer(smtpUrl: string): Promise<string | undefined> {
  if (smtpUrl === UNREADABLE_EMAIL_SERVER) return 'ESEALED';
  const transport = createSmtpTransport(smtpUrl);
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return failedDelivery(error).failure;
  } finally {
    transport.close();
  }
}

/** Sends one email immediately, bypassing the outbox. Throws the mail library's errors. */
export async function sendImmediately(smtpUrl: string, letter: Envelope, signal: AbortSignal): Promise<void> {
  const transport = createSmtpTransport(smtpUrl);
  try {
    await transport.sendMail({ ...toTransportMail(letter), signal });
  } finally {
    transport.close();
  }
}

// Pass each address as an object: a string would be parsed as a list with comments and groups.
function toTransportMail({ from, to, raw }: Envelope) {
  const one = (address: string) => ({ name: '', address });
  return { envelope: { from: one(from), to: [one(to)] }, raw };
}

function createSmtpTransport(smtpUrl: string) {
  const { hostname, username } = new URL(smtpUrl);
  return withErrorListener(
    createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: CONNECTIONS,
      // The outbox retries; retries here would not follow its delays.
      maxRequeues: 0,
      idleTimeout: IDLE_MS,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
      // A password is never sent unencrypted, unless the mail server is on this machine or SMTP_URL allows it
      // (?requireTLS=false).
      ...(username !== '' && !LOOPBACK.test(hostname) ? { requireTLS: true } : {}),
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
}

function createSmtpMailer(smtpUrl: string): Mailer {
  const transport = createSmtpTransport(smtpUrl);
  return {
    deliver: async (letter, _name, signal) => {
      try {
        await transport.sendMail({ ...toTransportMail(letter), signal });
        return { how: 'sent' };
      } catch (error) {
        return failedDelivery(error);
      }
    },
    close: () => transport.close(),
  };
}

// A 5xx about the email itself (its sender, recipient or content) is permanent. Everything else may be
// temporary: a 4xx, a failed connection, and a rejected login, which depends on the settings.
function failedDelivery(error: unknown): Exclude<Delivery, { how: 'sent' }> {
  const code = errorCode(error) ?? 'unknown';
  const responseCode = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  const failure = responseCode === 0 ? code : `${code} ${responseCode}`;
  const isAboutEmail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return isAboutEmail && responseCode >= 500 ? { how: 'refused', failure } : { how: 'again', failure };
}

// Each email has one file name, so that a retry after a crash overwrites the same file.
function createFileMailer(deps: Deps): Mailer {
  const folder = emailFolder(deps);
  return {
    deliver: async ({ raw }, name) => {
      const path = join(folder, `${name}.eml`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // A file from an interrupted attempt would retain its mode.
        await rm(`${path}.new`, { force: true });
        await writeFile(`${path}.new`, raw, { mode: 0o600, flush: true });
        await rename(`${path}.new`, path);
        await syncPath(folder);
      } catch (error) {
        const code = errorCode(error) ?? 'unknown';
        return { how: 'again', failure: code };
      }
      deps.log.warn({ file: path }, 'email written to a file because SMTP_URL is not set');
      return { how: 'sent' };
    },
    close: () => undefined,
  };
}
