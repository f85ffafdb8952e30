// `npm run test:engines`: tests containers with real engines, docker and podman. If it runs as root, the engines are installed
// and DOCKER_HOST names no other engine, it starts engines only for this run. Otherwise it uses the engines of this machine,
// which then keep an image of the tests. If there is no engine, the tests are skipped with a message. The last line on stdout
// is `N passed, N failed, N skipped`.
import { note, runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { OwnEngines } from './lib/own-engines.mjs';
import { inModules } from './lib/paths.mjs';
import { captureCommand } from './lib/run-command.mjs';
import { runLane, skipLane } from './lib/run-step.mjs';

const ENGINES = ['docker', 'podman'];
/** Tests that need more than an engine, keyed by the variable that enables them; docs/development.md explains how. */
const ON_REQUEST = {
  MCP_CONTROL_PANEL_SSHD: 'an engine reached by SSH',
  MCP_CONTROL_PANEL_REGISTRY: 'pulls',
  MCP_CONTROL_PANEL_DOCKERD: 'the return of an engine that is killed',
};
/** Maximum milliseconds to wait for an engine's client program, which would otherwise wait forever if the engine hangs. */
const ANSWER_LIMIT_MS = 20_000;

/** @type {import('./lib/test-steps.mjs').Step} */
const STEP = {
  name: 'engines',
  kind: 'vitest',
  args: [inModules('vitest', 'vitest.mjs'), 'run', '--project', 'engines'],
};

await runEntry(async () => {
  // The tests' image contains this machine's own Node, which a container can run only if this machine runs Linux.
  const isLinux = process.platform === 'linux';
  const own = isLinux && process.getuid?.() === 0 ? new OwnEngines(process.env) : undefined;
  try {
    return await testEngines(isLinux ? ENGINES : [], own);
  } finally {
    await own?.end();
  }
});

/** @param {readonly string[]} names @param {OwnEngines | undefined} own @returns {Promise<number>} the exit code */
async function testEngines(names, own) {
  const engines = [];
  for (const name of names) {
    const isNamed = name === 'docker' && process.env['DOCKER_HOST'] !== undefined;
    // An engine started for this run has precedence: podman answers without any engine, even if it cannot run a container.
    if ((!isNamed && (await own?.start(name))) || (await answers(name))) engines.push(name);
  }
  if (engines.length === 0)
    return skipLane(`neither ${ENGINES.join(' nor ')} is here with an engine that answers`);
  if (own?.env['DOCKER_HOST'] && !process.env['MCP_CONTROL_PANEL_ELSEWHERE']) await own.startSsh();
  if (!process.env['MCP_CONTROL_PANEL_REGISTRY']) await own?.startRegistry();
  await ensureInstalled();
  note(`testing containers of ${engines.join(' and ')}`);
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, ...own?.env, MCP_CONTROL_PANEL_ENGINES: engines.join(' ') };
  for (const [name, tests] of Object.entries(ON_REQUEST))
    if (!env[name]) note(`skipping ${tests}: ${name} is not set`);
  const patterns = process.argv.slice(2);
  return runLane(STEP, { node: await ensurePinnedNode(), env, patterns });
}

/** @param {string} engine */
async function answers(engine) {
  try {
    const { code } = await captureCommand(engine, ['ps', '--quiet'], { limitMs: ANSWER_LIMIT_MS });
    return code === 0;
  } catch {
    return false; // The engine's client is not installed.
  }
}
