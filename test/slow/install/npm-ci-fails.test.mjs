import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeCheckout, until } from '../../scripts/fake-checkout.mjs';
import { StubRegistry } from './stub-registry.mjs';

const PROGRAMS = join(import.meta.dirname, '../../fixtures/launcher/programs.mjs');
/** Promised to people on a machine that is not busy; a start of npm counts besides, because it takes what the machine takes. */
const TOLD_WITHIN_MS = 15_000;
const isPosix = process.platform !== 'win32';
const npm = isPosix ? execFileSync('/bin/sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim() : '';

/** @type {FakeCheckout} */
let checkout;
/** @type {StubRegistry} */
let registry;
let npmCalls = '';
beforeEach(async () => {
  checkout = new FakeCheckout();
  await checkout.openDisplay();
  registry = new StubRegistry(packagesOf(join(checkout.path, 'node_modules')));
  await registry.open();
  const { lock } = registry;
  const { devDependencies } = lock;
  write(
    'package.json',
    JSON.stringify({ name: 'checkout', version: '0.0.0', type: 'module', devDependencies }),
  );
  write('package-lock.json', JSON.stringify(lock));
  // As this project's own.
  write('.npmrc', 'fund=false\naudit=false\nomit-lockfile-registry-resolved=true\n');
  npmCalls = join(checkout.base, 'npm-calls');
  const wrapper = join(checkout.base, 'bin', 'npm');
  writeFileSync(wrapper, `#!/bin/sh\necho "$1 $$" >> '${npmCalls}'\nexec '${npm}' "$@"\n`);
  chmodSync(wrapper, 0o755);
});
afterEach(async () => {
  await registry.close();
  await checkout.dispose();
});

function write(name, content) {
  mkdirSync(checkout.path, { recursive: true });
  writeFileSync(join(checkout.path, name), content);
}

/** What the launcher looks for among the packages, served by a registry. */
function packagesOf(modules) {
  const program = (name) =>
    `import(${JSON.stringify(PROGRAMS)}).then((programs) => programs.${name}(${JSON.stringify(modules)}));\n`;
  return [
    { name: 'electron', files: { 'install.js': program('installElectron') } },
    { name: 'electron-vite', files: { 'bin/electron-vite.js': program('build') } },
    { name: 'node', files: { 'bin/node': `#!/bin/sh\nexec '${process.execPath}' "$@"\n` } },
  ];
}

/** `npm start` with the npm of this machine, which has a home and a cache of its own and knows the stub alone. */
function start(settings = {}) {
  const config = Object.entries({ registry: registry.url, update_notifier: 'false', ...settings });
  const env = Object.fromEntries(config.map(([name, value]) => [`npm_config_${name}`, value]));
  const at = performance.now();
  return Object.assign(checkout.start({ npm_execpath: '', ...env }), { at });
}

/** The start that follows gets to the running app. @returns how long it took */
async function startsWell() {
  registry.mode = 'ok';
  const run = start();
  await until(
    () => checkout.trace.some((line) => line.startsWith('app runs')),
    () => run.output,
    90_000,
  );
  const tookMs = performance.now() - run.at;
  run.child.kill('SIGINT');
  expect(await run.ended).toBe(0);
  return tookMs;
}

describe.skipIf(!isPosix)('npm start whose npm ci fails', () => {
  const viaProxy = (url) => ({ proxy: url, https_proxy: url });
  const stub = 'the package registry http://127.0.0.1:PORT';
  const secure = 'the package registry https://registry.invalid';

  it.each([
    [
      'sign-in at the registry',
      401,
      () => ({}),
      `${stub} asks for a sign-in (E401)`,
      'npm login --registry=http',
    ],
    [
      'no access',
      403,
      () => ({}),
      `${stub}, or a proxy on the way, refuses access (E403)`,
      'an account that may read',
    ],
    ['no package', 404, () => ({}), `${stub} does not have electron@1.0.0 (E404)`, 'npm config set registry'],
    ['no version', 'other-version', () => ({}), `(ETARGET)`, 'npm config set registry'],
    [
      'an error of the registry',
      503,
      () => ({}),
      `${stub} answers with an error of its own (E503)`,
      'Wait a minute',
    ],
    [
      'sign-in at a proxy',
      407,
      (url) => ({ ...viaProxy(url), registry: 'http://registry.invalid/' }),
      'the proxy on the way to the package registry http://registry.invalid asks for a sign-in (407)',
      'npm config set https-proxy',
    ],
    [
      'sign-in at a proxy before TLS',
      407,
      (url) => ({ ...viaProxy(url), registry: 'https://registry.invalid/' }),
      `the proxy on the way to ${secure} asks for a sign-in (407)`,
      'npm config set https-proxy',
    ],
    ['other content', 'checksum', () => ({}), 'its checksum differs (EINTEGRITY)', '"npm cache verify"'],
    [
      'no connection',
      'ok',
      () => ({ registry: 'http://127.0.0.1:9/' }),
      'the package registry http://127.0.0.1:9 cannot be reached (ECONNREFUSED)',
      'Check the network',
    ],
  ])('says so in time, and the next start works: %s', async (_name, mode, settings, message, remedy) => {
    registry.mode = mode;
    const run = start(settings(registry.url));
    const code = await run.ended;
    const toldMs = performance.now() - run.at;
    const port = new URL(registry.url).port;
    expect(code).toBe(1);
    expect(run.output).toContain(message.replace('PORT', port));
    expect(run.output).toContain(remedy);
    expect(run.output).not.toContain('npm error');
    const wellMs = await startsWell();
    expect(toldMs).toBeLessThan(TOLD_WITHIN_MS + wellMs);
  });

  it('says so in time, and the next start works: npm is killed', async () => {
    registry.mode = 'hang';
    const run = start();
    const pid = () => /^ci (\d+)$/m.exec(read(npmCalls))?.[1];
    await until(
      () => pid() !== undefined && registry.requests > 0,
      () => run.output,
      60_000,
    );
    process.kill(Number(pid()), 'SIGKILL');
    const killedAt = performance.now();
    expect(await run.ended).toBe(1);
    expect(performance.now() - killedAt).toBeLessThan(TOLD_WITHIN_MS);
    expect(run.output).toContain('npm ended with signal SIGKILL, without a message');
    expect(run.output).toContain('Another program ended npm');
    await startsWell();
  });
});

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
