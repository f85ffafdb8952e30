import type { Judged } from './judge-kind.ts';
import type { Kind } from './read-kinds.ts';

/** What the panel said of each kind in one round, and last those that it judged wrong. */
export function linesOf(round: readonly Judged[]): readonly string[] {
  const said = round.filter((one) => one.said.length > 0 && !isWrong(one));
  const wrong = round.filter(isWrong);
  return [...said.map(lineOf), ...wrong.map((one) => `WRONG: ${lineOf(one)}: ${one.faults.join('; ')}`)];
}

/** The numbers of all rounds in one line. */
export function totalsOf(rounds: readonly (readonly Judged[])[]): string {
  const all = rounds.flat();
  const of = (is: Kind['expectation']['is']) => all.filter(({ kind }) => kind.expectation.is === is);
  const [healthy, hung, shown] = [of('healthy'), of('hung'), of('shown')];
  const wrong = (judged: readonly Judged[]) => judged.filter(isWrong).length;
  const doubted = healthy.filter(({ said }) => said.length > 0).length;
  return [
    `rounds ${rounds.length}: healthy ${healthy.length}, wrong ${wrong(healthy)} (doubted ${doubted})`,
    `hung ${hung.length + shown.length}, found ${hung.length - wrong(hung)}, cannot be found ${shown.length}`,
    `of these not shown ${wrong(shown)}`,
  ].join('; ');
}

const isWrong = ({ faults }: Judged): boolean => faults.length > 0;

const lineOf = ({ kind, said }: Judged): string =>
  `${kind.expectation.is} · ${kind.title} (${kind.start}): ${said.join(', ') || 'nothing told'}`;
