import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeCheckout, until } from '../../scripts/fake-checkout.mjs';
import { StubRegistry } from './stub-registry.mjs';

const PROGRAMS = join(import.meta.dirname, '../../fixtures/launcher/programs.mjs');
/** Promised to people on a machine that is not busy; starts of npm come on top, because they take what the machine takes. */
const TOLD_WITHIN_MS = 15_000;
/** npm starts one after the other until a failure is told: two questions to the registry, one for its address. */
const NPM_STARTS = 3;
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
  await serve(0);
});
afterEach(async () => {
  await registry.close();
  await checkout.dispose();
});

/** Has the checkout want the packages of the launcher from a registry, and so many others. */
async function serve(others) {
  await registry?.close();
  const more = Array.from({ length: others }, (_, index) => ({ name: `other-${index}`, files: {} }));
  registry = new StubRegistry([...packagesOf(join(checkout.path, 'node_modules')), ...more]);
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
}

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
    { name: 'vite', files: { 'bin/vite.js': program('buildBridge') } },
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

/** How long this machine takes now to start npm, which says nothing of a failure. */
function startOfNpmMs() {
  const at = performance.now();
  execFileSync(npm, ['config', 'get', 'registry'], { env: { PATH: process.env.PATH, HOME: checkout.base } });
  return performance.now() - at;
}

/** The start that follows gets to the running app. */
async function startsWell() {
  registry.mode = 'ok';
  const run = start();
  const appRuns = () => checkout.trace.some((line) => line.startsWith('app runs'));
  await until(
    () => appRuns() || run.child.exitCode !== null,
    () => run.output,
    180_000,
  );
  expect(appRuns(), run.output).toBe(true);
  run.child.kill('SIGINT');
  expect(await run.ended).toBe(0);
}

describe.skipIf(!isPosix)('npm start whose npm ci fails', () => {
  const STUB = 'the package registry http://127.0.0.1:';
  const viaProxy = (registryUrl) => (url) => ({ proxy: url, https_proxy: url, registry: registryUrl });

  it.each([
    {
      what: 'sign-in at the registry',
      mode: 401,
      said: [STUB, 'asks for a sign-in (E401)', 'npm login --registry=http'],
    },
    { what: 'no access', mode: 403, said: [STUB, 'refuses access (E403)', 'an account that may read there'] },
    { what: 'no package', mode: 404, said: [STUB, '@1.0.0 (E404)', 'npm config set registry'] },
    {
      what: 'no version',
      mode: 'other-version',
      said: [STUB, '@1.0.0 (ETARGET)', 'npm config set registry'],
    },
    {
      what: 'an error of the registry',
      mode: 503,
      said: [STUB, 'an error of its own (E503)', 'Wait a minute'],
    },
    {
      what: 'sign-in at a proxy',
      mode: 407,
      settings: viaProxy('http://registry.invalid/'),
      said: ['the proxy on the way to the package registry http://registry.invalid asks for a sign-in (407)'],
    },
    {
      // By itself npm meets the refusal once for each package, and says nothing meanwhile.
      what: 'sign-in at a proxy before TLS, of many packages',
      mode: 407,
      others: 640,
      settings: viaProxy('https://registry.invalid/'),
      said: [
        'the package registry https://registry.invalid asks for a sign-in (407)',
        'npm config set https-proxy',
      ],
    },
    {
      what: 'other content',
      mode: 'checksum',
      said: ['its checksum differs (EINTEGRITY)', '"npm cache verify"'],
    },
    {
      what: 'no connection',
      settings: () => ({ registry: 'http://127.0.0.1:9/' }),
      said: ['the package registry http://127.0.0.1:9 cannot be reached (ECONNREFUSED)', 'Check the network'],
    },
  ])('says so in time, and the next start works: $what', async ({ mode = 'ok', others, settings, said }) => {
    if (others !== undefined) await serve(others);
    registry.mode = mode;
    const run = start(settings?.(registry.url));
    expect(await run.ended).toBe(1);
    const toldMs = performance.now() - run.at;
    for (const words of said) expect(run.output).toContain(words);
    expect(run.output).not.toContain('npm error');
    expect(toldMs).toBeLessThan(TOLD_WITHIN_MS + NPM_STARTS * startOfNpmMs());
    await startsWell();
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
