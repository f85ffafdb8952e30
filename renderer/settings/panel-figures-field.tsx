import { useEffect, useState } from 'react';
import type { PanelFigures, PanelProcess } from '../../shared/panel-figures.ts';
import { formatCpu, formatMemory } from '../format/figures.ts';
import { useServices } from '../services.ts';

const ASK_EVERY_MS = 2000;
const LATE_MEANING = 'Event-loop delay of the main process, 99th percentile of the last minute';
const MEMORY_MEANING = 'With what it shares with the others, which counts once in the sum above';

/** Field with the resource use of the panel itself, in total and per process. It is updated while it is visible. */
export function PanelFiguresField() {
  const { api } = useServices();
  const [figures, setFigures] = useState<PanelFigures>();
  useEffect(() => {
    const ask = () => {
      api.getPanelFigures().then(setFigures, () => setFigures(undefined));
    };
    ask();
    const timer = setInterval(ask, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [api]);
  return (
    <>
      <span className="select-text" title={LATE_MEANING}>
        {panelFiguresWords(figures ?? {})}
      </span>
      {figures?.processes !== undefined && <PanelProcesses processes={figures.processes} />}
    </>
  );
}

const cells =
  '*:py-4 *:pr-0 *:first:pl-0 *:not-first:pl-16 *:first:text-start *:not-first:text-end *:whitespace-nowrap *:border-line';

/** Table of the app's processes, with the largest process first. */
function PanelProcesses({ processes }: { readonly processes: readonly PanelProcess[] }) {
  return (
    <table className="max-w-560 tabular-nums select-text" aria-label="Processes of this app">
      <thead>
        <tr className={`${cells} *:border-b`}>
          <th scope="col">Process</th>
          <th scope="col">PID</th>
          <th scope="col" title={MEMORY_MEANING}>
            Memory
          </th>
          <th scope="col">CPU</th>
        </tr>
      </thead>
      <tbody>
        {processes.map(({ cpuPercent, memoryBytes, name, pid }) => (
          <tr key={pid} className={`${cells} *:font-normal not-last:*:border-b`}>
            <th scope="row">{name}</th>
            <td>{pid}</td>
            <td>{formatMemory(memoryBytes)}</td>
            <td>{formatCpu(cpuPercent)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns the text on the panel's own resource use: `142 MiB · 0.8 % CPU · loop 2 ms late in 1 of 100 turns, 31 ms at most`. */
export function panelFiguresWords({ memoryBytes, cpuPercent, loop }: PanelFigures): string {
  const words = [
    memoryBytes === undefined ? undefined : formatMemory(memoryBytes),
    cpuPercent === undefined ? undefined : `${formatCpu(cpuPercent)} CPU`,
    loop && `loop ${Math.round(loop.p99Ms)} ms late in 1 of 100 ticks, ${Math.round(loop.maxMs)} ms at most`,
  ];
  return words.filter((text) => text !== undefined).join(' · ') || 'Not known yet.';
}
