import { describe, expect, it, vi } from 'vitest';
import { askToEnd } from '../../../renderer/processes/end-process-dialog.tsx';
import { ProcessTreeTable } from '../../../renderer/processes/server-processes.tsx';
import { arrangeProcesses } from '../../../renderer/format/process-tree.ts';
import type { Services } from '../../../renderer/services.ts';
import type { ProcessView } from '../../../shared/processes.ts';
import { aServer } from '../builders.ts';
import { render } from '../render-view.tsx';

const root: ProcessView = {
  pid: 70,
  ppid: 1,
  startTime: 'a',
  startedAt: 0,
  program: 'npm exec x',
  commandLine: 'npm exec x --flag',
  memoryBytes: 50 * 1024 * 1024,
  cpuPercent: 12.3,
  openFiles: 24,
};
const child: ProcessView = { pid: 71, ppid: 70, startTime: 'b', program: 'node', isStopped: true };

describe('the table of processes', () => {
  const table = () => {
    const rows = arrangeProcesses([root, child], 'started');
    const view = (
      <ProcessTreeTable server={aServer('one')} rows={rows} order="memory" onOrder={() => undefined} />
    );
    return render(view, {});
  };

  it('shows each with its figures, and a dash with its reason for what the system does not tell', () => {
    const markup = table();
    for (const words of [
      'npm exec x --flag',
      '50.0 MiB',
      '12 %',
      '>24<',
      'below pid 70',
      'stopped by a signal',
    ])
      expect(markup).toContain(words);
    expect(markup.split('data-tip="The system does not report it"')).toHaveLength(5);
  });

  it('names its rows and buttons, and tells which column it is sorted by', () => {
    const markup = table();
    expect(markup).toContain('aria-label="Processes of one"');
    expect(markup).toContain('aria-label="node, pid 71"');
    expect(markup).toContain('aria-label="End process 71"');
    expect(markup.split('aria-sort="descending"')).toHaveLength(2);
  });
});

describe('askToEnd', () => {
  const services = (asksQuestions: boolean) => {
    const open = vi.fn();
    const endProcess = vi.fn(() => Promise.resolve());
    const given = {
      api: { endProcess },
      asks: { run: (_key: string, work: () => Promise<unknown>) => work() },
      manage: { open },
      panel: { getState: () => ({ asksQuestions }) },
    };
    return { open, endProcess, given: given as unknown as Services };
  };

  it('asks first, naming the pid and the command', () => {
    const { open, endProcess, given } = services(true);
    askToEnd(given, 'one', root, true);
    expect(open).toHaveBeenCalledWith({
      kind: 'end-process',
      server: 'one',
      process: { pid: 70, startTime: 'a' },
      command: 'npm exec x --flag',
      isFirst: true,
    });
    expect(endProcess).not.toHaveBeenCalled();
  });

  it('ends exactly that process where nobody is there to answer', () => {
    const { open, endProcess, given } = services(false);
    askToEnd(given, 'one', root, true);
    expect(open).not.toHaveBeenCalled();
    expect(endProcess).toHaveBeenCalledWith('one', { pid: 70, startTime: 'a' });
  });
});
