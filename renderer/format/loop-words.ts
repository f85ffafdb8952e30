import type { LoopTask, PanelFigures } from '../../shared/panel-figures.ts';
import { readText, type Detail } from './detail-fields.ts';
import { formatCpu, formatMemory } from './figures.ts';

const wordsOf: Readonly<Record<LoopTask, string>> = {
  'read-output': 'reading what it sends',
  'read-stderr': 'reading its stderr',
  'apply-config': 'applying servers.json',
  sample: 'taking in the figures of all servers',
  'serve-clients': 'taking in requests of clients',
  'tell-window': 'telling the window',
};

/** Words on what the panel was doing when its loop was late; undefined where that is not known. */
export function loopTaskWords(detail: Detail): string | undefined {
  const task = readText(detail, 'doing');
  return task !== undefined && Object.hasOwn(wordsOf, task) ? wordsOf[task as LoopTask] : undefined;
}

/** Costs of the panel itself, in one line: `142 MiB · 0.8 % CPU · loop 2 ms late in 1 of 100 turns, 31 ms at most`. */
export function panelFiguresWords({ memoryBytes, cpuPercent, loop }: PanelFigures): string {
  const words = [
    memoryBytes === undefined ? undefined : formatMemory(memoryBytes),
    cpuPercent === undefined ? undefined : `${formatCpu(cpuPercent)} CPU`,
    loop && `loop ${Math.round(loop.p99Ms)} ms late in 1 of 100 turns, ${Math.round(loop.maxMs)} ms at most`,
  ];
  return words.filter((text) => text !== undefined).join(' · ') || 'Not known yet.';
}
