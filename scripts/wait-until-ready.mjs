// Waits until the service's server answers /readyz. Systemd ends this when the server ends or takes too long.
import { setTimeout } from 'node:timers/promises';

const RETRY_MS = 250;
const { HOST = '127.0.0.1', PORT = '3000', MAINPID } = process.env;
const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST);

while (!(await isReady())) {
  if (!isRunning()) process.exit(1);
  await setTimeout(RETRY_MS);
}

async function isReady() {
  try {
    return (await fetch(`http://${host}:${PORT}/readyz`)).status === 200;
  } catch {
    return false;
  }
}

function isRunning() {
  if (MAINPID === undefined) return true;
  try {
    process.kill(Number(MAINPID), 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another account.
    return error.code === 'EPERM';
  }
}
