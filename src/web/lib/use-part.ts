import { useQuery } from '@tanstack/react-query';

/** A part of the program that is loaded when it is first needed, then kept. Loading is tried again after a failure. */
export function usePart<Part>(name: string, load: () => Promise<Part>) {
  return useQuery({
    queryKey: ['public', 'part', name],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}
