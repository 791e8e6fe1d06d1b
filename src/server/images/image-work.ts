import { constants, setPriority } from 'node:os';
import { limitLibrary, perform } from './render-image.ts';

// Strangers' files are decoded in the processes that load this, and nowhere else.
limitLibrary();
// Whoever asks for a report waits for it; pictures can wait.
setPriority(constants.priority.PRIORITY_LOW);

export { perform as work };
