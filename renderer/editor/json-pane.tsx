import { Textarea } from '@mantine/core';
import { TextButton } from '../ui/text-button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { hasSecrets } from '../entry/entry-json.ts';
import { closeJson, editedEntry, editField, editJson, openJson } from './editor-state.ts';
import type { ServerEditor } from './use-server-editor.ts';

export const jsonInput = 'p-8 bg-sunken [tab-size:2] whitespace-pre text-12/16 font-mono';

/** Edits a server entry as text, in the format of servers.json. */
export function JsonPane({ editor: { state, edit, problems } }: { readonly editor: ServerEditor }) {
  const { json, draft } = state;
  if (json === undefined) return null;
  const rows = Math.min(Math.max(json.text.split('\n').length + 1, 8), 18);
  const others = Object.entries(problems).filter(([path]) => path !== 'name');
  return (
    <div className="flex flex-col gap-8">
      <TextField
        label="Name"
        value={draft.name}
        error={problems['name']}
        onChange={(name) => edit((now) => editField(now, 'name', { name }))}
      />
      <Textarea
        aria-label="Entry as JSON"
        rows={rows}
        spellCheck={false}
        autoFocus
        classNames={{ input: jsonInput, error: 'text-12 text-failed' }}
        value={json.text}
        error={json.problem}
        onChange={(event) => {
          const text = event.currentTarget.value;
          edit((now) => editJson(now, text));
        }}
      />
      {others.map(([path, words]) => (
        <p key={path} className="text-12 text-failed">
          <code>{path}</code>: {words}
        </p>
      ))}
      {hasSecrets(editedEntry(state)) && (
        <p className="text-12 text-dim">
          {json.isRevealed
            ? 'Values of environment and headers are shown.'
            : 'Values of environment and headers are masked; values left masked stay unchanged.'}{' '}
          {json.problem === undefined && (
            <TextButton look="link" onClick={() => edit((now) => openJson(closeJson(now), !json.isRevealed))}>
              {json.isRevealed ? 'Hide values' : 'Show values'}
            </TextButton>
          )}
        </p>
      )}
    </div>
  );
}
