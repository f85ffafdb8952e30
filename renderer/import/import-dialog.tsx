import { useEffect } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { formatPlural } from '../format/figures.ts';
import { useServices, useTask } from '../services.ts';
import { ChoiceList } from './choice-list.tsx';
import { choicesOfFiles, type ChoiceFile } from './choices.ts';
import { tellAdded } from '../commands/server-commands.ts';
import { readyOnes, takingWords } from './ticks.ts';
import { useTakingOver } from './use-taking-over.ts';

const TITLE = 'Import servers';

/** Dialog with the servers of other clients on this machine, to be selected and imported. */
export function ImportDialog() {
  const { manage } = useServices();
  const { status, run } = useTask<readonly ChoiceFile[]>();
  useEffect(() => {
    void run(async () => choicesOfFiles(await manage.api.findImports()));
  }, [run, manage]);
  const files = status?.phase === 'done' ? status.value : undefined;
  if (files !== undefined && files.length > 0) return <FoundFiles files={files} />;
  return (
    <Dialog title={TITLE} onClose={() => manage.close()} foot={<CloseFoot />}>
      {status?.phase === 'failed' ? (
        <ErrorNote error={status.error} server="import" lead="Could not look for servers" />
      ) : (
        <p className="py-4 text-dim">
          {files === undefined ? 'Looking for other clients…' : <NothingFound />}
        </p>
      )}
    </Dialog>
  );
}

function NothingFound() {
  const { manage } = useServices();
  return (
    <>
      No configuration of another client was found on this machine. If you have one elsewhere, copy it and{' '}
      <TextButton look="link" onClick={() => manage.open({ kind: 'paste', text: '' })}>
        paste it
      </TextButton>
      .
    </>
  );
}

function CloseFoot() {
  const { manage } = useServices();
  return (
    <>
      <p />
      <TextButton onClick={() => manage.close()}>Close</TextButton>
    </>
  );
}

const importWords = (count: number) => (count === 0 ? 'Import' : `Import ${formatPlural(count, 'server')}`);

function FoundFiles({ files }: { readonly files: readonly ChoiceFile[] }) {
  const services = useServices();
  const { manage, view } = services;
  const choices = files.flatMap((file) => file.choices);
  const taking = useTakingOver(manage.api, choices);
  const count = taking.ticked.size;
  const hasReady = readyOnes(choices, taking.answers).size > 0;
  const run = async () => {
    const names = await taking.takeOver();
    // After the first import, the user knows how to import servers, so the overview no longer suggests it.
    if (names.length > 0) view.setState({ offersImports: false });
    if (names.length < count) return;
    manage.close();
    const words = `Imported ${formatPlural(names.length, 'server')}: ${names.join(', ')}.`;
    await tellAdded(services, names, words);
  };
  return (
    <Dialog
      title={TITLE}
      onClose={() => manage.close()}
      foot={
        <>
          <p role="status">{takingWords(choices, taking) ?? 'The files themselves are only read.'}</p>
          {count === 0 && hasReady && <TextButton onClick={taking.tickReady}>Select all new ones</TextButton>}
        </>
      }
      main={{
        words: taking.isBusy ? 'Importing…' : importWords(count),
        isDisabled: count === 0,
        isBusy: taking.isBusy,
        run: () => void run(),
      }}
    >
      <div className="flex flex-col gap-16">
        {files.map(({ label, path, choices: own, problems }) => (
          <section key={`${label} ${path}`}>
            <h3 className="flex items-baseline gap-8 mb-6 text-13">
              {label}
              <code className="min-w-0 truncate hint" data-tip={path} data-tip-if-cut>
                {path}
              </code>
            </h3>
            {problems.map((words) => (
              <p key={words} className="pt-2 pb-6 wrap-anywhere text-failed">
                {words}
              </p>
            ))}
            {own.length > 0 && <ChoiceList choices={own} taking={taking} />}
            {own.length === 0 && problems.length === 0 && (
              <p className="py-4 text-dim">It names no server.</p>
            )}
          </section>
        ))}
      </div>
    </Dialog>
  );
}
