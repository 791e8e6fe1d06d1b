import { usePartAhead } from '#web/lib/use-part.ts';

/** A part of the screen: its name, and the code that it is loaded with. */
export type PartSource<Part> = Readonly<{ name: string; load: () => Promise<Part> }>;

/** Loads a part in the background once the screen stands, without drawing anything again when it comes. */
export function PartAhead<Part>({ name, load }: PartSource<Part>) {
  usePartAhead(name, load, false);
  return null;
}
