import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { note } from './entry.mjs';
import { findOnPath } from './paths.mjs';
import { captureCommand } from './run-command.mjs';

const START_LIMIT_MS = 30_000;
const END_LIMIT_MS = 15_000;
const STEP_MS = 200;
/** Folders with programs that may be missing from the PATH of an ordinary account. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/sbin', '/usr/local/sbin'];

/**
 * Container engines (docker, podman) that one test run starts for itself, in a separate folder. Includes what their tests also
 * need: an SSH server through which the docker engine is reached, and an image registry. The machine's own engines are neither
 * read nor changed.
 */
export class OwnEngines {
  /** Variables for the tests, and for every client of these engines. @type {Record<string, string>} */
  env = {};
  // The folder is directly in the temporary folder to keep its path short: the path of a Unix socket may have at most 107
  // bytes.
  #folder = mkdtempSync(join(tmpdir(), 'mcp-engines-'));
  /** Files with the pids of what was started, in order. @type {string[]} */
  #pidFiles = [];

  /** @param {NodeJS.ProcessEnv} outer */
  constructor(outer) {
    mkdirSync(this.#path('bin'));
    this.env = { PATH: [this.#path('bin'), outer.PATH, ...SYSTEM_FOLDERS].join(delimiter) };
  }

  /** Starts an engine. @param {string} engine `docker` or `podman` @returns {Promise<boolean>} whether it answers */
  async start(engine) {
    return engine === 'docker' ? this.#startDocker() : this.#startPodman();
  }

  /** Starts an SSH server on the loopback interface, by which tests reach the docker engine in `env` as if it were remote. */
  async startSsh() {
    const sshd = find('sshd');
    if (!sshd || !find('ssh')) return this.#lacks('sshd', 'openssh-server');
    const port = await freePort();
    const [hostKey, key] = [this.#path('host-key'), this.#path('key')];
    for (const file of [hostKey, key])
      await this.#ask('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', file);
    mkdirSync('/run/sshd', { recursive: true });
    const pidFile = this.#path('sshd.pid');
    const settings = this.#write('sshd_config', [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${key}.pub`,
      `PidFile ${pidFile}`,
      'PasswordAuthentication no',
      'StrictModes no',
      'MaxStartups 100',
      'MaxSessions 200',
      `SetEnv PATH=${this.env['PATH']} DOCKER_HOST=${this.env['DOCKER_HOST']}`,
    ]);
    const client = this.#write('ssh_config', [
      'Host 127.0.0.1',
      `Port ${port}`,
      'User root',
      `IdentityFile ${key}`,
      'IdentitiesOnly yes',
      `UserKnownHostsFile ${this.#path('known')}`,
      'StrictHostKeyChecking accept-new',
    ]);
    // `ssh` reads the settings in the account's home folder even if HOME is another folder. This wrapper names the test's
    // settings instead.
    this.#program('ssh', `exec ${find('ssh')} -F ${client} "$@"`);
    await this.#ask(sshd, '-f', settings, '-E', this.#path('sshd.log'));
    this.#pidFiles.push(pidFile);
    this.env['MCP_CONTROL_PANEL_SSHD'] = pidFile;
    this.env['MCP_CONTROL_PANEL_ELSEWHERE'] = `${this.env['DOCKER_HOST']} ssh://root@127.0.0.1:${port}`;
    return true;
  }

  /** Starts an image registry on the loopback interface. */
  async startRegistry() {
    const program = find('docker-registry');
    if (!program) return this.#lacks('docker-registry', 'docker-registry');
    const address = `127.0.0.1:${await freePort()}`;
    const storage = `{ filesystem: { rootdirectory: ${this.#path('registry')} } }`;
    const settings = this.#write('registry.yml', [
      'version: 0.1',
      `storage: ${storage}`,
      `http: { addr: "${address}" }`,
    ]);
    this.#spawn('registry', program, ['serve', settings]);
    this.env['MCP_CONTROL_PANEL_REGISTRY'] = address;
    return this.#until(() => fetch(`http://${address}/v2/`).then(({ ok }) => ok));
  }

  /**
   * Ends everything that was started, with all containers, and removes the folder. It also works after the run was interrupted.
   */
  async end() {
    for (const engine of ['docker', 'podman'])
      if (this.#pidFiles.includes(this.#path(`${engine}.pid`))) this.#removeContainers(engine);
    for (const file of this.#pidFiles.reverse()) await endByFile(file);
    // Folders that an engine has left mounted cannot be removed, so they are unmounted first.
    const mounts = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '');
    for (const mount of mounts.filter((path) => path.startsWith(`${this.#folder}/`)).reverse())
      spawnSync('umount', ['--lazy', mount]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #startDocker() {
    const program = find('dockerd');
    if (!program || !find('docker')) return this.#lacks('dockerd', 'docker.io');
    const socket = `unix://${this.#path('docker.sock')}`;
    const pidFile = this.#path('docker.pid');
    const places = [
      '--data-root',
      this.#path('docker'),
      '--exec-root',
      this.#path('exec'),
      '--pidfile',
      pidFile,
    ];
    const settings = ['--config-file', this.#write('daemon.json', ['{}']), '--host', socket];
    const network = ['--bridge=none', '--iptables=false', '--ip6tables=false'];
    const words = [program, ...places, ...settings, ...network, '--exec-opt', 'native.cgroupdriver=cgroupfs'];
    const start = `setsid ${words.join(' ')} >>${this.#path('docker.log')} 2>&1 </dev/null &`;
    this.#pidFiles.push(pidFile);
    Object.assign(this.env, {
      DOCKER_HOST: socket,
      MCP_CONTROL_PANEL_DOCKERD: pidFile,
      MCP_CONTROL_PANEL_DOCKERD_START: `${start} until docker version >/dev/null 2>&1; do sleep 0.2; done`,
    });
    await this.#ask('/bin/sh', '-c', start);
    return this.#until(() => this.#ask('docker', 'version'));
  }

  async #startPodman() {
    const program = find('podman');
    if (!program) return this.#lacks('podman', 'podman');
    mkdirSync(this.#path('podman'));
    const place = (/** @type {string} */ name) => `"${this.#path('podman', name)}"`;
    const storage = this.#write('storage.conf', [
      '[storage]',
      'driver = "overlay"',
      `graphroot = ${place('root')}`,
      `runroot = ${place('run')}`,
    ]);
    // The settings replace Podman's defaults, which need systemd, a network and more open files than a sandbox allows. runc is
    // used on a machine with both versions of cgroups, because crun refuses such a machine.
    const isUnified = existsSync('/sys/fs/cgroup/cgroup.controllers');
    const settings = this.#write('containers.conf', [
      '[engine]',
      'cgroup_manager = "cgroupfs"',
      'events_logger = "file"',
      `runtime = "${isUnified ? 'crun' : 'runc'}"`,
      `tmp_dir = ${place('tmp')}`,
      `static_dir = ${place('static')}`,
      `volume_path = ${place('volumes')}`,
      '[containers]',
      'netns = "none"',
      'log_driver = "k8s-file"',
      'default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]',
    ]);
    this.#program(
      'podman',
      `CONTAINERS_CONF=${settings} CONTAINERS_STORAGE_CONF=${storage} exec ${program} "$@"`,
    );
    const socket = `unix://${this.#path('podman.sock')}`;
    this.#spawn('podman', this.#path('bin', 'podman'), ['system', 'service', '--time=0', socket]);
    return this.#until(() => this.#ask('podman', '--remote', '--url', socket, 'version'));
  }

  /**
   * Removes all containers. It runs synchronously, because captureCommand() starts no command after an interruption.
   * @param {string} engine
   */
  #removeContainers(engine) {
    const options = /** @type {const} */ ({ env: this.#environment(), encoding: 'utf8' });
    const { stdout } = spawnSync(engine, ['ps', '--all', '--quiet'], options);
    const ids = (stdout ?? '').split('\n').filter((id) => id !== '');
    if (ids.length > 0) spawnSync(engine, ['rm', '--force', ...ids], options);
  }

  /** @param {string} name @param {string} program @param {readonly string[]} args */
  #spawn(name, program, args) {
    const log = openSync(this.#path(`${name}.log`), 'a');
    const child = spawn(program, args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: this.#environment(),
    });
    child.unref();
    this.#pidFiles.push(this.#write(`${name}.pid`, [String(child.pid)]));
  }

  /** @param {string} command @param {...string} args @returns {Promise<boolean>} whether the command succeeded */
  async #ask(command, ...args) {
    return (await captureCommand(command, args, { env: this.#environment() })).code === 0;
  }

  #environment() {
    return { ...process.env, ...this.env };
  }

  /** @param {() => Promise<boolean>} answers */
  async #until(answers) {
    const endAtMs = Date.now() + START_LIMIT_MS;
    while (Date.now() < endAtMs) {
      if (await answers().catch(() => false)) return true;
      await delay(STEP_MS);
    }
    return false;
  }

  /** @param {string} program @param {string} debianPackage */
  #lacks(program, debianPackage) {
    note(`${program} is not installed (Debian: apt-get install ${debianPackage})`);
    return false;
  }

  /** @param {string} name @param {string} line */
  #program(name, line) {
    const file = this.#write(join('bin', name), ['#!/bin/sh', line]);
    chmodSync(file, 0o755);
  }

  /** @param {string} name @param {readonly string[]} lines */
  #write(name, lines) {
    const file = this.#path(name);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  }

  /** @param {...string} names */
  #path(...names) {
    return join(this.#folder, ...names);
  }
}

/** @param {string} program */
const find = (program) => findOnPath(program, SYSTEM_FOLDERS);

/** Asks a process to end, and kills it if that takes too long. @param {string} pidFile */
async function endByFile(pidFile) {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const endAtMs = Date.now() + END_LIMIT_MS;
  signal(pid, 'SIGTERM');
  while (signal(pid, 0) && Date.now() < endAtMs) await delay(STEP_MS);
  signal(pid, 'SIGKILL');
}

/** @param {number} pid @param {NodeJS.Signals | 0} name @returns {boolean} whether the process exists */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // The process has already ended.
  }
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  return port;
}
