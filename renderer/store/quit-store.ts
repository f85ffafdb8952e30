import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { QuitQuestion } from '../../shared/quit-question.ts';

export interface QuitState {
  /** Question of whoever wants to quit, as of now; undefined while nobody does. */
  readonly question: QuitQuestion | undefined;
}

/** Question before calls are lost by quitting. The main process asks it; the page shows it. */
export interface QuitStore {
  readonly state: StoreApi<QuitState>;
  /** Takes the question up, or what has become of it. Never rejects. */
  refresh(): Promise<void>;
  answer(isYes: boolean): void;
}

export function createQuitStore(api: Pick<ControlPanelApi, 'getQuitQuestion' | 'answerQuit'>): QuitStore {
  const state = createStore<QuitState>(() => ({ question: undefined }));
  let answers = 0;
  return {
    state,
    refresh: async () => {
      const asked = answers;
      const question = await api.getQuitQuestion().catch(() => null);
      // What was on its way while the person answered is old, and would bring the question back.
      if (asked === answers) state.setState({ question: question ?? undefined });
    },
    answer: (isYes) => {
      answers += 1;
      state.setState({ question: undefined });
      void api.answerQuit(isYes).catch(() => undefined);
    },
  };
}
