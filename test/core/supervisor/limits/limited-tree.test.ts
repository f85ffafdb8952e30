import { describe, expect, it } from 'vitest';
import { LimitGuard } from '../../../../electron/core/supervisor/limits/limit-guard.ts';
import { limitSampleOf } from '../../../../electron/core/supervisor/limits/limited-tree.ts';
import { packageRunOf } from '../../../../shared/package-run.ts';
import { sampleTree } from '../../../../electron/core/telemetry/tree-sample.ts';
import { panelSettingsSchema } from '../../../../shared/panel-settings.ts';
import { configOfLine } from '../../../support/config-of.ts';
import { BYTES_PER_MIB } from '../../../../shared/units.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { reading } from '../../telemetry/reading.ts';

interface Process {
  readonly command: string;
  readonly mib: number;
}

/** Limits of a chain of processes, each the child of the one before. */
function limitsOf(commandLine: string, ...processes: readonly Process[]) {
  const config = configOfLine(commandLine);
  const readings = processes.map(({ command, mib }, index) =>
    reading({ pid: 10 + index, ppid: 9 + index, command, privateBytes: mib * BYTES_PER_MIB, sharedBytes: 0 }),
  );
  const { tree } = sampleTree(undefined, readings, { epochMs: 0, nowMs: 0 });
  const { limits } = panelSettingsSchema.parse({ limits: { sustainedSamples: 1 } });
  const sample = limitSampleOf(tree, packageRunOf(config));
  const breaches: object[] = [];
  new LimitGuard({
    ...{ clock: createFakeClock(), server: 'x', settings: () => limits, awaitedCalls: () => 0 },
    logEvent: (kind, detail) => kind === 'limit-breached' && breaches.push(detail),
    onAct: () => undefined,
  }).sampled(sample);
  return {
    shownMib: (tree.sample.memoryBytes ?? 0) / BYTES_PER_MIB,
    judgedMib: (sample.memoryBytes ?? 0) / BYTES_PER_MIB,
    breach: breaches[0],
  };
}

describe('limitSampleOf', () => {
  const npm = { command: 'npm exec @sales', mib: 738 };
  const shell = { command: 'sh', mib: 1 };

  it('does not hold the memory of the installer against the server, and shows it', () => {
    const limits = limitsOf('npx -y @salesforce/mcp', npm, shell, { command: 'node', mib: 350 });
    expect(limits).toEqual({ shownMib: 1089, judgedMib: 351, breach: undefined });
  });

  it('holds the server to its limit all the same, and names it', () => {
    const { breach } = limitsOf('npx -y @salesforce/mcp', npm, shell, { command: 'node', mib: 1126 });
    expect(breach).toMatchObject({ limit: 'memory', holder: { pid: 12, command: 'node' } });
  });

  it('counts a runner that waits for no child', () => {
    expect(limitsOf('npx -y big', { command: 'npm exec big', mib: 1100 }).breach).toBeDefined();
  });

  it.each([
    ['npx big', 'node', 'node'],
    ['cmd /c npx big', 'cmd.exe', 'node'],
    ['pnpm dlx big', 'node', 'node'],
    ['bunx big', 'bun', 'bun'],
    ['uvx big', 'uv', 'python3'],
    ['sh -c npx', 'sh', 'npm exec big'],
  ])('knows the runner of %j, seen as %s', (commandLine, first, second) => {
    const isShell = first.startsWith('cmd') || first === 'sh';
    const [outer, inner] = isShell ? [1, 900] : [900, 200];
    const processes = [
      { command: first, mib: outer },
      { command: second, mib: inner },
      { command: 'x', mib: 300 },
    ];
    expect(limitsOf(commandLine, ...processes).judgedMib).toBe(1201 - 900 + (isShell ? 0 : 199));
  });

  it.each([
    ['node server.mjs', 'node'],
    ['bun server.ts', 'bun'],
    // uvx has become the server, which has a browser below it.
    ['uvx server', 'python3'],
    ['pipx run server', 'python3'],
  ])('leaves nothing of %j out', (commandLine, command) => {
    const processes = [
      { command, mib: 900 },
      { command: 'chrome', mib: 300 },
    ];
    expect(limitsOf(commandLine, ...processes)).toMatchObject({
      judgedMib: 1200,
      breach: { limit: 'memory' },
    });
  });
});
