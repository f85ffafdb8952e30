import { onTestFinished } from 'vitest';
import { openTestPanel, type TestPanel } from './open-test-panel.ts';

/** Opens a panel as `openTestPanel` does, which ends with the test. */
export async function panelOfTest(...made: Parameters<typeof openTestPanel>): Promise<TestPanel> {
  const opened = await openTestPanel(...made);
  onTestFinished(() => opened.dispose());
  return opened;
}
