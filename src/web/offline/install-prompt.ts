/** A browser's offer to install the product, kept by start.js. */
type InstallOffer = Event & { prompt?: () => Promise<unknown> };

declare global {
  var installOffer: InstallOffer | undefined;
}

/** Asks the browser to install the product; undefined where it does not offer that. */
export function installer(): (() => Promise<unknown>) | undefined {
  const offer = globalThis.installOffer;
  if (offer?.prompt === undefined) return undefined;
  return async () => {
    // An offer serves once.
    globalThis.installOffer = undefined;
    await offer.prompt?.();
  };
}
