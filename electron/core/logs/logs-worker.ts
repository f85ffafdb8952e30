import { parentPort, workerData } from 'node:worker_threads';
import { type ArchiveReply, type ArchiveRequest, type ArchiveStart, LogArchive } from './log-archive.ts';
import { LogFiles } from './log-files.ts';
import { messageOf } from '../../../shared/message-of.ts';

// Logs are read in this thread, because scanning the logs of a hundred servers would block the main thread for too long.

const { folder } = workerData as ArchiveStart;
const archive = new LogArchive(new LogFiles(folder));

function answerTo(request: ArchiveRequest): ArchiveReply {
  const { id, secrets } = request;
  try {
    if (secrets) archive.setSecrets(secrets);
    return {
      id,
      answer: request.ask === 'slice' ? archive.slice(request.query) : archive.content(request.query),
    };
  } catch (error) {
    return { id, failure: messageOf(error) };
  }
}

parentPort?.on('message', (request: ArchiveRequest) => parentPort?.postMessage(answerTo(request)));
