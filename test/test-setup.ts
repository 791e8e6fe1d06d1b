import { endWithFile } from './after-each-file.ts';

endWithFile();
