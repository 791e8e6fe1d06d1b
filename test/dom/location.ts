// jsdom's `location` cannot be replaced, so these change what is behind it.

declare const jsdom: { reconfigure: (settings: { url: string }) => void };

/** Replaces `location.reload` for the rest of the file. */
export function replaceReload(reload: () => void): void {
  for (const key of Object.getOwnPropertySymbols(location)) {
    if (key.description === 'impl') Object.assign(Reflect.get(location, key), { reload });
  }
}

/** Changes the page's URL without a navigation. */
export function setUrl(url: string): void {
  jsdom.reconfigure({ url });
}
