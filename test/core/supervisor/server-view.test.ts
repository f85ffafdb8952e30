import { expect, it } from 'vitest';
import type { ServerView } from '../../../shared/domain.ts';
import { redactView } from '../../../electron/core/supervisor/server-view.ts';

const SECRET = 'hunter2-hunter2';

it('a view shows no secret in anything that tells of an error', () => {
  const view: ServerView = {
    name: 'db',
    transport: 'stdio',
    autoStart: true,
    target: `db --url=${SECRET}`,
    host: { kind: 'pod', pods: `one waits, ${SECRET}` },
    state: {
      kind: 'failed',
      since: 0,
      reason: `no ${SECRET}`,
      reasonData: { phrase: `lacks ${SECRET}`, brief: SECRET, silence: { what: 'overdue', forMs: 1 } },
    },
    generation: 1,
    restartAttempt: 0,
    maxRestartAttempts: 3,
    restartsTotal: 0,
    limits: { maxMemoryMiB: 1, maxCpuPercent: 1, maxOpenFiles: 1 },
    lastError: {
      code: 'CRASHED',
      message: `Error: ${SECRET} is refused`,
      remedy: `Check ${SECRET}.`,
      causeLines: ['one', `two ${SECRET}`],
      data: {
        phrase: `${SECRET} is refused`,
        brief: SECRET,
        hasMore: true,
        field: SECRET,
        statement: SECRET,
      },
    },
  };
  const redacted = redactView(view, (text) => text.replaceAll(SECRET, '…'));
  expect(JSON.stringify(redacted)).not.toContain(SECRET);
  expect(redacted.lastError).toEqual({
    code: 'CRASHED',
    message: 'Error: … is refused',
    remedy: 'Check ….',
    causeLines: ['one', 'two …'],
    data: { phrase: '… is refused', brief: '…', hasMore: true, field: '…', statement: '…' },
  });
  expect(redacted.state.reasonData).toEqual({
    phrase: 'lacks …',
    brief: '…',
    silence: { what: 'overdue', forMs: 1 },
  });
});
