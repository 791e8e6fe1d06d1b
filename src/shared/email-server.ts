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
