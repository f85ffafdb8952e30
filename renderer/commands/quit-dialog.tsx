import { useEffect } from 'react';
import { useStore } from 'zustand/react';
import { quitLossWords } from '../format/quit-words.ts';
import { useServices } from '../services.ts';
import { Question } from '../ui/question.tsx';

const asks = {
  quit: { title: 'Quit MCP Control Panel?', no: 'Keep running', yes: 'Quit anyway' },
  'stop-all': { title: 'Stop all servers?', no: 'Keep them running', yes: 'Stop all anyway' },
} as const;

/** Question before the panel quits, or stops all servers from the tray, with calls in flight. It is above any open dialog. */
export function QuitDialog() {
  const { clock, quit } = useServices();
  const question = useStore(quit.state, (state) => state.question);
  const isOpen = question !== undefined;
  // The question is updated each second, because calls begin and end while it is open.
  useEffect(() => (isOpen ? clock.subscribe(() => void quit.refresh()) : undefined), [clock, isOpen, quit]);
  if (question === undefined) return null;
  return (
    <Question {...asks[question.before]} onNo={() => quit.answer(false)} onYes={() => quit.answer(true)}>
      <p>{quitLossWords(question)} Every server is stopped.</p>
    </Question>
  );
}
