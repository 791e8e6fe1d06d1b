// npm run dev: the server, restarted on each change, and Vite's pages, which proxy API requests to it.
import { runInFront } from './process.mjs';

const { PORT = '3000', SERVER_URL = `http://127.0.0.1:${PORT}` } = process.env;
const SERVER = ['--watch', '--watch-preserve-output', 'src/app/server/main.ts'];
const PAGES = ['node_modules/vite/bin/vite.js'];

process.exitCode = await runInFront(process.execPath, [SERVER, PAGES], { SERVER_URL });
