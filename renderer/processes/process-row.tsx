import type { CSSProperties } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import type { ProcessView } from '../../shared/processes.ts';
import { formatDuration } from '../format/durations.ts';
import { formatCount, formatCpu, formatMemory, MISSING } from '../format/figures.ts';
import { formatMoment } from '../format/moments.ts';
import { processCommand, type ProcessNode as Row } from '../format/process-tree.ts';
import { useAsk, useNow, useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { askToEnd, endKey } from './end-process.ts';
import styles from './processes.module.css';

const NOT_TOLD = 'The system does not tell';

/** Row of one process, with the error of a failed end below it. */
export function ProcessRow({
  server,
  row: { process, level },
}: {
  readonly server: ServerView;
  readonly row: Row;
}) {
  const services = useServices();
  const { pid, program, memoryBytes, cpuPercent, openFiles, instance, isStopped } = process;
  const status = useAsk(endKey(server.name, process));
  const command = processCommand(process);
  const isEnding = status?.phase === 'pending';
  return (
    <>
      <tr aria-label={`${program}, pid ${pid}`}>
        <td className={styles.command} style={{ '--level': level - 1 } as CSSProperties}>
          <span className={styles.program}>
            {level > 1 && <span className={styles.branch} aria-hidden="true" />}
            {program}
            {level > 1 && <span className={styles.unseen}>below pid {process.ppid}</span>}
            {instance !== undefined && <span className={styles.chip}>{instance}</span>}
            {isStopped === true && <span className={styles.chip}>stopped by a signal</span>}
          </span>
          <code className={styles.line} data-tip={command} data-tip-if-cut>
            {command}
          </code>
        </td>
        <td className={styles.figure}>{pid}</td>
        <Figure words={formatMemory(memoryBytes)} />
        <Figure words={formatCpu(cpuPercent)} />
        <Figure words={formatCount(openFiles)} />
        <td className={styles.figure}>
          <Age process={process} />
        </td>
        <td className={styles.figure}>
          <TextButton
            aria-label={`End process ${pid}`}
            isBusy={isEnding}
            onClick={() => askToEnd(services, server.name, process, pid === server.pid)}
          >
            {isEnding ? 'Ending…' : 'End…'}
          </TextButton>
        </td>
      </tr>
      {status?.phase === 'failed' && (
        <tr>
          <td colSpan={7}>
            <ErrorNote error={status.error} server={server.name} lead="Not ended" />
          </td>
        </tr>
      )}
    </>
  );
}

function Figure({ words }: { readonly words: string }) {
  return (
    <td className={styles.figure} {...(words === MISSING && { 'data-tip': NOT_TOLD })}>
      {words}
    </td>
  );
}

function Age({ process: { startedAt } }: { readonly process: ProcessView }) {
  const words = useNow((now) =>
    startedAt === undefined ? MISSING : formatDuration(Math.max(0, now - startedAt)),
  );
  return (
    <span data-tip={startedAt === undefined ? NOT_TOLD : `since ${formatMoment(startedAt)}`}>{words}</span>
  );
}
