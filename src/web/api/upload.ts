import { commonMessages } from '#shared/common-messages.ts';
import type { Endpoint, EndpointParts, FilesPart, SchemaInput, SchemaOutput } from '#shared/endpoint.ts';
import { say } from '../i18n/translate.ts';
import { address, CallError, callErrorFrom } from './call.ts';
import { reportConnectivity } from './connectivity.ts';
import { dropToken, getToken } from './session.ts';

type Upload<Parts extends EndpointParts> = Readonly<{
  params: SchemaInput<Parts['params']>;
  /** Text fields sent with the file; undefined ones are omitted. */
  fields: Readonly<Record<string, string | undefined>>;
  file: Blob;
  name: string;
  /** Called with the fraction sent, from 0 to 1. */
  onProgress: (sent: number) => void;
  /** Cancels the upload; the promise then rejects with the signal's reason. */
  signal: AbortSignal;
  idempotencyKey?: string;
  /** The token of the session the upload belongs to, even if another user signs in meanwhile. */
  token?: string;
}>;

/** Uploads a file with progress events, which `fetch` does not have. Throws a CallError. */
export function upload<Parts extends EndpointParts & { files: FilesPart }>(
  endpoint: Endpoint<Parts>,
  { params, fields, file, name, onProgress, signal, idempotencyKey, ...session }: Upload<Parts>,
): Promise<SchemaOutput<Parts['reply']>> {
  const form = new FormData();
  for (const [field, text] of Object.entries(fields)) if (text !== undefined) form.append(field, text);
  form.append(endpoint.parts.files.field, file, name);
  const token = session.token ?? getToken();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(endpoint.method, address(endpoint.path, Object(params)));
    request.setRequestHeader('accept', 'application/json');
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`);
    if (idempotencyKey !== undefined) request.setRequestHeader('idempotency-key', idempotencyKey);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      reportConnectivity(true);
      const answer = parsed(request.responseText);
      if (request.status >= 200 && request.status < 300 && answer !== undefined) {
        resolve(answer as SchemaOutput<Parts['reply']>);
        return;
      }
      if (request.status === 401 && token !== null) dropToken(token);
      reject(callErrorFrom(request.status, answer));
    };
    request.onerror = () => {
      reportConnectivity(false);
      reject(new CallError(0, say(commonMessages.networkError), true));
    };
    signal.addEventListener('abort', () => {
      request.abort();
      reject(signal.reason);
    });
    request.send(form);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
