let query = '';

/** Keeps the query of a mailed link in memory, as long as it opens something. */
export function keepLink(opened: string): void {
  query = opened;
}

/** Puts the link back into the address, for the page that is about to be loaded again. */
export function restoreLink(): void {
  if (query !== '') history.replaceState(history.state, '', `${location.pathname}${query}`);
}
