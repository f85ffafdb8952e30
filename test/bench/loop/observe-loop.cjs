'use strict';

// Loaded with `-r` before the main script of what is measured: how late its main loop is, from the first turn on.
const { openSync, readSync } = require('node:fs');
const { monitorEventLoopDelay, createHistogram } = require('node:perf_hooks');

const RESOLUTION_MS = 1;
const NS_PER_MS = 1e6;
const US_PER_MS = 1000;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

// CPU time of this thread between two timers: what a turn takes where other programs do not keep it waiting. From Node 23 on,
// and on Linux.
const works = createHistogram();
const schedule = process.platform === 'linux' ? openSync('/proc/thread-self/schedstat', 'r') : undefined;
const text = Buffer.alloc(64);
const hasThreadTimes = schedule !== undefined || process.threadCpuUsage !== undefined;
if (hasThreadTimes) {
  let beforeUs = threadUs();
  setInterval(() => {
    const nowUs = threadUs();
    works.record(Math.max(1, Math.round(nowUs - beforeUs)));
    beforeUs = nowUs;
  }, RESOLUTION_MS).unref();
}

function threadUs() {
  // Nanoseconds on a processor come first.
  if (schedule !== undefined)
    return Number.parseInt(text.latin1Slice(0, readSync(schedule, text, 0, text.length, 0))) / 1000;
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** The lateness in milliseconds since the last question, and the CPU time of a turn, where it is known. */
globalThis.takeLateness = () => {
  const late = (/** @type {number} */ ns) => Math.max(0, ns / NS_PER_MS - RESOLUTION_MS);
  const lateness = {
    p50: late(delays.percentile(50)),
    p999: late(delays.percentile(99.9)),
    max: late(delays.max),
    ...(hasThreadTimes && {
      cpuP999: works.percentile(99.9) / US_PER_MS,
      cpuMax: works.max / US_PER_MS,
    }),
  };
  delays.reset();
  works.reset();
  return lateness;
};
