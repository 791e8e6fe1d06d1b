/** A browser's offer to install the product. */
type InstallOffer = Event & { prompt?: () => Promise<unknown> };

let offer: InstallOffer | undefined;

// Settings offers it, and nothing else does. Browsers make the offer soon after the page has loaded.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  offer = event;
});

/** Asks the browser to install the product; undefined where it does not offer that. */
export function installer(): (() => Promise<unknown>) | undefined {
  const { prompt } = offer ?? {};
  if (prompt === undefined) return undefined;
  return async () => {
    const made = offer;
    // An offer serves once.
    offer = undefined;
    await made?.prompt?.();
  };
}
