import { createServer, type Server } from 'node:http';
import { baseMessages } from '#base/messages.ts';
import { text } from '../http/errors.ts';
import { openSpeech } from '../speech.ts';
import type { Standing } from './words.ts';

const RETRY_AFTER_SECONDS = 5;

/**
 * Answers 503 in place of a server none of whose processes runs, so that whoever asks hears that it is on its way back.
 * That is all: as soon as a process is ready to listen, this one stops.
 */
export class Standby {
  readonly #host: string;
  readonly #standing: () => Standing;
  #server: Server | undefined;

  constructor(host: string, standing: () => Standing) {
    this.#host = host;
    this.#standing = standing;
  }

  begin(port: number): void {
    if (this.#server !== undefined) return;
    const error = text(openSpeech(), baseMessages.unavailable);
    this.#server = createServer((request, response) => {
      const body = request.url === '/readyz' ? { error, processes: this.#standing() } : { error };
      response
        .writeHead(503, {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
          'retry-after': String(RETRY_AFTER_SECONDS),
          connection: 'close',
        })
        .end(JSON.stringify(body));
    });
    // Another program took the port meanwhile: the process that comes next says so.
    this.#server.on('error', () => undefined);
    this.#server.listen(port, this.#host);
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#server = undefined;
  }
}
