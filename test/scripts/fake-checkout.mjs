import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const STAND_INS = join(REPOSITORY, 'test', 'fixtures', 'launcher');
const DEADLINE_MS = 15_000;
const X_PORT = 6000;

/**
 * Launcher as it is, in a checkout of its own, with stand-ins for npm, the bundler, Electron and the system's
 * tools (test/fixtures/launcher), started as a real process.
 */
export class FakeCheckout {
  base = mkdtempSync(join(tmpdir(), 'launcher-test-'));
  path = join(this.base, 'checkout');
  home = join(this.base, 'home');
  #traceFile = join(this.base, 'trace');
  #runs = [];
  #display;

  constructor() {
    cpSync(join(REPOSITORY, 'scripts'), join(this.path, 'scripts'), { recursive: true });
    const examples = join('shared', 'example-servers.json');
    this.#write(join('checkout', examples), readFileSync(join(REPOSITORY, examples), 'utf8'));
    this.#write('checkout/package.json', JSON.stringify({ type: 'module' }));
    const packages = { 'node_modules/electron': { version: '1.0.0' } };
    this.#write('checkout/package-lock.json', JSON.stringify({ packages }));
    this.#write('npm/npm-cli.js', `import(${JSON.stringify(join(STAND_INS, 'npm.mjs'))});\n`);
    this.#command('ldd', `[ -e "$FAKE_APT_DONE" ] || echo "$FAKE_LDD"`);
    this.#command('ldconfig', 'echo libgtk-3.so.0');
    this.#command('apt-cache', ':');
    this.#command('apt-get', `exec '${process.execPath}' '${join(STAND_INS, 'apt-get.mjs')}' "$@"`);
    this.#write('trace', '');
  }

  async openDisplay() {
    this.#display = createServer().listen(0, '127.0.0.1');
    await once(this.#display, 'listening');
  }

  /** Runs `npm start` as a process that a test can signal. */
  start(env = {}) {
    const display = this.#display ? `127.0.0.1:${this.#display.address().port - X_PORT}` : '';
    const child = spawn(process.execPath, [join(this.path, 'scripts', 'start.mjs')], {
      env: {
        PATH: `${join(this.base, 'bin')}:${process.env.PATH}`,
        HOME: this.base,
        DISPLAY: display,
        MCP_CONTROL_PANEL_HOME: this.home,
        npm_execpath: join(this.base, 'npm', 'npm-cli.js'),
        npm_node_execpath: process.execPath,
        FAKE_TRACE: this.#traceFile,
        FAKE_DEAF_MS: '300',
        FAKE_APT_DONE: join(this.base, 'apt-done'),
        FAKE_APT_MAY_END: join(this.base, 'apt-may-end'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const run = { child, output: '', ended: once(child, 'close').then(([code, signal]) => signal ?? code) };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (run.output += text));
    this.#runs.push(run);
    return run;
  }

  get trace() {
    return readFileSync(this.#traceFile, 'utf8').split('\n');
  }

  /** Waits for a line of the trace that begins so, and returns the numbers in the last such line. */
  async traced(beginning, times = 1) {
    const find = () => this.trace.filter((line) => line.startsWith(beginning));
    await until(
      () => find().length >= times,
      () => `"${beginning}" in ${this.trace}: ${this.#outputs()}`,
    );
    return find().at(-1).match(/\d+/g)?.map(Number) ?? [];
  }

  letAptEnd() {
    this.#write('apt-may-end', '');
  }

  has(...path) {
    return existsSync(join(this.path, ...path));
  }

  async dispose() {
    for (const { child } of this.#runs) if (child.exitCode === null) child.kill('SIGKILL');
    for (const pid of this.trace.flatMap((line) => line.match(/\d+/g) ?? []).map(Number))
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    this.#display?.close();
    rmSync(this.base, { recursive: true, force: true });
  }

  #outputs() {
    return this.#runs.map(({ output }) => output).join('\n');
  }

  #command(name, script) {
    this.#write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.base, 'bin', name), 0o755);
  }

  #write(path, content) {
    const file = join(this.base, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
  }
}

/** Whether the process runs. One that ended and that nobody has collected does not. */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    return error.code === 'ENOENT' && process.platform !== 'linux';
  }
}

export async function until(isSo, describe, limitMs = DEADLINE_MS) {
  const deadline = performance.now() + limitMs;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`never came: ${describe()}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}
