import { link, rename, writeFile } from 'node:fs/promises';
import type { Disk } from '../../../electron/core/files/write-atomically.ts';

/** Disk that works until it is told to fail. */
export interface FailingDisk extends Disk {
  /**
   * Sets the system's code with which a step fails from now on, on paths that end so; undefined makes
   * everything work again.
   */
  fail(step: keyof Disk, code: string | undefined, pathEnd?: string): void;
  /** Runs `task` once before the next step of this kind, as somebody else would meanwhile. */
  before(step: keyof Disk, task: () => Promise<void>): void;
}

export function createFailingDisk(): FailingDisk {
  const faults = new Map<keyof Disk, { code: string; pathEnd: string }>();
  const tasks = new Map<keyof Disk, () => Promise<void>>();
  const enter = async (step: keyof Disk, path: unknown) => {
    const task = tasks.get(step);
    tasks.delete(step);
    await task?.();
    const fault = faults.get(step);
    if (!fault || !String(path).endsWith(fault.pathEnd)) return;
    // The beginning of the file is written, as on a full disk.
    if (step === 'writeFile') await writeFile(String(path), 'hal', { flag: 'wx' });
    throw Object.assign(new Error(`${fault.code}: ${String(path)}`), { code: fault.code });
  };
  return {
    fail: (step, code, pathEnd = '') => {
      if (code === undefined) faults.delete(step);
      else faults.set(step, { code, pathEnd });
    },
    before: (step, task) => void tasks.set(step, task),
    writeFile: async (path, data, options) => {
      await enter('writeFile', path);
      await writeFile(path, data, options);
    },
    rename: async (from, to) => {
      await enter('rename', from);
      await rename(from, to);
    },
    link: async (from, to) => {
      await enter('link', from);
      await link(from, to);
    },
  };
}
