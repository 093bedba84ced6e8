import type { Json } from '../../verbs/json.ts';

/** What else is said of the sources of volumes that refer to a Secret: pods and volumes of the cluster say it alike. */
const sources: Readonly<Record<string, Json>> = {
  cephfs: { monitors: ['10.9.8.7'] },
  cinder: { volumeID: 'a' },
  flexVolume: { driver: 'example.com/a' },
  iscsi: { targetPortal: '10.9.8.7:3260', iqn: 'iqn.2024-05.com.example:a', lun: 0 },
  rbd: { monitors: ['10.9.8.7'], image: 'a' },
  scaleIO: { gateway: 'https://10.9.8.7', system: 'a', volumeName: 'a' },
  storageos: { volumeName: 'a' },
};

/** A volume for each such source, by its name. @param refer the reference to the Secret of a source */
export const secretVolumes = (refer: (source: string) => Json): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(sources).map(([source, said]) => [source, { [source]: { ...said, secretRef: refer(source) } }]),
  );

/** The names of these sources. */
export const secretSources: readonly string[] = Object.keys(sources);
