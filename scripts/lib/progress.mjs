import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { note } from './entry.mjs';
import { interruption } from './interruption.mjs';

const EVERY_MS = 12_000;

/**
 * Prints `what`. Then prints every few seconds how long `task` has run and how large `folders` are, until it has ended.
 * @template T
 * @param {string} what such as "building the app"
 * @param {() => Promise<T>} task
 * @param {{ folders?: readonly string[], hint?: string, everyMs?: number }} [options] `folders`: folders that grow during the
 * task; `hint`: what the user should know beforehand
 * @returns {Promise<T>}
 */
export async function withProgress(what, task, { folders = [], hint, everyMs = EVERY_MS } = {}) {
  note(hint === undefined ? what : `${what}: ${hint}`);
  const startedAt = performance.now();
  const timer = setInterval(() => {
    if (interruption.exitCode !== undefined) return;
    const parts = [what, `${Math.round((performance.now() - startedAt) / 1000)} s`];
    const bytes = sizeOf(folders);
    if (bytes > 0) parts.push(`${Math.ceil(bytes / 1e6)} MB so far`);
    note(parts.join(', '));
  }, everyMs);
  try {
    return await task();
  } finally {
    clearInterval(timer);
  }
}

/** @param {readonly string[]} paths @returns {number} */
export function sizeOf(paths) {
  return paths.reduce((sum, path) => sum + sizeOfOne(path), 0);
}

/** @param {string} path @returns {number} */
function sizeOfOne(path) {
  try {
    const stats = statSync(path);
    if (!stats.isDirectory()) return stats.size;
    return sizeOf(readdirSync(path).map((name) => join(path, name)));
  } catch {
    return 0; // The file was moved or removed in the meantime.
  }
}
