type Pages = {
  hasNextPage: boolean;
  fetchNextPage: () => Promise<{ hasNextPage: boolean; isError: boolean }>;
};

/** Loads the remaining pages of a list, up to `most` pages, so that a printout is not limited to what is on screen. */
export async function loadAll(list: Pages, most: number): Promise<void> {
  let more = list.hasNextPage;
  for (let page = 0; more && page < most; page += 1) {
    const next = await list.fetchNextPage();
    more = next.hasNextPage && !next.isError;
  }
}
