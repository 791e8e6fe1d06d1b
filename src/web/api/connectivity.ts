type Listener = (hasAnswered: boolean) => void;

let listener: Listener | undefined;

/** Sets the listener that is called for every request with whether it got a response. */
export function onConnectivity(next: Listener | undefined): void {
  listener = next;
}

/** Reports whether a request got a response of any kind. */
export function reportConnectivity(hasAnswered: boolean): void {
  listener?.(hasAnswered);
}
