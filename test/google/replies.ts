import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request with its body. */
export type Asked = Readonly<{
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: Buffer;
}>;

export type Answer = Readonly<{
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
}>;

/** An error in Google's format. */
export class GoogleError extends Error {
  readonly answer: Answer;

  constructor(status: number, reason: string, message = reason, headers: Record<string, string> = {}) {
    super(message);
    this.answer = {
      status,
      headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
      body: JSON.stringify({
        error: { code: status, message, errors: [{ domain: 'global', reason, message }] },
      }),
    };
  }
}

export function json(value: unknown, status = 200): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    body: JSON.stringify(value),
  };
}

/** An error in the token endpoint's format. */
export function oauthError(status: number, error: string, description: string): Answer {
  return json({ error, error_description: description }, status);
}

export function page(title: string, body: string, status = 200): Answer {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action *",
    },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui;max-width:34rem;margin:2rem auto;padding:0 1rem}
button{font:inherit;min-height:44px;padding:0 1.5rem;margin-right:.5rem}img{max-width:100%;height:auto}</style>
<h1>${escaped(title)}</h1>${body}</html>`,
  };
}

/** Escapes text for HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

export function send(response: ServerResponse, { status, headers = {}, body = '' }: Answer): void {
  response.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...headers });
  response.end(body);
}
