/** The browser's event that allows installing the app. */
type InstallOffer = Event & { prompt?: () => Promise<unknown> };

let offer: InstallOffer | undefined;

// Only Account Settings offers to install. The event comes soon after the page has loaded.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  offer = event;
});

/** Returns a function that shows the browser's install prompt; undefined if the browser doesn't offer it. */
export function installer(): (() => Promise<unknown>) | undefined {
  const { prompt } = offer ?? {};
  if (prompt === undefined) return undefined;
  return async () => {
    const prompt = offer;
    // The prompt can be shown only once.
    offer = undefined;
    await prompt?.prompt?.();
  };
}
