// `npm run test:windows [-- FILE…]`: runs the unit tests and the tests on real processes in test/core, test/shell, test/shared
// and test/structure with a Windows Node. On Windows it uses the system itself, elsewhere wine in a folder that it sets up, the
// lane (docs/decisions/0060). The last line on stdout is `N passed, N failed, N skipped`.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDirectoryLock } from './lib/directory-lock.mjs';
import { note, print, runEntry, ScriptError } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { checkoutCache, projectRoot } from './lib/paths.mjs';
import { captureCommand } from './lib/run-command.mjs';
import { findLaneTools, laneFolders } from './lib/windows-lane/lane.mjs';
import { summarise } from './lib/windows-lane/lane-report.mjs';
import { prepareLane, WINDOWS_NODE } from './lib/windows-lane/prepare-lane.mjs';
import { runChunks, wholeLane } from './lib/windows-lane/run-chunks.mjs';
import { wineEnvironment } from './lib/windows-lane/wine.mjs';

await runEntry(async () => {
  const patterns = process.argv.slice(2);
  const option = patterns.find((pattern) => pattern.startsWith('-'));
  if (option !== undefined)
    throw new ScriptError(`"${option}" is no option of npm run test:windows.`, 'It takes test files.');
  return process.platform === 'win32' ? testOnWindows(patterns) : testUnderWine(patterns);
});

/** @param {string[]} patterns */
async function testOnWindows(patterns) {
  await ensureInstalled();
  const command = await ensurePinnedNode();
  const results = join(checkoutCache, 'windows-lane');
  const lane = { command, args: [], cwd: projectRoot, env: process.env, results, options: [] };
  return runAndTell(lane, `Windows, Node ${process.version}`, patterns);
}

/** @param {string[]} patterns */
async function testUnderWine(patterns) {
  const found = findLaneTools();
  if ('reason' in found) {
    print(`tests on a Windows Node are skipped: ${found.reason}`);
    return 0;
  }
  const { tools } = found;
  const lane = laneFolders();
  mkdirSync(lane.root, { recursive: true });
  return withDirectoryLock(join(lane.root, 'lock'), 'using the Windows lane', async () => {
    const env = wineEnvironment(lane);
    try {
      await prepareLane(lane, tools);
      const wine = (await captureCommand(tools.wine, ['--version'], { env })).stdout.trim();
      // One worker is used, because a second one gains little on two cores, and the tests on real processes mostly wait.
      const options = ['--maxWorkers=1', '--no-isolate'];
      const start = {
        command: tools.wine,
        args: [lane.node],
        cwd: lane.tree,
        env,
        results: lane.results,
        options,
      };
      return await runAndTell(start, `Windows Node ${WINDOWS_NODE.version} under ${wine}`, patterns);
    } finally {
      // Ending wine's server also ends the processes that a test left running.
      await captureCommand(tools.wineserver, ['-k'], { env });
    }
  });
}

/** @param {import('./lib/windows-lane/run-chunks.mjs').Lane} lane @param {string} system @param {string[]} patterns */
async function runAndTell(lane, system, patterns) {
  mkdirSync(lane.results, { recursive: true });
  const chunks = patterns.length > 0 ? [{ name: patterns.join(' '), patterns }] : wholeLane(listCore());
  const results = await runChunks(lane, chunks, print);
  const { lines, counts } = summarise(system, results);
  const report = join(lane.results, 'report.json');
  writeFileSync(
    report,
    JSON.stringify({ testResults: results.flatMap((result) => result.report?.testResults ?? []) }),
  );
  note(`reports of each test are in "${report}"`);
  for (const line of lines) print(line);
  return counts.failed > 0 ? 1 : 0;
}

/** Returns the test files of the core, relative to the checkout, with slashes. */
function listCore() {
  const names = readdirSync(join(projectRoot, 'test', 'core'), { recursive: true, encoding: 'utf8' });
  return names.map((name) => `test/core/${name.replaceAll('\\', '/')}`);
}
