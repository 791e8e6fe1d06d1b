/** Whether the browser was asked to save data: then nothing is fetched before it is needed. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
