import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import type { Client } from '../../runtime/client.ts';
import type { Pod } from '../../runtime/resources.ts';
import type { Sources } from './sources.ts';
import { prepareVolumes } from './volumes.ts';

const containers = [
  { name: 'first', resources: { limits: { cpu: '1500m' }, requests: { cpu: '250m', memory: '64Mi' } } },
  { name: 'second', resources: { limits: { memory: '1Gi' } } },
];

const kept: Record<string, Record<string, string>> = {
  'configmap/settings': { colour: 'blue', empty: '' },
  'secret/key': { password: 'hunter2' },
};

/** What may be read, as a node agent reads it. */
const sources = {
  entries: async (kind: string, name: string, optional?: boolean) => {
    const found = kept[`${kind}/${name}`];
    if (!found && !optional) throw new Error(`${kind} "${name}" not found`);
    return found && new Map(Object.entries(found).map(([key, text]) => [key, Buffer.from(text)]));
  },
} as unknown as Sources;

/** Prepares one volume of a pod, and gives what reads its files. */
async function prepared(volume: object, hostPaths: readonly string[] = []) {
  const folder = join(temporaryFolder(onTestFinished), 'volumes');
  const pod = {
    metadata: { name: 'p', namespace: 'ns', uid: 'u', labels: { app: 'a', tier: 'b' } },
    spec: { containers, volumes: [{ name: 'v', ...volume }] },
  } as unknown as Pod;
  await prepareVolumes({ pod, client: {} as Client, sources, folder, hostPaths });
  return (path: string) => readFileSync(join(folder, 'v', path), 'utf8');
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('fields of the pod and amounts of its containers become files', async () => {
  const resource = (path: string, containerName: string, resource: string, divisor?: string) => ({
    path,
    resourceFieldRef: { containerName, resource, divisor },
  });
  const read = await prepared({
    downwardAPI: {
      items: [
        { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
        { path: 'deep/name', fieldRef: { fieldPath: 'metadata.name' } },
        resource('cpu', 'first', 'limits.cpu'),
        resource('milli', 'first', 'requests.cpu', '1m'),
        resource('memory', 'second', 'limits.memory', '1Mi'),
        resource('asked', 'second', 'requests.memory', '1Mi'),
      ],
    },
  });
  const names = ['labels', 'deep/name', 'cpu', 'milli', 'memory', 'asked'];
  expect(names.map(read)).toEqual(['app="a"\ntier="b"', 'p', '2', '250', '1024', '1024']);
});

test('several sources are one folder; chosen keys have their paths and modes', async () => {
  const read = await prepared({
    projected: {
      defaultMode: 0o640,
      sources: [
        { configMap: { name: 'settings' } },
        { secret: { name: 'key', items: [{ key: 'password', path: 'login/word', mode: 0o400 }] } },
        { downwardAPI: { items: [{ path: 'uid', fieldRef: { fieldPath: 'metadata.uid' } }] } },
        { configMap: { name: 'missing', optional: true } },
        { configMap: { name: 'settings', optional: true, items: [{ key: 'none', path: 'none' }] } },
      ],
    },
  });
  expect(['colour', 'empty', 'login/word', 'uid'].map(read)).toEqual(['blue', '', 'hunter2', 'u']);
  expect(() => read('none')).toThrow('ENOENT');
});

test.each<[string, object, RegExp]>([
  ['a source that is not there', { secret: { secretName: 'missing' } }, /"missing" not found/],
  [
    'a key that is not there',
    { configMap: { name: 'settings', items: [{ key: 'none', path: 'none' }] } },
    /non-existent config key: none/,
  ],
  [
    'a file outside of the volume',
    { downwardAPI: { items: [{ path: '../out', fieldRef: { fieldPath: 'metadata.name' } }] } },
    /leads out/,
  ],
  ['a kind that only clusters have', { nfs: { server: 's', path: '/' } }, /not known here/],
  ['a folder that pods may not use', { hostPath: { path: '/etc' } }, /may use/],
])('%s is told', async (_, volume, why) => {
  await expect(prepared(volume)).rejects.toThrow(why);
});

test('a folder of the machine is that folder, made only where that is asked for', async () => {
  const host = temporaryFolder(onTestFinished);
  mkdirSync(join(host, 'there'));
  writeFileSync(join(host, 'there', 'file'), 'of the machine');
  expect((await prepared({ hostPath: { path: join(host, 'there') } }, [host]))('file')).toBe('of the machine');
  const absent = join(host, 'absent');
  await expect(prepared({ hostPath: { path: absent, type: 'Directory' } }, [host])).rejects.toThrow('is not there');
  await prepared({ hostPath: { path: absent, type: 'DirectoryOrCreate' } }, [host]);
  expect(existsSync(absent)).toBe(true);
  // Its name begins alike, but it is not below.
  await expect(prepared({ hostPath: { path: `${host}-other` } }, [host])).rejects.toThrow('may use');
  await expect(prepared({ hostPath: { path: `${host}/../etc` } }, [host])).rejects.toThrow('may use');
});

test('a folder of its own is for its owner alone', async () => {
  const folder = join(temporaryFolder(onTestFinished), 'volumes');
  const pod = { metadata: {}, spec: { containers, volumes: [{ name: 'v', emptyDir: {} }] } } as unknown as Pod;
  await prepareVolumes({ pod, client: {} as Client, sources, folder, hostPaths: [] });
  expect([modeOf(folder), modeOf(join(folder, 'v'))]).toEqual([0o700, 0o700]);
});
