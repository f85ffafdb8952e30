import { describe, expect, it } from 'vitest';
import type { QuitQuestion } from '../../../shared/quit-question.ts';
import { createQuitStore } from '../../../renderer/store/quit-store.ts';

function aStore() {
  const answers: boolean[] = [];
  let question: QuitQuestion | null | Error = null;
  const store = createQuitStore({
    getQuitQuestion: async () => {
      if (question instanceof Error) throw question;
      return question;
    },
    answerQuit: async (isYes) => void answers.push(isYes),
  });
  return { answers, store, ask: (next: typeof question) => (question = next) };
}

describe('the question before quitting', () => {
  it('is shown as the main process knows it, and followed', async () => {
    const { ask, store } = aStore();
    ask({ before: 'quit', ownCalls: 2, clients: [] });
    await store.refresh();
    expect(store.state.getState().question).toEqual({ before: 'quit', ownCalls: 2, clients: [] });
    ask({ before: 'quit', ownCalls: 1, clients: [] });
    await store.refresh();
    expect(store.state.getState().question?.ownCalls).toBe(1);
    ask(null);
    await store.refresh();
    expect(store.state.getState().question).toBeUndefined();
  });

  it('goes at once when it is answered', async () => {
    const { answers, ask, store } = aStore();
    ask({ before: 'quit', ownCalls: 1, clients: [] });
    await store.refresh();
    store.answer(false);
    expect(store.state.getState().question).toBeUndefined();
    expect(answers).toEqual([false]);
  });

  it('does not come back by what was on its way while it was answered', async () => {
    const { ask, store } = aStore();
    ask({ before: 'quit', ownCalls: 1, clients: [] });
    await store.refresh();
    const late = store.refresh();
    store.answer(false);
    await late;
    expect(store.state.getState().question).toBeUndefined();
  });

  it('is none where the main process does not answer', async () => {
    const { ask, store } = aStore();
    ask(new Error('it is quitting'));
    await store.refresh();
    expect(store.state.getState().question).toBeUndefined();
  });
});
