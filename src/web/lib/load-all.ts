type Pages = {
  hasNextPage: boolean;
  fetchNextPage: () => Promise<{ hasNextPage: boolean; isError: boolean }>;
};

/** Loads the pages of a list that are not there yet, at most so many of them: what is printed is not only what is seen. */
export async function loadAll(list: Pages, most: number): Promise<void> {
  let more = list.hasNextPage;
  for (let page = 0; more && page < most; page += 1) {
    const next = await list.fetchNextPage();
    more = next.hasNextPage && !next.isError;
  }
}
