import { useState } from 'react';
import { toReport } from '../control-panel.ts';
import type { ManageApi } from '../store/manage-store.ts';
import type { Choice } from './choices.ts';
import {
  answerTick,
  entryToTake,
  readyOnes,
  toggleChoice,
  type AnswersByChoice,
  type Ticks,
} from './ticks.ts';

/** Why each server could not be written, by the server's name. */
type Failures = ReadonlyMap<string, string>;

export interface TakingOver extends Ticks {
  readonly toggle: (id: string) => void;
  readonly tickReady: () => void;
  readonly answer: (choice: Choice, ask: string, value: string) => void;
  readonly isBusy: boolean;
  readonly failures: Failures;
  /** Writes all selected servers to servers.json in one call. Resolves with the names written; rejected servers stay selected. */
  readonly takeOver: () => Promise<readonly string[]>;
}

interface Chosen extends Ticks {
  /** Ids of the choices for which the selection was made, as one text. */
  readonly offer: string;
}

const noAnswers: AnswersByChoice = {};

/**
 * Returns the selection of servers to import, the values entered for them, and the function that writes them to servers.json.
 * Choices that can work and have no warnings are preselected if `ticksReady` is true. It is false for a dropped file and an
 * import link.
 */
export function useTakingOver(
  api: Pick<ManageApi, 'putServers'>,
  choices: readonly Choice[],
  ticksReady = true,
): TakingOver {
  const [chosen, setChosen] = useState<Chosen>();
  const [isBusy, setIsBusy] = useState(false);
  const [failures, setFailures] = useState<Failures>(new Map());
  // A different list of choices resets the selection.
  const offer = choices.map(({ id }) => id).join('\n');
  const start = {
    ticked: ticksReady ? readyOnes(choices, noAnswers) : new Set<string>(),
    answers: noAnswers,
  };
  const ticks: Ticks = chosen?.offer === offer ? chosen : start;
  const { ticked, answers } = ticks;
  const set = (next: Partial<Ticks>) => setChosen({ offer, ticked, answers, ...next });

  const takeOver = async () => {
    setIsBusy(true);
    const wanted = choices.filter(({ id }) => ticked.has(id));
    const failed = await putAll(api, wanted, answers);
    const written = wanted.filter(({ name }) => !failed.has(name));
    setFailures(failed);
    set({ ticked: new Set([...ticked].filter((id) => !written.some((choice) => choice.id === id))) });
    setIsBusy(false);
    return written.map(({ name }) => name);
  };
  return {
    ticked,
    answers,
    toggle: (id) => set({ ticked: toggleChoice(choices, ticked, id) }),
    tickReady: () => set({ ticked: readyOnes(choices, answers) }),
    answer: (choice, ask, value) => set(answerTick(choices, ticks, { choice, ask, value })),
    isBusy,
    failures,
    takeOver,
  };
}

/** Writes the servers. If the whole call fails, that counts as a failure of each server. */
async function putAll(
  api: Pick<ManageApi, 'putServers'>,
  choices: readonly Choice[],
  answers: AnswersByChoice,
): Promise<Failures> {
  try {
    const entries = choices.map((choice) => ({ ...entryToTake(choice, answers), name: choice.name }));
    const { refused } = await api.putServers(entries);
    return new Map(refused.map(({ name, error }) => [name, error.message]));
  } catch (reason) {
    const { message } = toReport(reason);
    return new Map(choices.map(({ name }) => [name, message]));
  }
}
