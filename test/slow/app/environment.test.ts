import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { usePanels } from '../../e2e/harness.ts';
import { killAll } from '../../e2e/support/processes.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';
import { isAlive } from '../../support/proc.ts';

let base: string;
const panels = usePanels();
beforeEach(() => (base = panels.tempFolder('environment-')));

const linesOf = (name: string) =>
  existsSync(join(base, name)) ? readFileSync(join(base, name), 'utf8').trim().split('\n') : [];

function writeTool(folder: string, words: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tool'), `#!/bin/sh\necho ${words}\n`, { mode: 0o755 });
}

describe.skipIf(process.platform === 'win32')('a server of a panel that npm has started', () => {
  it("finds itself in the person's folder, with the person's programs and no display of the panel's", async () => {
    const [home, clone] = [join(base, 'me'), join(base, 'clone')];
    writeTool(join(home, 'bin'), 'of the person');
    writeTool(join(clone, 'node_modules/.bin'), 'of the project');
    writeFileSync(join(home, '.profile'), `PATH="${home}/bin:/usr/bin:/bin"; export PATH\n`);
    const report = `{ pwd; echo "$PWD"; echo "$PATH"; tool; echo "[$NODE$npm_execpath$INIT_CWD$DISPLAY]"; } > "${base}/new"; mv "${base}/new" "${base}/report"; exec sleep 600`;
    panels.start({
      servers: { who: { command: 'sh', args: ['-c', report] } },
      env: {
        ...{
          HOME: home,
          SHELL: '/bin/sh',
          PWD: clone,
          INIT_CWD: clone,
          NODE: '/of/npm',
          npm_execpath: '/npm',
        },
        PATH: `${clone}/node_modules/.bin:/node_modules/.bin:/npm/node-gyp-bin:${process.env['PATH']}`,
        // The launcher says this of the display that it opens.
        MCP_CONTROL_PANEL_REPLACED: '{"DISPLAY":null}',
      },
    });
    await waitUntil('the report of the server', () => linesOf('report').length > 0, 30_000);
    expect(linesOf('report')).toEqual([home, home, `${home}/bin:/usr/bin:/bin`, 'of the person', '[]']);
  });
});

describe.skipIf(process.platform !== 'linux')('a daemon with an empty environment', () => {
  it('ends with the panel whose server has started it', async ({ onTestFinished }) => {
    const daemon = `echo $$ > "${base}/new"; mv "${base}/new" "${base}/daemon"; exec sleep 600`;
    const script = `(env -i /usr/bin/setsid /bin/sh -c '${daemon}' </dev/null >/dev/null 2>&1 &); exec sleep 600`;
    const panel = panels.start({ servers: { forks: { command: 'sh', args: ['-c', script] } } });
    await waitUntil('the daemon', () => linesOf('daemon').length > 0, 30_000);
    const pid = Number(linesOf('daemon')[0]);
    // The process carries no mark of the test, by which the harness would find it.
    onTestFinished(() => killAll([{ pid, command: 'sleep', isServer: true }]));
    expect(isAlive(pid)).toBe(true);
    expect(await panel.terminate()).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });
});
