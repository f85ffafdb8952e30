import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../../../shared/message-of.ts';
import { answerTo } from './answer.ts';
import type { FromThread, ToThread } from './questions.ts';

// Long messages are parsed in this thread, because parsing them would block the main event loop for too long.

let pieces: Uint8Array[] = [];

parentPort?.on('message', (message: ToThread) => {
  if ('piece' in message) return void pieces.push(message.piece);
  const bytes = Buffer.concat(pieces);
  pieces = [];
  const reply = (told: FromThread) => parentPort?.postMessage(told);
  try {
    reply({ answer: answerTo(bytes, message.question) });
  } catch (error) {
    reply({ failure: messageOf(error) });
  }
});
