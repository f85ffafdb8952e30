import { NativeSelect } from '@mantine/core';
import { TextField } from '../ui/text-field.tsx';
import { placeName, type ChosenPlace } from './use-container-choice.ts';

interface PlaceFieldProps {
  readonly place: ChosenPlace;
  readonly places: readonly ChosenPlace[];
  readonly setPlace: (place: ChosenPlace) => void;
}

/** Choice of the engine that a server is moved to: one of those that are known, or an address. */
export function PlaceField({ place, places, setPlace }: PlaceFieldProps) {
  const address = place !== 'here' && 'address' in place ? place.address : undefined;
  const at = places.findIndex((one) => one === place);
  return (
    <>
      {places.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label="Move to"
          value={at}
          data={[
            ...places.map((one, index) => ({
              value: String(index),
              label: one === 'here' ? 'This machine' : (placeName(one) ?? ''),
            })),
            { value: '-1', label: 'Another address' },
          ]}
          onChange={({ currentTarget }) => setPlace(places[Number(currentTarget.value)] ?? { address: '' })}
        />
      )}
      {address !== undefined && (
        <TextField
          label="Address of its Docker"
          placeholder="ssh://me@machine"
          hint="ssh:// uses your own ssh, with its keys and settings. tcp:// and unix:// are read, too."
          hasFocus={places.length === 0}
          value={address}
          onChange={(next) => setPlace({ address: next })}
        />
      )}
    </>
  );
}
