import type { Reply, TestApp } from './harness.ts';
import type { Child } from './server-process.ts';

/** A file to upload. */
export type SentFile = Readonly<{ name: string; content: Buffer; type?: string }>;

/** A multipart body for `call`, with the header that has its boundary. */
export async function multipart(
  field: string,
  files: readonly SentFile[],
  fields: Readonly<Record<string, string>> = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const { name, content, type = 'image/jpeg' } of files) {
    form.append(field, new File([new Uint8Array(content)], name, { type }));
  }
  const request = new Response(form);
  return {
    body: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  };
}

/** Sends photos to an activity. */
export async function upload(
  app: TestApp,
  given: {
    by: { token: string };
    to: { id: number };
    files: readonly SentFile[];
    fields?: Record<string, string>;
    headers?: Record<string, string>;
  },
) {
  const { body, headers } = await multipart('photos', given.files, given.fields);
  return app.call(`POST /api/activities/${given.to.id}/photos`, {
    token: given.by.token,
    body,
    headers: { ...headers, ...given.headers },
  });
}

/** Sends photos to a process, over HTTP. */
export async function uploadTo(
  child: Pick<Child, 'origin'>,
  given: { token: string; activityId: number; files: readonly SentFile[] },
): Promise<Pick<Reply, 'status' | 'body'>> {
  const { body, headers } = await multipart('photos', given.files);
  const reply = await fetch(`${child.origin}/api/activities/${given.activityId}/photos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${given.token}`, ...headers },
    body,
  });
  return { status: reply.status, body: JSON.parse(await reply.text()) };
}

/** Opens a signed link; `content` is the body as bytes. */
export async function openLink(app: TestApp, link: string, headers: Readonly<Record<string, string>> = {}) {
  const reply = await app.app.inject({ method: 'GET', url: link, headers });
  return { status: reply.statusCode, headers: reply.headers, content: reply.rawPayload };
}
