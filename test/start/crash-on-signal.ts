// Loaded before a server that is to crash as one does that has a bug: by an error that nobody catches.
process.on('SIGUSR2', () => {
  throw new Error('a bug');
});
