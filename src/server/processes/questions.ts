import type { Member } from './member.ts';
import type { Question } from './words.ts';

/** A process that is busy for longer is left out of the answer. */
const ANSWER_WITHIN_MS = 3_000;

/** Questions that one process of the server asks the others. */
export class Questions {
  readonly #open = new Map<number, (answers: readonly unknown[]) => void>();
  #asked = 0;

  /** The answers of those that give one in time, in the order of the members. */
  async ask(members: readonly Member[], question: Question): Promise<readonly unknown[]> {
    return (await Promise.all(members.map((member) => this.#askOne(member, question)))).flat();
  }

  answered(id: number, answers: readonly unknown[]): void {
    this.#open.get(id)?.(answers);
  }

  async #askOne(member: Member, question: Question): Promise<readonly unknown[]> {
    const id = ++this.#asked;
    const { promise, resolve } = Promise.withResolvers<readonly unknown[]>();
    this.#open.set(id, resolve);
    const timer = setTimeout(resolve, ANSWER_WITHIN_MS, []);
    void member.ended.then(() => resolve([]));
    member.tell({ ask: question, id });
    const answers = await promise;
    clearTimeout(timer);
    this.#open.delete(id);
    return answers;
  }
}
