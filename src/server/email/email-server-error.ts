/**
 * Why sending to a mail server failed. `unreachable` covers a closed port, one that does not respond, and another protocol
 * alike, so that it reveals nothing about a network.
 */
export type EmailServerError =
  | 'name'
  | 'unreachable'
  | 'password'
  | 'loginNeeded'
  | 'certificate'
  | 'sender'
  | 'receiver'
  | 'refused';

// Node's error codes for an untrusted certificate.
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH/;
const NAME = /^(ENOTFOUND|EAI_\w+|EDNS|ENODATA|EBADNAME)$/;
// RFC 4954
const AUTHENTICATION_REQUIRED = 530;

/** Classifies a send error. `hasLogin` is whether a user name was configured. */
export function emailServerError(error: unknown, hasLogin: boolean): EmailServerError {
  const { code, originalCode, command, responseCode, message } = facts(error);
  const cause = originalCode || code;
  if (NAME.test(cause) || code === 'EDNS') return 'name';
  if (CERTIFICATE.test(cause) || /certificate|altnames/i.test(message)) return 'certificate';
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'password';
  if (responseCode === AUTHENTICATION_REQUIRED && !hasLogin) return 'loginNeeded';
  if (command === 'MAIL FROM') return 'sender';
  if (command === 'RCPT TO') return 'receiver';
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return 'refused';
  return 'unreachable';
}

function facts(error: unknown) {
  const given = (error ?? {}) as Partial<Record<string, unknown>>;
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : '');
  return {
    code: text('code'),
    originalCode: text('originalCode'),
    command: text('command'),
    message: text('message'),
    responseCode: Number(given['responseCode'] ?? 0),
  };
}
