import { createStore } from 'zustand/vanilla';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { QuitQuestion } from '../../shared/quit-question.ts';

interface QuitState {
  /** Current question to the user who wants to quit; undefined if there is none. */
  readonly question: QuitQuestion | undefined;
}

export type QuitStore = ReturnType<typeof createQuitStore>;

/** Question to the user before quitting loses calls. The main process asks it; the page shows it. */
export function createQuitStore(api: Pick<ControlPanelApi, 'getQuitQuestion' | 'answerQuit'>) {
  const state = createStore<QuitState>(() => ({ question: undefined }));
  let answers = 0;
  return {
    state,
    /** Loads the question, or its current state. Never rejects. */
    refresh: async (): Promise<void> => {
      const asked = answers;
      const question = await api.getQuitQuestion().catch(() => null);
      // An answer that was requested before the user decided is old, and would show the question again.
      if (asked === answers) state.setState({ question: question ?? undefined });
    },
    answer: (isYes: boolean): void => {
      answers += 1;
      state.setState({ question: undefined });
      void api.answerQuit(isYes).catch(() => undefined);
    },
  };
}
