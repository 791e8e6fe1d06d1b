import { type DeleteResult, InsertResult, UpdateResult } from 'kysely';

/** Executes a write. Returns whether it added, changed or deleted a row. */
export async function changesRows(
  write: Readonly<{ executeTakeFirst: () => Promise<InsertResult | UpdateResult | DeleteResult> }>,
): Promise<boolean> {
  const result = await write.executeTakeFirst();
  if (result instanceof InsertResult) return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  return (result instanceof UpdateResult ? result.numUpdatedRows : result.numDeletedRows) > 0n;
}
