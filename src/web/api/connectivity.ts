type Listener = (hasAnswered: boolean) => void;

let listener: Listener | undefined;

/** Whoever keeps watch over the signal hears of every request whether an answer came. */
export function watchSignal(next: Listener | undefined): void {
  listener = next;
}

/** Says of a request whether an answer came, whatever it was. */
export function noteAnswer(hasAnswered: boolean): void {
  listener?.(hasAnswered);
}
