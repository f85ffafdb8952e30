import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

/** @typedef {{ packages?: Record<string, { version?: string, optional?: boolean, devOptional?: boolean, link?: boolean }> }} Lock */

/** A lockfile of this checkout. @param {string} path @returns {Lock | undefined} */
export function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
  } catch {
    return undefined; // Not installed yet, or cut short: install again.
  }
}
