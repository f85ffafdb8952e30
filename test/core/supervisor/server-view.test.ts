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
    state: { kind: 'failed', since: 0, reason: `no ${SECRET}` },
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
    },
  };
  const redacted = redactView(view, (text) => text.replaceAll(SECRET, '…'));
  expect(JSON.stringify(redacted)).not.toContain(SECRET);
  expect(redacted.lastError).toEqual({
    code: 'CRASHED',
    message: 'Error: … is refused',
    remedy: 'Check ….',
    causeLines: ['one', 'two …'],
  });
});
