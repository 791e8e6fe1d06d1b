import { PLAIN_ADDRESS } from './email-address.ts';
import { parseUrl } from './parse-url.ts';

const SCHEMES = ['smtp:', 'smtps:'];
/** The allowed options after the '?' of a mail server's URL. Other options could write logs, or open files and addresses. */
const OPTIONS = ['requireTLS', 'tls.rejectUnauthorized', 'tls.servername', 'name'];

/**
 * Whether a URL is a valid mail server, in the environment or in the district settings. A '/', '#' or '?' in
 * a user name or password ends the host by URL rules, so emails would go to another host.
 */
export function isMailServer(url: string): boolean {
  const parsed = parseUrl(url);
  if (parsed === undefined || /\s/.test(url)) return false;
  const { protocol, hostname, pathname, hash } = parsed;
  return (
    SCHEMES.includes(protocol) &&
    hostname !== '' &&
    !isMetadataHost(hostname) &&
    pathname.length <= 1 &&
    hash === '' &&
    !url.includes('#')
  );
}

// Blocks hosts that are no mail servers but, with some cloud providers, a service that hands out the
// machine's credentials.
function isMetadataHost(hostname: string): boolean {
  // Parsed as http, because URLs of other schemes keep unusual spellings such as 0xa9fea9fe.
  const host = parseUrl(`http://${hostname}`)?.hostname ?? hostname;
  return NO_MAIL_HOSTS.some((pattern) => pattern.test(host));
}

const NO_MAIL_HOSTS = [
  // Link-local, this host, and the unspecified address ('::'), which connects to this host.
  /^(169\.254|0)\.|^\[(fe[89ab]|::\])/i,
  // The same addresses within IPv6: mapped, compatible, translated.
  /^\[(::|64:ff9b::)(ffff:(0:)?)?(a9fe:|0?:|\])/i,
  // Names and addresses of Amazon's and Google's metadata services.
  /^\[fd00:ec2::(254|23)\]$|^metadata\.(google\.internal|goog)\.?$/i,
];

/** Whether a mail server's URL has only known options. */
export function hasKnownOptions(url: string): boolean {
  return [...new URL(url).searchParams.keys()].every((name) => OPTIONS.includes(name));
}

const SENDER = new RegExp(
  String.raw`^(?:([^<>"\p{Cc}]{0,120})<(${PLAIN_ADDRESS})>|(${PLAIN_ADDRESS}))$`,
  'u',
);

/** The longest sender, in characters. */
export const SENDER_LENGTH = 254;

/** The sender of emails; `name` is blank if only the address was given. */
export type Sender = Readonly<{ name: string; address: string }>;

/** Reads 'hours@example.org' or 'Maple Grove Schools <hours@example.org>'; undefined when it is neither. */
export function readSender(text: string): Sender | undefined {
  const [, name = '', named, bare] = SENDER.exec(text) ?? [];
  const address = named ?? bare;
  return address === undefined ? undefined : { name: name.trim(), address };
}

/** Returns the configured sender, with the district's name and support address for missing parts. */
export function senderOf(
  from: string | undefined,
  { districtName, supportEmail }: Readonly<{ districtName: string; supportEmail: string }>,
): Sender {
  const { name = '', address = supportEmail } = readSender(from ?? '') ?? {};
  return { name: name || districtName, address };
}

/** The default name and support address of a new district, and the default name of its first administrator. */
export const DEFAULT_SENDER_NAMES = {
  districtName: 'Our School District',
  supportEmail: 'support@example.org',
  firstName: 'District',
  lastName: 'Administrator',
} as const;
