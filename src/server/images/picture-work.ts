import { limitLibrary, perform, type Task } from './render-image.ts';

// A separate process: strangers' files are decoded nowhere else, and a crash affects only that picture. It runs one
// task after the other until its parent is gone.
limitLibrary();
process.on('message', async (task: Task) => {
  process.send?.(await perform(task));
});
process.on('disconnect', () => process.exit(0));
