import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

/** @typedef {{ packages?: Record<string, { version?: string, optional?: boolean, devOptional?: boolean, link?: boolean }> }} Lock */

/** Reads a lockfile of this checkout. @param {string} path @returns {Lock | undefined} */
export function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
  } catch {
    return undefined; // Missing or incomplete, so that the install runs again.
  }
}
