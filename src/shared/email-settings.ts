import { PLAIN_ADDRESS } from './email-address.ts';

const SCHEMES = ['smtp:', 'smtps:'];
/** What may stand behind a mail server's '?': others would write logs or open files and addresses. */
const OPTIONS = ['requireTLS', 'tls.rejectUnauthorized', 'tls.servername', 'name'];

/**
 * Whether this is the address of a mail server, for the settings of a start and of a district alike. A '/', '#' or '?' in
 * a user or password ends the host by the rules of addresses, so that the letters would go to another one.
 */
export function isMailServer(url: string): boolean {
  if (!URL.canParse(url) || /\s/.test(url)) return false;
  const { protocol, hostname, pathname, hash } = new URL(url);
  return (
    SCHEMES.includes(protocol) &&
    hostname !== '' &&
    !isNoMailHost(hostname) &&
    pathname.length <= 1 &&
    hash === '' &&
    !url.includes('#')
  );
}

// No mail server is there, but at some hosts a service that gives out the machine's own credentials.
function isNoMailHost(hostname: string): boolean {
  // As http, since URLs of other schemes keep unusual spellings such as 0xa9fea9fe.
  const host = URL.canParse(`http://${hostname}`) ? new URL(`http://${hostname}`).hostname : hostname;
  return NO_MAIL_HOSTS.some((pattern) => pattern.test(host));
}

const NO_MAIL_HOSTS = [
  // Link-local, of this host alone, and 'no address' ('::'), which connects to this host.
  /^(169\.254|0)\.|^\[(fe[89ab]|::\])/i,
  // The same within IPv6: mapped, compatible, translated.
  /^\[(::|64:ff9b::)(ffff:(0:)?)?(a9fe:|0?:|\])/i,
  // What Amazon and Google call it besides.
  /^\[fd00:ec2::(254|23)\]$|^metadata\.(google\.internal|goog)\.?$/i,
];

/** Whether a mail server's address has only options that are known. */
export function hasKnownOptions(url: string): boolean {
  return [...new URL(url).searchParams.keys()].every((name) => OPTIONS.includes(name));
}

const SENDER = new RegExp(
  String.raw`^(?:([^<>"\p{Cc}]{0,120})<(${PLAIN_ADDRESS})>|(${PLAIN_ADDRESS}))$`,
  'u',
);

/** How long a sender may be, in characters. */
export const SENDER_LENGTH = 254;

/** Whom mail is from; `name` is blank when only the address was named. */
export type Sender = Readonly<{ name: string; address: string }>;

/** Reads 'hours@example.org' or 'Maple Grove Schools <hours@example.org>'; undefined when it is neither. */
export function readSender(text: string): Sender | undefined {
  const [, name = '', named, bare] = SENDER.exec(text) ?? [];
  const address = named ?? bare;
  return address === undefined ? undefined : { name: name.trim(), address };
}

/** Whom mail is from: what is set, and for what is missing there the district's name and support address. */
export function senderOf(
  from: string | undefined,
  { districtName, supportEmail }: Readonly<{ districtName: string; supportEmail: string }>,
): Sender {
  const { name = '', address = supportEmail } = readSender(from ?? '') ?? {};
  return { name: name || districtName, address };
}

/** What a new district and its first administrator are called until somebody says otherwise. */
export const DEFAULT_SENDER_NAMES = {
  districtName: 'Our School District',
  supportEmail: 'support@example.org',
  firstName: 'District',
  lastName: 'Administrator',
} as const;
