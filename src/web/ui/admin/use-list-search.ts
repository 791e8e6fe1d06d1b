import { useState } from 'react';
import { useDebounced } from '../use-debounced.ts';

/** The search of a list: the text in the field, and the one that the list is asked for once typing pauses. */
export type Search = Readonly<{ typed: string; onChange: (typed: string) => void; searched: string }>;

export function useSearch(atFirst = ''): Search {
  const [typed, onChange] = useState(atFirst);
  return { typed, onChange, searched: useDebounced(typed) };
}
