/** What a process of the server asks of the others. */
export type Question = 'metrics' | 'scrub';

/** How many processes of the server there are, and whether one that should be there does not come up. */
export type Standing = Readonly<{ wanted: number; running: number; isFailing: boolean }>;

/** Why a start was refused: what a person must mend. */
export type Refused = 'setting' | 'database' | 'update';

/** What a process says to the one that started it. */
export type ToPrimary =
  | Readonly<{ isPrepared: true }>
  | Readonly<{ address: string }>
  | Readonly<{ isReady: true }>
  | Readonly<{ refused: Refused; why: string }>
  | Readonly<{ hasJobs: boolean }>
  | Asked
  | Answered;

/** What it is told: to listen, to do the jobs, to finish what it has begun and end. */
export type ToProcess =
  | Readonly<{ listen: Readonly<{ port: number }> }>
  | Readonly<{ takeJobs: true }>
  | Readonly<{ leave: true }>
  | Readonly<{ standing: Standing }>
  | Asked
  | Answered;

type Asked = Readonly<{ ask: Question; id: number }>;
type Answered = Readonly<{ answered: number; answers: readonly unknown[] }>;

/** The variable that tells a process which one it is. */
export const PLACE = 'VTT_PLACE_AMONG_PROCESSES';

/** Which process it is: its number from 1 on, of how many, and whether the database is its to bring up to date. */
export type Place = Readonly<{ number: number; processes: number; isFirst: boolean }>;
