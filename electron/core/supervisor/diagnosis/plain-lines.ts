import { withoutControlSequences } from '../../../../shared/control-sequences.ts';

/** Text behind this says nothing about the cause, and patterns need not scan it. */
const MAX_CHARACTERS = 600;

/** Returns the lines of an output as a terminal leaves them: without colours, and of a progress bar only its last state. */
export function plainLines(output: string): readonly string[] {
  return withoutControlSequences(output)
    .split('\n')
    .map((line) => lastLook(line).slice(0, MAX_CHARACTERS).trimEnd());
}

function lastLook(line: string): string {
  const looks = line.split('\r').filter((look) => look.trim() !== '');
  return looks.at(-1) ?? '';
}
