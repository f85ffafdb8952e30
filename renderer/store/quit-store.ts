import { createStore } from 'zustand/vanilla';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { QuitQuestion } from '../../shared/quit-question.ts';

interface QuitState {
  /** Question that the user has to answer before the app quits; undefined if there is none. */
  readonly question: QuitQuestion | undefined;
}

export type QuitStore = ReturnType<typeof createQuitStore>;

/** Creates the store for the question that the main process asks the user, through the page, if quitting would lose calls. */
export function createQuitStore(api: Pick<ControlPanelApi, 'getQuitQuestion' | 'answerQuit'>) {
  const state = createStore<QuitState>(() => ({ question: undefined }));
  let answers = 0;
  return {
    state,
    /** Loads the current question. Never rejects. */
    refresh: async (): Promise<void> => {
      const asked = answers;
      const question = await api.getQuitQuestion().catch(() => null);
      // If the user has answered in the meantime, the loaded question is outdated and would be shown again.
      if (asked === answers) state.setState({ question: question ?? undefined });
    },
    answer: (isYes: boolean): void => {
      answers += 1;
      state.setState({ question: undefined });
      void api.answerQuit(isYes).catch(() => undefined);
    },
  };
}
