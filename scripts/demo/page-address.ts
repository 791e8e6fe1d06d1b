const EVERY_ADDRESS: readonly string[] = ['0.0.0.0', '::'];

/** Where a browser on this machine finds what listens at a host and a port: '::', '3000' -> 'http://localhost:3000'. */
export function pageAddress(host: string, port: string): string {
  if (EVERY_ADDRESS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
