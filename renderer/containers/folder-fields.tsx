import { useState } from 'react';
import { canBeShared } from '../../shared/container-entry.ts';
import styles from '../clients/client-dialog.module.css';
import { CheckField } from '../ui/check-field.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { OfferedFolder, useContainerChoice } from './use-container-choice.ts';

type FolderFieldsProps = Pick<ReturnType<typeof useContainerChoice>, 'folders' | 'setFolders'>;

/** Files and folders of this machine, each with whether a container sees it and may write to it; others can be added. */
export function FolderFields({ folders, setFolders }: FolderFieldsProps) {
  const [added, setAdded] = useState('');
  const problem =
    added === '' || canBeShared(added) ? undefined : 'A path begins with / and has no comma, colon or quote.';
  const put = (path: string, change: Partial<OfferedFolder>) =>
    setFolders(folders.map((folder) => (folder.path === path ? { ...folder, ...change } : folder)));
  const add = () => {
    const others = folders.filter(({ path }) => path !== added);
    setFolders([...others, { path: added, isShared: true, isWritable: false }]);
    setAdded('');
  };
  return (
    <>
      {folders.map(({ path, isShared, isWritable }) => (
        <div key={path} className={`${styles.folder} gap-12 wide break`}>
          <CheckField label={path} isChecked={isShared} onChange={(is) => put(path, { isShared: is })} />
          <CheckField
            label="may write"
            name={`May write to ${path}`}
            isChecked={isShared && isWritable}
            isDisabled={!isShared}
            onChange={(is) => put(path, { isWritable: is })}
          />
        </div>
      ))}
      <div className={`${styles.folder} gap-12 wide break`}>
        <TextField label="Another path" value={added} error={problem} onChange={setAdded} />
        <TextButton aria-label="Add the path" disabled={added === '' || problem !== undefined} onClick={add}>
          Add
        </TextButton>
      </div>
    </>
  );
}
