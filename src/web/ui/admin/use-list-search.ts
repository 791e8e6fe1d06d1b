import { useState } from 'react';
import { useDebounced } from '../use-debounced.ts';

/** A list's search: the text in the field, and the text the list is filtered by once typing pauses. */
export type Search = Readonly<{ typed: string; onChange: (typed: string) => void; searched: string }>;

export function useSearch(atFirst = ''): Search {
  const [typed, onChange] = useState(atFirst);
  return { typed, onChange, searched: useDebounced(typed) };
}
