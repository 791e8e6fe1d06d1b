import { runCleanupsAfterFile } from './after-each-file.ts';

runCleanupsAfterFile();
