import { expect, it } from 'vitest';
import { rowText } from '../../../renderer/format/server-list.ts';
import { aSample, aServer } from '../builders.ts';

it('the row of a server as text has its state, figures and command, with tabs between them', () => {
  const sample = aSample(1, { memoryBytes: 92 * 1024 * 1024, cpuPercent: 0.3 });
  const server = aServer('github', { sample, target: 'npx -y github' });
  expect(rowText(server)).toBe('github\tRunning\t92.0 MiB\t0.3 %\tnpx -y github');
  expect(rowText(aServer('x', { target: 'y' })).split('\t')).toHaveLength(5);
});
