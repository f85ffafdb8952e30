import type { Judged } from './judge-kind.ts';
import type { Kind } from './read-kinds.ts';

/** What came of all rounds: what the panel said of each kind, those that it judged wrong, and the numbers. */
export function summary(rounds: readonly (readonly Judged[])[]): readonly string[] {
  const all = rounds.flat();
  const of = (is: Kind['expectation']['is']) => all.filter(({ kind }) => kind.expectation.is === is);
  const wrong = (judged: readonly Judged[]) => judged.filter(({ faults }) => faults.length > 0);
  const [healthy, hung, shown] = [of('healthy'), of('hung'), of('shown')];
  const suspected = healthy.filter(({ said }) => said.length > 0).length;
  return [
    ...all.filter(({ said, faults }) => said.length > 0 && faults.length === 0).map(lineOf),
    ...wrong(all).map((one) => `WRONG: ${lineOf(one)}: ${one.faults.join('; ')}`),
    [
      `${rounds.length} x: healthy ${healthy.length}, wrong ${wrong(healthy).length} (a doubt was told of ${suspected})`,
      `hung ${hung.length + shown.length}, found ${hung.length - wrong(hung).length}, cannot be found ${shown.length}`,
      `of these not shown ${wrong(shown).length}`,
    ].join('; '),
  ];
}

const lineOf = ({ kind, said }: Judged): string =>
  `${kind.expectation.is} · ${kind.title} (${kind.start}): ${said.join(', ') || 'nothing told'}`;
