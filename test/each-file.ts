import { endWithFile } from './at-end.ts';

endWithFile();
