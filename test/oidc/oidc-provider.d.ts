declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  /** The parts of the library that the stand-in uses; it comes without types. */
  export class Provider {
    constructor(issuer: string, configuration: object);
    proxy: boolean;
    callback(): (incoming: IncomingMessage, answer: ServerResponse) => Promise<void>;
    interactionDetails(incoming: IncomingMessage, answer: ServerResponse): Promise<{ params: object }>;
    interactionFinished(incoming: IncomingMessage, answer: ServerResponse, result: object): Promise<void>;
    Grant: new (
      properties: object,
    ) => Grant;
  }

  type Grant = { addOIDCScope: (scope: string) => void; save: () => Promise<string> };
}
