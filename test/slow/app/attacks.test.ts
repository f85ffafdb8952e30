import { createSocket } from 'node:dgram';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from '../../e2e/harness.ts';
import { descendantsOf } from '../../e2e/support/processes.ts';
import { stateIs } from '../../e2e/support/driving.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';

// Attacks of a hostile configuration, and of a hostile server; see docs/security.md.

let folder: string;
const panels = usePanels();
beforeEach(() => (folder = panels.tempFolder('attacks-')));

const bodyText = ({ page }: DrivenPanel) => page.evaluate<string>('document.body.innerText');

async function openServer({ page }: DrivenPanel, name: string) {
  await page.evaluate(`void (location.hash = '#/servers/${name}')`);
  await page.getByLabel(`Memory of ${name}`).waitFor();
}

type Missing = readonly { readonly asks: readonly { readonly name: string; readonly place: unknown }[] }[];

describe('commands in a configuration', () => {
  const hostile = [
    '; touch pwn',
    '&& touch pwn',
    '| touch pwn',
    '> pwn',
    '$(touch pwn)',
    '`touch pwn`',
    '${IFS}touch${IFS}pwn',
    'one\ntouch pwn\n',
    '"; touch pwn; "',
    "'; touch pwn; '",
    '\\',
    '*',
    '~',
    '%PATH%',
    '',
    '-c',
    'é 漢字 \u202e',
  ];
  const serverArguments = (panel: DrivenPanel) =>
    panel
      .serverProcesses()
      .map(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1));

  it('reach the server letter by letter, and no shell, from the file and from the window', async () => {
    const { command, args } = fixtureServer('--', ...hostile);
    const panel = await panels.launch({ servers: { filed: { command, args, cwd: folder } } });
    await stateIs(panel, 'filed', 'running');
    await panel.call('putServer', { name: 'typed', command, args, cwd: folder });
    // What looks like a reference is asked for, unless it ran before the panel asked.
    await stateIs(panel, 'typed', 'failed');
    const [missing] = await panel.call<Missing>('listMissing');
    expect(missing?.asks.map(({ name }) => name)).toEqual(['$(touch pwn)', 'IFS', '%PATH%']);
    const asTheyStand = missing?.asks.map(({ name: ask, place }) => ({
      ...{ ask, place, asSecret: false },
      value: ask === 'IFS' ? '${IFS}' : ask,
    }));
    await panel.call('answerMissing', { server: 'typed', answers: asTheyStand });
    await stateIs(panel, 'typed', 'running');
    expect(serverArguments(panel)).toEqual([
      [command, ...args],
      [command, ...args],
    ]);
    await panel.call('restartServer', 'filed');
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync('pwn')).toBe(false);
  });

  it('are names of programs, not lines for a shell', async () => {
    const panel = await panels.launch({
      servers: { line: { command: `touch ${folder}/pwn; true`, cwd: folder } },
    });
    await stateIs(panel, 'line', 'failed');
    const { servers } = await panel.snapshot();
    expect(servers[0]?.lastError?.code).toBe('COMMAND_NOT_FOUND');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('planted secrets', () => {
  const secrets = {
    env: 'canaryEnv-5f1d0c77',
    header: 'canaryHeader-9a3e41b2',
    printed: 'ghp_canaryPrinted0123456789abcdef',
    letter: 'canaryLetter-7c2f90de',
    variable: 'canaryVariable-b81d3e55',
    password: 'canaryPassword-f06a9d14',
    path: 'canaryPath-3d5e82ab',
    encoded: Buffer.from('canaryEnv-5f1d0c77').toString('base64'),
  };
  const leakyServer = (...flags: string[]) => {
    const said = Object.values(secrets).filter((secret) => secret !== secrets.header);
    const words = `using ${said.join(', ')}, Authorization: Bearer ${secrets.header}`;
    const { command, args } = fixtureServer(`--stderr-text=${words}`, ...flags);
    return {
      command,
      args: [
        ...[...args, '--', '--header', `Authorization: Bearer ${secrets.header}`, '-k', secrets.letter],
        ...['-e', `NAME=${secrets.variable}`, `postgres://me:${secrets.password}@db/x`],
        `https://example.org/mcp/${secrets.path}/sse`,
      ],
      env: { PLANTED_API_KEY: secrets.env },
      panel: { restart: { enabled: false } },
    };
  };
  const foundIn = (text: string) => Object.values(secrets).filter((secret) => text.includes(secret));

  /** Files that the panel keeps, except the one that the person wrote the secrets into. */
  const keptFiles = (home: string) =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('servers.json'))
      .map((entry) => join(entry.parentPath, entry.name));

  const launchLeaky = async () => {
    const servers = {
      talks: leakyServer(),
      crashes: leakyServer('--exit-before-initialize'),
      bystander: fixtureServer(),
    };
    const panel = await panels.launch({ servers });
    await stateIs(panel, 'talks', 'running');
    await stateIs(panel, 'crashes', 'failed');
    await stateIs(panel, 'bystander', 'running');
    return panel;
  };

  it('are nowhere in what the panel says: terminal, snapshot, output and page', async () => {
    const panel = await launchLeaky();
    const output = await waitUntil('the output', async () => {
      const lines = await panel.call<{ text: string }[]>('getOutput', 'talks', 0);
      return lines.length > 0 && lines;
    });
    // The line is there, and its secret blacked out.
    expect(output[0]?.text).toMatch(/^using .*\[redacted\]/);
    expect(foundIn(JSON.stringify(output))).toEqual([]);
    const snapshot = await panel.snapshot();
    expect(snapshot.events.some(({ kind }) => kind === 'start-failed')).toBe(true);
    expect(foundIn(JSON.stringify(snapshot))).toEqual([]);
    for (const name of ['talks', 'crashes']) {
      await openServer(panel, name);
      expect(foundIn(await panel.page.content())).toEqual([]);
      await panel.page.getByRole('link', { name: 'Logs', exact: true }).click();
      await panel.page.getByText('[redacted]').first().waitFor();
      expect(foundIn(await panel.page.content())).toEqual([]);
    }
    expect(foundIn([...panel.stdout(), ...panel.stderr()].join('\n'))).toEqual([]);
  });

  it('are nowhere in what it keeps, nor with other processes', async () => {
    const panel = await launchLeaky();
    const servers = panel.serverProcesses();
    const others = descendantsOf(panel.pid).filter(
      ({ pid }) => !servers.some((server) => server.pid === pid),
    );
    expect(others.length).toBeGreaterThan(2);
    expect(others.flatMap(({ command }) => foundIn(command))).toEqual([]);
    expect(foundIn(readFileSync(`/proc/${panel.pid}/cmdline`, 'utf8'))).toEqual([]);
    const bystander = servers.filter(({ command }) => !command.includes('--stderr-text'));
    expect(bystander).toHaveLength(1);
    for (const { pid } of bystander)
      expect(foundIn(readFileSync(`/proc/${pid}/environ`, 'utf8'))).toEqual([]);

    expect(await panel.terminate()).toBe(0);
    const files = keptFiles(panel.home);
    expect(files.filter((path) => path.includes('logs')).length).toBeGreaterThan(1);
    const leaks = files.filter((path) => foundIn(readFileSync(path, 'latin1')).length > 0);
    expect(leaks).toEqual([]);
  });

  it('of the panel itself stay with it: servers get no variable that is only its own', async () => {
    const own = { MCP_CONTROL_PANEL_GATEWAY_TOKEN: secrets.env, npm_config_token: secrets.header };
    const panel = await panels.launch({ servers: { bystander: fixtureServer() }, env: own });
    await stateIs(panel, 'bystander', 'running');
    const [server] = panel.serverProcesses();
    const names = readFileSync(`/proc/${server?.pid}/environ`, 'utf8')
      .split('\0')
      .map((entry) => entry.split('=')[0] ?? '');
    expect(names).toContain('PATH');
    expect(
      names.filter((name) => /^(ELECTRON_|NODE_OPTIONS$|npm_|MCP_CONTROL_PANEL_(?!RUN$))/.test(name)),
    ).toEqual([]);
  });
});

describe('text of a server', () => {
  const ESC = '\u001b';
  const IMAGE = '<img src=x onerror="globalThis.pwned=1">';
  const LINK = `${ESC}]8;;https://evil.example/${ESC}\\click here${ESC}]8;;${ESC}\\`;
  const stderr = [
    IMAGE,
    '<script>globalThis.pwned=2</script>',
    `${ESC}[31mred${ESC}[0m ${ESC}[2J${ESC}]0;title\u0007`,
    LINK,
    '[a link](javascript:globalThis.pwned=3)',
    'evil\u202egnp.exe \u2066isolated',
    'a long line '.padEnd(1024 * 1024, 'x'),
    'the last line',
  ];

  /** Fixture server that first writes `stderr`, and what is no protocol to stdout. */
  function hostileServer() {
    const { command, args } = fixtureServer(`--name=${IMAGE}`, `--version=${'9'.repeat(50_000)}${LINK}`);
    const [server, ...flags] = args;
    writeFileSync(join(folder, 'stderr'), `${stderr.join('\n')}\n`);
    const program = [
      `import { readFileSync, writeSync } from 'node:fs';`,
      `process.stderr.write(readFileSync(new URL('stderr', import.meta.url)));`,
      `writeSync(1, ${JSON.stringify(`${IMAGE}\n`)});`,
      `await import(${JSON.stringify(server)});`,
    ];
    writeFileSync(join(folder, 'hostile.mjs'), program.join('\n'));
    return { command, args: [join(folder, 'hostile.mjs'), ...flags] };
  }

  /** Elements that only such a text could have made. */
  const injected = ({ page }: DrivenPanel) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('img, iframe, object, a[href^="javascript:"], a[href*="evil"], body script')]
        .filter((element) => !element.matches('script[src^="/"], script[src^="./"]'))
        .map((element) => element.outerHTML.slice(0, 200))`,
    );

  it('is text, wherever it shows, and the page answers a click beside it', async () => {
    const panel = await panels.launch({ servers: { hostile: hostileServer(), other: fixtureServer() } });
    const violations: string[] = [];
    panel.page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text());
    });
    await stateIs(panel, 'hostile', 'running');
    await waitUntil('the noise in the events', async () => (await bodyText(panel)).includes('<img src=x'));

    await openServer(panel, 'hostile');
    expect((await bodyText(panel)).includes('<img src=x onerror=')).toBe(true);
    await panel.page.getByRole('link', { name: 'Logs', exact: true }).click();
    await panel.page.getByText('the last line').waitFor();
    const log = panel.page.getByRole('log', { name: 'Logs' });
    const atEnd = (await log.textContent()) ?? '';
    // Only the rows in view are in the page, so both ends are read.
    await log.press('Home');
    await panel.page.getByText('evil‹U+202E›gnp.exe').first().waitFor();
    const logs = `${(await log.textContent()) ?? ''}${atEnd}`;
    // Comparison is by parts because a whole megabyte in a failure's message helps nobody.
    const shown = [IMAGE, '<script>globalThis.pwned=2</script>', 'click here', '](javascript:', 'red'];
    expect(shown.filter((part) => !logs.includes(part))).toEqual([]);
    expect(logs).toContain('evil‹U+202E›gnp.exe ‹U+2066›isolated');
    const hidden = [ESC, '[31m', 'evil.example', '\u202e', '\u2066'];
    expect(hidden.filter((part) => logs.includes(part))).toEqual([]);
    expect(await injected(panel)).toEqual([]);
    expect(await panel.page.evaluate('globalThis.pwned')).toBeUndefined();
    expect(await panel.page.title()).not.toBe('title');

    await panel.page.getByRole('link', { name: 'Back to all servers' }).click({ timeout: 3000 });
    await panel.page.getByRole('button', { name: 'Stop other' }).click({ timeout: 3000 });
    await stateIs(panel, 'other', 'stopped');
    expect(violations).toEqual([]);
  });

  it('is one harmless line in the terminal', async () => {
    const panel = await panels.launch({
      servers: {
        hostile: {
          ...fixtureServer('--exit-before-initialize', `--stderr-text=${ESC}[2J${LINK}${IMAGE}`),
          panel: { restart: { enabled: false } },
        },
      },
    });
    await stateIs(panel, 'hostile', 'failed');
    const lines = [...panel.stdout(), ...panel.stderr()];
    expect(lines.some((line) => line.includes('click here'))).toBe(true);
    expect(lines.filter((line) => /[\u0000-\u0008\u000b-\u001f\u007f]/.test(line))).toEqual([]);
  });
});

describe('code in the page', () => {
  /** Counts what arrives: UDP packets, TCP connections. */
  async function listen() {
    const counts = { udp: 0, tcp: 0 };
    const udp = createSocket('udp4').on('message', () => (counts.udp += 1));
    const tcp = createServer((socket) => {
      counts.tcp += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    return {
      counts,
      udpPort: udp.address().port,
      tcpPort: (tcp.address() as AddressInfo).port,
      close: () => {
        udp.close();
        tcp.close();
      },
    };
  }

  /** Ways out that a policy for requests does not see, and one that is watched until its end. */
  const leak = ({ udpPort, tcpPort }: { udpPort: number; tcpPort: number }) => `(async () => {
    const connect = (rel, extra = {}) => Object.assign(document.head.appendChild(document.createElement('link')),
      { rel, href: 'http://127.0.0.1:${tcpPort}/', ...extra });
    for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'prerender', 'modulepreload', 'icon']) connect(rel);
    connect('preconnect', { crossOrigin: 'anonymous' });
    connect('preload', { as: 'image' });
    const outcomes = [];
    const servers = ['stun:127.0.0.1:${udpPort}', 'turn:127.0.0.1:${udpPort}?transport=udp', 'turn:127.0.0.1:${tcpPort}?transport=tcp'];
    for (const urls of servers) {
      const connection = new RTCPeerConnection({ iceServers: [{ urls, username: 'u', credential: 'c' }] });
      connection.createDataChannel('x');
      const ended = new Promise((resolve) => {
        connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve('complete');
        setTimeout(() => resolve('timeout'), 5000);
      });
      await connection.setLocalDescription(await connection.createOffer());
      await connection.addIceCandidate({ candidate: 'candidate:1 1 udp 2122260223 127.0.0.1 ${udpPort} typ host', sdpMid: '0' }).catch(() => undefined);
      outcomes.push(await ended);
    }
    outcomes.push(await fetch('http://127.0.0.1:${tcpPort}/').then(() => 'fetched', () => 'refused'));
    return outcomes;
  })()`;

  it('sends nothing over the network: no hint, no packet of WebRTC', async () => {
    const panel = await panels.launch();
    const listener = await listen();
    const outcomes = await panel.page.evaluate<string[]>(leak(listener));
    expect(outcomes.at(-1)).toBe('refused');
    // Hints come without an answer, so a request to ourselves, sent after them, ends the wait.
    await panel.page.evaluate('fetch(location.href).then(() => undefined)');
    listener.close();
    expect(listener.counts).toEqual({ udp: 0, tcp: 0 });
  });

  it('asks nobody for the address of a name', async () => {
    const panel = await panels.launch();
    const answer = await panel.app.evaluate(({ session }) =>
      session.defaultSession.resolveHost('a-secret-in-a-name.example').then(
        () => 'resolved',
        (error: unknown) => String(error),
      ),
    );
    // Refusal shows that not even the system was asked: one without a network says ERR_NAME_NOT_RESOLVED.
    expect(answer).toContain('ERR_CONNECTION_REFUSED');
  });
});
