import { expect, it } from 'vitest';
import { entriesOtherwise, saidOtherwise } from './entries.ts';

it('says everything otherwise but what tells entries apart, and bytes', () => {
  const ports = [{ port: 80, protocol: 'TCP', targetPort: 'http', nodePort: 7 }];
  expect(saidOtherwise({ ports, cpu: '90m', on: true, word: 'any', data: 'YQ==', list: ['a'], nothing: null })).toEqual(
    {
      ports: [{ port: 80, protocol: 'TCP', targetPort: 'http-more', nodePort: 8 }],
      ...{ cpu: '10m', on: false, word: 'any-more', data: 'YQ==', list: ['a'], nothing: null },
    },
  );
});

it('says one member of an entry otherwise at a time, so that its key is told by what becomes of it', () => {
  const mounts = [
    { name: 'some', mountPath: '/a' },
    { name: 'more', mountPath: '/b' },
  ];
  const patches = [
    ...entriesOtherwise({ spec: { containers: [{ name: 'main', volumeMounts: mounts }], words: ['a'] } }),
  ];
  expect(patches.map(({ spec }) => spec.containers)).toEqual([
    [{ name: 'main-more', volumeMounts: mounts }],
    [{ name: 'main', volumeMounts: [{ name: 'some-more', mountPath: '/a' }] }],
    [{ name: 'main', volumeMounts: [{ name: 'some', mountPath: '/a-more' }] }],
  ]);
});
