import { useEffect, useState } from 'react';

/** How long typing must pause before a list searches (specification section 9). */
const FILTER_REST_MS = 300;

/** Returns a value once it has stopped changing. Clearing it takes effect immediately. */
export function useDebounced<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), value === '' ? 0 : FILTER_REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
