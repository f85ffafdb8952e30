import { withoutControlSequences } from '../../../../shared/control-sequences.ts';

/** What is behind it says nothing about the cause, and patterns need not run over it. */
const MAX_CHARACTERS = 600;

/** The lines of an output as a terminal would leave them: without colours, and of a progress bar its last look. */
export function plainLines(output: string): readonly string[] {
  return withoutControlSequences(output)
    .split('\n')
    .map((line) => lastLook(line).slice(0, MAX_CHARACTERS).trimEnd());
}

function lastLook(line: string): string {
  const looks = line.split('\r').filter((look) => look.trim() !== '');
  return looks.at(-1) ?? '';
}
