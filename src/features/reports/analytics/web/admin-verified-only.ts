import { createContext } from 'react';

/** Whether the figures are of verified hours alone, which every part of the page then says. */
export const VerifiedOnlyContext = createContext(false);
