// Loaded before a child process's own code, this makes the child a later version of the product.
import { addLaterVersion } from './old-version-district.ts';

addLaterVersion();
