import { limitLibrary, perform } from './render-image.ts';

// Strangers' files are decoded in the processes that load this, and nowhere else.
limitLibrary();

export { perform as work };
