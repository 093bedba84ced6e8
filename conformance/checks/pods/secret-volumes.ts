import type { Json } from '../../verbs/json.ts';
import { sources } from '../unfit/volumes.ts';

/** What sources of volumes that refer to a Secret by one field say besides: those of pods and of the cluster alike. */
const said: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd'].map((source) => [source, sources[source]])),
  scaleIO: { gateway: 'https://10.9.8.7', system: 'a', volumeName: 'a' },
  storageos: { volumeName: 'a' },
};

/** A volume for each such source, by its name. @param refer the reference to the Secret of a source */
export const secretVolumes = (refer: (source: string) => Json): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(said).map(([source, parts]) => [source, { [source]: { ...parts, secretRef: refer(source) } }]),
  );

/** The names of these sources. */
export const secretSources: readonly string[] = Object.keys(said);
