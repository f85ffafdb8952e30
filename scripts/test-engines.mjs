// `npm run test:engines`: tests containers of this machine's real engines, docker and podman, if they are on the PATH and their
// engine answers; else the tests are skipped with a message. Leaves an image of its own in the engine. The last line on stdout
// is `N passed, N failed, N skipped`.
import { note, runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { inModules } from './lib/paths.mjs';
import { captureCommand } from './lib/run-command.mjs';
import { runLane, skipLane } from './lib/run-step.mjs';

const ENGINES = ['docker', 'podman'];
/** Tests that need more than an engine, by the variable that names it; docs/development.md says how. */
const ON_REQUEST = {
  MCP_CONTROL_PANEL_REGISTRY: 'pulls',
  MCP_CONTROL_PANEL_DOCKERD: 'the return of an engine that is killed',
};
/** Maximum milliseconds for a client whose engine hangs, because the test would wait for ever. */
const ANSWER_LIMIT_MS = 20_000;

/** @type {import('./lib/test-steps.mjs').Step} */
const STEP = {
  name: 'engines',
  kind: 'vitest',
  args: [inModules('vitest', 'vitest.mjs'), 'run', '--project', 'engines'],
};

await runEntry(async () => {
  const engines = [];
  // The image contains this machine's own Node, which only a Linux container can run.
  if (process.platform === 'linux')
    for (const engine of ENGINES) if (await answers(engine)) engines.push(engine);
  if (engines.length === 0)
    return skipLane(`neither ${ENGINES.join(' nor ')} is here with an engine that answers`);
  await ensureInstalled();
  note(`testing containers of ${engines.join(' and ')}`);
  for (const [name, tests] of Object.entries(ON_REQUEST))
    if (!process.env[name]) note(`skipping ${tests}: ${name} is not set`);
  const env = { ...process.env, MCP_CONTROL_PANEL_ENGINES: engines.join(' ') };
  const patterns = process.argv.slice(2);
  return runLane(STEP, { node: await ensurePinnedNode(), env, patterns });
});

/** @param {string} engine */
async function answers(engine) {
  /** @type {NodeJS.Timeout | undefined} */
  let limit;
  try {
    const { code } = await captureCommand(engine, ['ps', '--quiet'], {
      onStart: (_child, group) => (limit = setTimeout(() => group.kill(), ANSWER_LIMIT_MS)),
    });
    return code === 0;
  } catch {
    return false; // The engine's client is not installed.
  } finally {
    clearTimeout(limit);
  }
}
