import { useState } from 'react';
import { toReport } from '../control-panel.ts';
import type { ManageApi } from '../store/manage-api.ts';
import { newOnes, toggleChoice, type Choice } from './choices.ts';

export interface TakingOver {
  readonly ticked: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly tickNew: () => void;
  readonly isBusy: boolean;
  readonly failures: Readonly<Record<string, string>>;
  /**
   * Writes the ticked servers one after the other. Resolves with the names written; those that failed stay
   * ticked.
   */
  readonly takeOver: () => Promise<readonly string[]>;
}

interface Chosen {
  /** Offer of choices that the ticks belong to. */
  readonly offer: string;
  readonly ticked: ReadonlySet<string>;
}

const nothing: ReadonlySet<string> = new Set();

/** Ticks of servers from elsewhere, and writing those into servers.json. */
export function useTakingOver(api: ManageApi, choices: readonly Choice[], ticksNew: boolean): TakingOver {
  const [chosen, setChosen] = useState<Chosen>();
  const [isBusy, setIsBusy] = useState(false);
  const [failures, setFailures] = useState<Readonly<Record<string, string>>>({});
  // Another offer of choices starts the ticks anew.
  const offer = choices.map(({ id }) => id).join('\n');
  const ticked = chosen?.offer === offer ? chosen.ticked : ticksNew ? newOnes(choices) : nothing;
  const setTicked = (next: ReadonlySet<string>) => setChosen({ offer, ticked: next });

  const takeOver = async () => {
    setIsBusy(true);
    const failed: Record<string, string> = {};
    const taken: Choice[] = [];
    for (const choice of choices.filter(({ id }) => ticked.has(id))) {
      try {
        await api.putServer({ ...choice.entry, name: choice.name });
        taken.push(choice);
      } catch (reason) {
        failed[choice.name] = toReport(reason).message;
      }
    }
    setFailures(failed);
    setTicked(new Set([...ticked].filter((id) => !taken.some((choice) => choice.id === id))));
    setIsBusy(false);
    return taken.map(({ name }) => name);
  };
  const toggle = (id: string) => setTicked(toggleChoice(choices, ticked, id));
  return { ticked, toggle, tickNew: () => setTicked(newOnes(choices)), isBusy, failures, takeOver };
}
