import {
  readList,
  readNumber,
  readRecord,
  readRecords,
  readText,
  type Detail,
  type EventFact,
} from './detail-fields.ts';
import { formatSpan } from './durations.ts';
import { formatCpu, formatMemory } from './figures.ts';
import { describeVerdictRow } from './verdict-rows.ts';

/** Facts behind a verdict: the rule, the silence, the checks and the calls it rests on. */
export function verdictFacts(detail: Detail): readonly (EventFact | undefined)[] {
  const evidence = readRecord(detail, 'evidence');
  const row = describeVerdictRow(readNumber(detail, 'row') ?? readText(detail, 'row'));
  return [
    row === undefined ? undefined : { term: 'Judged so', lines: [row] },
    silenceFact(detail, evidence),
    evidence === undefined ? undefined : checksFact(evidence),
    callsFact(evidence ?? detail),
    evidence === undefined ? undefined : habitFact(evidence),
    evidence === undefined ? undefined : workFact(evidence),
  ];
}

function silenceFact(detail: Detail, evidence: Detail | undefined): EventFact | undefined {
  const silentMs =
    readNumber(evidence ?? {}, 'silentMs') ??
    readNumber(detail, 'silentMs') ??
    readNumber(detail, 'elapsedMs');
  if (silentMs === undefined) return undefined;
  const thresholdMs = readNumber(evidence ?? {}, 'thresholdMs');
  const allowed = thresholdMs === undefined ? '' : `, ${formatSpan(thresholdMs)} allowed`;
  const answerMs = readNumber(evidence ?? {}, 'lastAnswerMs');
  const answered = answerMs === undefined ? [] : [`last answer ${formatSpan(answerMs)} ago`];
  return { term: 'Silence', lines: [`${formatSpan(silentMs)}${allowed}`, ...answered] };
}

function checksFact(evidence: Detail): EventFact {
  const lines = readRecords(evidence, 'probes').map((probe) => {
    const unansweredMs = readNumber(probe, 'unansweredMs');
    const age = unansweredMs === undefined ? '' : ` for ${formatSpan(unansweredMs)}`;
    return `${readText(probe, 'kind') ?? 'a check'} unanswered${age}`;
  });
  return { term: 'Checks', lines: [lines.length === 0 ? 'none unanswered' : lines.join(', ')] };
}

/** Calls that waited for an answer, by name and age. Undefined where nothing is known of calls. */
export function callsFact(detail: Detail): EventFact | undefined {
  const term = 'Calls in flight';
  if (!Array.isArray(detail['calls'])) {
    const methods = readList(detail, 'pendingMethods');
    return methods.length === 0 ? undefined : { term, lines: methods };
  }
  const lines = readRecords(detail, 'calls').map((call) => {
    const ageMs = readNumber(call, 'ageMs');
    const what = [readText(call, 'method'), readText(call, 'target')].filter(Boolean).join(' ');
    return ageMs === undefined ? what : `${what}, for ${formatSpan(ageMs)}`;
  });
  return { term, lines: lines.length === 0 ? ['none'] : lines };
}

function habitFact(evidence: Detail): EventFact | undefined {
  const answers = evidence['answeredDuringCalls'];
  if (typeof answers !== 'boolean') return undefined;
  return {
    term: 'During calls',
    lines: [answers ? 'has answered a check during these calls' : 'no check answered'],
  };
}

/**
 * Work of the server's processes since the first unanswered check, or since it fell silent. Only the CPU counts for a verdict;
 * the rest is for people.
 */
function workFact(evidence: Detail): EventFact | undefined {
  const work = readRecord(evidence, 'work') ?? {};
  const [overMs, cpuMs] = [readNumber(work, 'overMs'), readNumber(work, 'cpuMs')];
  if (overMs === undefined || cpuMs === undefined || overMs <= 0) return undefined;
  const share = formatCpu((cpuMs / overMs) * 100);
  return {
    term: 'Meanwhile',
    lines: [`${share} of a core, ${formatMemory(readNumber(work, 'writtenBytes'))} written`],
  };
}
