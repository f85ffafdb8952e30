import type { PanelFigures } from '../../shared/panel-figures.ts';
import { formatCpu, formatMemory } from './figures.ts';

/** Costs of the panel itself: `142 MiB · 0.8 % CPU · loop 2 ms late in 1 of 100 turns, 31 ms at most`. */
export function panelFiguresWords({ memoryBytes, cpuPercent, loop }: PanelFigures): string {
  const words = [
    memoryBytes === undefined ? undefined : formatMemory(memoryBytes),
    cpuPercent === undefined ? undefined : `${formatCpu(cpuPercent)} CPU`,
    loop && `loop ${Math.round(loop.p99Ms)} ms late in 1 of 100 turns, ${Math.round(loop.maxMs)} ms at most`,
  ];
  return words.filter((text) => text !== undefined).join(' · ') || 'Not known yet.';
}
