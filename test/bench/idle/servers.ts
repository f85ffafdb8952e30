import { processesOfTest } from '../../e2e/support/processes.ts';
import { fixtureServer, tinyServer } from '../../fixtures/fixture-server.ts';
import { numbered, type Servers } from '../../support/homes.ts';

const EACH = 20;
/** Mark of servers that never come up; the others crash only after their handshake. */
const FAILING_MARK = '--name=never-comes-up';

/**
 * Servers of both kinds: 20 that live, half of them Node, and 20 that fail. They end by themselves some time
 * after `lifeMs`.
 */
export function idleServers(lifeMs: number): Servers {
  const safety = `--safety-ms=${lifeMs + 600_000}`;
  const failing = failures(safety);
  return {
    ...numbered(EACH, 'live', (index) => (index % 2 === 0 ? fixtureServer(safety) : tinyServer())),
    ...numbered(EACH, 'fail', (index) => failing[index % failing.length]!),
  };
}

/** Living processes of servers that never come up: each is one start. */
export const failingStarts = (runId: string): number =>
  processesOfTest(runId).filter(({ command, isServer }) => isServer && command.includes(FAILING_MARK)).length;

export const livingCount = EACH;

function failures(safety: string): readonly object[] {
  const failing = (...flags: string[]) => fixtureServer(FAILING_MARK, safety, ...flags);
  const saying = (words: string) => ({
    command: process.execPath,
    args: ['-e', `console.error(${words}); process.exit(1)`, FAILING_MARK],
  });
  return [
    failing('--exit-before-initialize', '--exit-code=3'),
    saying('"Error: SOME_TOKEN is not set"'),
    saying('`${new Date().toISOString()} cannot open /tmp/${process.pid}.sock`'),
    { command: 'no-such-command-here', args: [] },
    { ...failing('--never-initialize'), panel: { startTimeoutMs: 3000 } },
    failing('--fail-initialize'),
    failing('--die-by=SIGKILL'),
    { url: 'http://127.0.0.1:9/mcp' },
    { ...failing(), cwd: '/no/such/folder' },
    fixtureServer(safety, '--timers-from-ready', '--exit-after-ms=3000'),
  ];
}
