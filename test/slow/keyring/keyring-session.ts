import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../fixtures/fixture-server.ts';

const isThere = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;

/** Whether this machine has what the tests need. */
export const hasKeyring = ['gnome-keyring-daemon', 'dbus-daemon', 'gdbus'].every(isThere);
export const hasDisplay = isThere('Xvfb');

/** A bus without services, as `dbus-daemon` is told it. */
const BARE = `<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>`;

/** A person's session: a home, and a bus with a keyring or without. */
export class KeyringSession {
  readonly home = mkdtempSync(join(tmpdir(), 'keyring-'));
  readonly #children: ChildProcess[] = [];
  #address = '';
  #display: string | undefined;

  constructor() {
    mkdirSync(join(this.home, 'run'), { mode: 0o700 });
  }

  /** Variables of a program of this session. */
  get env(): NodeJS.ProcessEnv {
    const own = {
      HOME: this.home,
      XDG_RUNTIME_DIR: join(this.home, 'run'),
      DBUS_SESSION_BUS_ADDRESS: this.#address,
    };
    return { ...process.env, ...own, WAYLAND_DISPLAY: undefined, DISPLAY: this.#display };
  }

  async openDisplay(): Promise<void> {
    const child = this.#start('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp']);
    this.#display = `:${await firstLine(child)}`;
  }

  async openBus(kind: 'with services' | 'bare' = 'with services'): Promise<void> {
    const config = join(this.home, 'bus.conf');
    writeFileSync(config, BARE);
    const which = kind === 'bare' ? `--config-file=${config}` : '--session';
    this.#address = await firstLine(this.#start('dbus-daemon', [which, '--nofork', '--print-address=1']));
  }

  /** A bus that takes connections and never says a word. */
  async openMuteBus(): Promise<void> {
    const server = createServer(() => undefined).listen(join(this.home, 'mute'));
    await once(server, 'listening');
    server.unref();
    this.#address = `unix:path=${join(this.home, 'mute')}`;
  }

  /** Starts the keyring, open or locked. Without the wait, the first question starts a second one. */
  async startKeyring(kind: 'open' | 'locked'): Promise<ChildProcess> {
    const mode = kind === 'open' ? '--unlock' : '--start';
    const child = this.#start('gnome-keyring-daemon', [mode, '--foreground', '--components=secrets']);
    child.stdin?.end('pass');
    await waitUntil(() => this.#hasService(), { deadlineMs: 10_000, describe: 'the secret service' });
    return child;
  }

  dispose(): void {
    for (const child of this.#children.reverse()) child.kill('SIGKILL');
    // What the bus has started.
    for (const pid of processesWith(`DBUS_SESSION_BUS_ADDRESS=${this.#address}`, 'environ'))
      if (pid !== process.pid) spawnSync('kill', ['-9', String(pid)]);
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  #hasService(): boolean {
    const place = ['--dest', 'org.freedesktop.DBus', '--object-path', '/'];
    const method = ['--method', 'org.freedesktop.DBus.NameHasOwner', 'org.freedesktop.secrets'];
    const said = execFileSync('gdbus', ['call', '--session', ...place, ...method], { env: this.env });
    return said.toString().includes('true');
  }

  #start(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, { env: this.env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#children.push(child);
    return child;
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  let said = '';
  child.stdout?.on('data', (part: Buffer) => (said += part.toString()));
  await waitUntil(() => said.includes('\n'), { deadlineMs: 10_000, describe: 'the first line' });
  return said.split('\n')[0]!.trim();
}

/** Pids of processes whose command line or environment holds a text. */
export function processesWith(text: string, file: 'cmdline' | 'environ' = 'cmdline'): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}
