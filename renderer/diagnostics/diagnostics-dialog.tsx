import { useEffect, useState, useId } from 'react';
import type { Diagnostics, DiagnosticsSection } from '../../shared/diagnostics.ts';
import { diagnosticsText } from '../../shared/diagnostics-text.ts';
import { useServices, useTask } from '../services.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailedNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useToggles } from '../ui/use-toggles.ts';
import { formatPlural } from '../format/figures.ts';
import { CheckField } from '../ui/check-field.tsx';

interface DiagnosticsDialogProps {
  /** Name of the server whose diagnostics are collected; if absent, those of all servers and the panel. */
  readonly server?: string;
}

/** Dialog that shows the full diagnostics before they are shared. The user can leave out sections, then copy or save the rest. */
export function DiagnosticsDialog({ server }: DiagnosticsDialogProps) {
  const { api, manage } = useServices();
  const { status, found, leftOut, toggle } = useCollected(server);
  const saving = useTask<string | null>();
  const chosen = found?.sections.filter(({ id }) => !leftOut.has(id)) ?? [];
  const text = () => diagnosticsText(found?.at ?? 0, chosen);
  const save = () => {
    const file = { name: fileNameOf(found?.at ?? 0, server), content: text(), encoding: 'utf8' } as const;
    void saving.run(() => api.saveFile(file), undefined);
  };
  const isReady = chosen.length > 0;
  return (
    <Dialog
      title={server === undefined ? 'Diagnostics' : `Diagnostics of ${server}`}
      onClose={() => manage.close()}
      foot={
        <>
          <p role="status">{found !== undefined && saying(saving.status, chosen)}</p>
          {isReady && <CopyButton text={text()} name="Copy diagnostics" label="Copy" />}
          <TextButton onClick={() => manage.close()}>Close</TextButton>
          <TextButton
            look="main"
            disabled={!isReady}
            isBusy={saving.status?.phase === 'pending'}
            onClick={save}
          >
            Save…
          </TextButton>
        </>
      }
    >
      <p className="pb-12 text-dim">
        For a bug report, or for someone helping you. Values of variables and headers, and whatever else looks
        like a secret, are redacted. Nothing leaves this machine automatically.
      </p>
      <FailedNote status={status} server={server ?? 'the panel'} lead="Could not collect them" />
      <FailedNote status={saving.status} server={server ?? 'the panel'} lead="Could not save them" />
      {status?.phase !== 'failed' && found === undefined && <p>Collecting…</p>}
      {found?.sections.map((section) => (
        <SectionChoice
          key={section.id}
          section={section}
          isChosen={!leftOut.has(section.id)}
          onToggle={() => toggle(section.id)}
        />
      ))}
    </Dialog>
  );
}

/** Returns the diagnostics, which are collected when the dialog opens, and the sections that the user has left out. */
function useCollected(server: string | undefined) {
  const { api } = useServices();
  const { status, run } = useTask<Diagnostics>();
  useEffect(() => {
    void run(() => api.getDiagnostics(server === undefined ? {} : { server }), undefined);
  }, [api, run, server]);
  const { on: leftOut, toggle } = useToggles<DiagnosticsSection['id']>();
  return { status, found: status?.phase === 'done' ? status.value : undefined, leftOut, toggle };
}

function saying(
  status: ReturnType<typeof useTask<string | null>>['status'],
  chosen: readonly DiagnosticsSection[],
): string {
  if (status?.phase === 'done' && status.value !== null) return `Saved to ${status.value}`;
  const characters = chosen.reduce((sum, { text }) => sum + text.length, 0);
  return chosen.length === 0 ? 'Nothing is chosen.' : `${formatSize(characters)} in all`;
}

/** File name with characters that every file system allows: `diagnostics-memory-2026-01-31-09-05.md`. */
function fileNameOf(at: number, server: string | undefined): string {
  const moment = new Date(at).toISOString().slice(0, 16).replaceAll(/[T:]/g, '-');
  return `diagnostics-${server === undefined ? '' : `${server}-`}${moment}.md`;
}

interface SectionChoiceProps {
  readonly section: DiagnosticsSection;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

/** Shows one section of the diagnostics: a check box that includes it, its size, and its text. */
function SectionChoice({ section: { title, text }, isChosen, onToggle }: SectionChoiceProps) {
  const [isOpen, setIsOpen] = useState(false);
  const textId = useId();
  const lineCount = text === '' ? 0 : text.split('\n').length;
  return (
    <section className="border-t border-line" aria-label={title}>
      <div className="flex items-center gap-12 min-h-40 *:first:flex-1">
        <CheckField label={title} isChecked={isChosen} onChange={onToggle} />
        <span className="tabular-nums text-dim">
          {formatPlural(lineCount, 'line')}, {formatSize(text.length)}
        </span>
        <TextButton
          look="link"
          aria-expanded={isOpen}
          aria-controls={textId}
          aria-label={`${isOpen ? 'Hide' : 'Show'} ${title}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide' : 'Show'}
        </TextButton>
      </div>
      {isOpen && (
        <pre
          id={textId}
          className="max-h-280 mb-12 p-8 border border-line rounded-md bg-ground"
          tabIndex={0}
          aria-label={`Text of ${title}`}
          role="region"
        >
          {text === '' ? 'Nothing.' : text}
        </pre>
      )}
    </section>
  );
}

/** Size in KiB of a text that is mostly ASCII, rounded, at least 1. */
const formatSize = (characters: number): string => `${Math.max(1, Math.round(characters / 1024))}\u2009KiB`;
