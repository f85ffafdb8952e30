import type { OutputLine } from '../../../shared/domain.ts';
import type { KeptLine } from './line-form.ts';
import { LineRing } from './line-ring.ts';
import { msOf } from './line-times.ts';

const MAX_LINES = 2000;
const MAX_BYTES = 512 * 1024;
const MAX_LINE_CHARACTERS = 4000;
const TAIL_LINES = 20;
const TAIL_CHARACTERS = 4000;
/** Number of lines searched for the cause of a failure, more than are shown because a long stack trace may follow the cause. */
const RECENT_LINES = 200;

/** Returns the line as it is displayed. */
export const cutLine = (line: string): string => line.slice(0, MAX_LINE_CHARACTERS);

/** Returns the last lines of an output, as many as events and errors quote. */
export const shownTail = (text: string): string =>
  text.split('\n').slice(-TAIL_LINES).join('\n').slice(-TAIL_CHARACTERS);

interface NumberedLine extends KeptLine {
  readonly id: number;
}

/** Last lines of a server's stderr, across its runs. The oldest lines are dropped first; an over-long line is cut. */
export class OutputLog {
  readonly ring = new LineRing<NumberedLine>({
    maxLines: MAX_LINES,
    maxBytes: MAX_BYTES,
    sizeOf: ({ text }) => text.length,
  });
  #count = 0;

  add(line: KeptLine): void {
    this.#count += 1;
    this.ring.add({ ...line, text: cutLine(line.text), id: this.#count });
  }

  /** Lines with an id above `afterId`, oldest first. */
  since(afterId: number): readonly OutputLine[] {
    return this.ring.lines
      .filter(({ id }) => id > afterId)
      .map(({ id, atUs, generation, text }) => ({ id, at: msOf(atUs), generation, text }));
  }

  /** Returns this run's lines among the last 200, followed by the incomplete line `unfinished`; empty if there are none. */
  recent(ofGeneration: number, unfinished: string): string {
    const lines = this.ring.lines
      .slice(-RECENT_LINES)
      .filter(({ generation }) => generation === ofGeneration)
      .map(({ text }) => text);
    if (unfinished !== '') lines.push(unfinished);
    return lines.join('\n');
  }
}
