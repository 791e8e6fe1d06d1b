import { constants, setPriority } from 'node:os';
import { limitLibrary, runTask } from './render-image.ts';

// Untrusted files are decoded only in the processes that load this module.
limitLibrary();
// Users wait for reports; image renditions can wait.
setPriority(constants.priority.PRIORITY_LOW);

export { runTask as work };
