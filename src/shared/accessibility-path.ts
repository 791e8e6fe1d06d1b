/** Where the page about accessibility is, which the room `accessibility` writes. Every screen leads to it. */
export const ACCESSIBILITY_PATH = '/accessibility';
