const ALL_INTERFACES: readonly string[] = ['0.0.0.0', '::'];

/** The URL by which a browser on this machine opens a server: '::', '3000' -> 'http://localhost:3000'. */
export function pageAddress(host: string, port: string): string {
  if (ALL_INTERFACES.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
