/** Every API response carries this header with 'full' while nothing can be saved because the disk is full. */
export const STORAGE_HEADER = 'x-storage';
