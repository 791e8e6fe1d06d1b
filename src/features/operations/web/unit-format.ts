const STEP = 1000;
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const MINUTE_MS = 60_000;

/** Formats a size: '1.2 GB' in English. */
export function formatBytes(bytes: number, language: string): string {
  const at = bytes < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[at] ?? 'byte',
    unitDisplay: at === 0 ? 'long' : 'short',
    maximumFractionDigits: at === 0 ? 0 : 1,
  }).format(bytes / STEP ** at);
}

/** Formats a duration: '12 ms', '1.5 sec', '3 min' in English. */
export function formatDuration(milliseconds: number, language: string): string {
  const [unit, value, digits] =
    milliseconds < STEP
      ? (['millisecond', milliseconds, 0] as const)
      : milliseconds < MINUTE_MS
        ? (['second', milliseconds / STEP, 1] as const)
        : (['minute', milliseconds / MINUTE_MS, 1] as const);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(value);
}
