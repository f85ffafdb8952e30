import type { Machine } from '../../shared/domain.ts';
import { inRamWords, type ServerTotals } from '../../shared/server-totals.ts';
import { formatCpu, formatMemory, trimZeros } from './figures.ts';

/** Used share of a machine resource: the used value, the total, and the fraction for a bar. */
export interface ShareOfMachine {
  readonly figure: string;
  /** Total as text, such as "of 24 GiB". Empty if the used value or the total is unknown. */
  readonly whole: string;
  /** Fraction from 0 to 1. */
  readonly share: number;
}

const memoryWords = (bytes: number | undefined): string => trimZeros(formatMemory(bytes));

/** Returns a text such as "≈ 216 MiB in RAM, shared pages once". Undefined if the value is unknown. */
export const inRam = ({ inRamBytes }: ServerTotals, words = inRamWords): string | undefined =>
  inRamBytes === undefined ? undefined : words(memoryWords(inRamBytes));

/** Returns the used share of the machine's memory, such as `1.2 GiB` of `24 GiB`. */
export const memoryUse = ({ memoryBytes }: ServerTotals, machine: Machine | undefined): ShareOfMachine =>
  shareOf(memoryBytes, machine?.memoryBytes, memoryWords);

/** Returns the used share of all CPU cores, such as `98 %` of `200 %`. */
export const cpuUse = ({ cpuPercent }: ServerTotals, machine: Machine | undefined): ShareOfMachine =>
  shareOf(cpuPercent, machine && machine.coreCount * 100, formatCpu);

function shareOf(
  figure: number | undefined,
  whole: number | undefined,
  format: (figure: number | undefined) => string,
): ShareOfMachine {
  const isKnown = figure !== undefined && whole !== undefined && whole > 0;
  return {
    figure: format(figure),
    whole: isKnown ? `of ${format(whole)}` : '',
    share: isKnown ? Math.min(1, figure / whole) : 0,
  };
}
