/** How the connection to a mail server is encrypted. */
export const CONNECTION_SECURITIES = ['starttls', 'tls', 'none'] as const;
export type ConnectionSecurity = (typeof CONNECTION_SECURITIES)[number];

const USUAL_PORTS: Readonly<Record<ConnectionSecurity, string>> = { starttls: '587', tls: '465', none: '25' };

/** The default port for each kind of encryption. */
export function defaultPort(security: ConnectionSecurity): string {
  return USUAL_PORTS[security];
}

type Typed = Readonly<{
  host: string;
  port: string;
  security: ConnectionSecurity;
  user: string;
  password: string;
}>;

/** Builds a mail server's URL from the form; user name and password may contain any characters. */
export function smtpUrlOf({ host, port, security, user, password }: Typed): string {
  const login =
    user.trim() === '' ? '' : `${encodeURIComponent(user.trim())}:${encodeURIComponent(password)}@`;
  const scheme = security === 'tls' ? 'smtps' : 'smtp';
  const option = security === 'tls' ? '' : `?requireTLS=${security === 'starttls'}`;
  return `${scheme}://${login}${host.trim()}:${port}${option}`;
}
