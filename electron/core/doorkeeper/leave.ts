import { timingSafeEqual } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import type { SessionIds } from '../gateway/auth/session-id.ts';

const LEAVE_PATH = '/doorkeeper/leave';
const PROOF = 'mcp-control-panel-proof';
/** Milliseconds for which the proof in a request to leave is valid. Both processes are on the same machine and use its clock. */
const PROOF_MS = 10_000;
const ANSWER_MS = 1000;

type Prover = Pick<SessionIds, 'proofOf'>;

const wordsOf = (port: number, atMs: number) => `leave ${port} ${atMs}`;

/**
 * Asks the doorkeeper, the process that has the port while the panel is not running, to leave the port. An HMAC with the key of
 * the data folder proves that the request comes from the panel. @returns true if the doorkeeper agreed. Never rejects.
 */
export function askToLeave(port: number, prover: Prover, nowMs: number): Promise<boolean> {
  const proof = `${nowMs}.${prover.proofOf(wordsOf(port, nowMs))}`;
  const headers = { [PROOF]: proof, 'content-length': 0 };
  const options = { host: '127.0.0.1', port, path: LEAVE_PATH, method: 'POST', headers, agent: false };
  return new Promise((resolve) => {
    const sent = request({ ...options, timeout: ANSWER_MS });
    sent.once('response', (response) => {
      response.resume();
      resolve(response.statusCode === 204);
    });
    sent.once('timeout', () => sent.destroy());
    sent.on('error', () => resolve(false));
    sent.once('close', () => resolve(false));
    sent.end();
  });
}

export function isAskedToLeave({ method, url }: IncomingMessage): boolean {
  return method === 'POST' && url === LEAVE_PATH;
}

/** True if the request has a recent time (within `PROOF_MS`) that was signed with the key of this data folder. */
export function provesHome(
  { headers }: IncomingMessage,
  port: number,
  prover: Prover,
  nowMs: number,
): boolean {
  const [at = '', proof = ''] = String(headers[PROOF] ?? '').split('.');
  const atMs = Number(at);
  if (!(Math.abs(nowMs - atMs) <= PROOF_MS)) return false;
  const [expected, found] = [prover.proofOf(wordsOf(port, atMs)), proof].map((text) => Buffer.from(text));
  return expected!.length === found!.length && timingSafeEqual(expected!, found!);
}
