type Listener = (hasAnswered: boolean) => void;

let listener: Listener | undefined;

/** Whoever keeps watch over the signal hears of every request whether an answer came. */
export function onConnectivity(next: Listener | undefined): void {
  listener = next;
}

/** Says of a request whether an answer came, whatever it was. */
export function reportConnectivity(hasAnswered: boolean): void {
  listener?.(hasAnswered);
}
