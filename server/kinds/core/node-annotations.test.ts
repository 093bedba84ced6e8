import { expect, test } from 'vitest';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import { node } from './node.ts';

const taints = 'scheduler.alpha.kubernetes.io/taints';
const avoided = 'scheduler.alpha.kubernetes.io/preferAvoidPods';
const at = 'metadata.annotations';
const owner = { apiVersion: 'v1', kind: 'ReplicationController', name: 'r', uid: 'u', controller: true };
const pods = (...signatures: object[]) =>
  JSON.stringify({ preferAvoidPods: signatures.map((podSignature) => ({ podSignature })) });

const table: readonly [key: string, text: string, causes: readonly string[]][] = [
  ['example.com/any', 'x', []],
  [taints, '', []],
  [taints, 'null', []],
  [taints, '[{"key":"k","effect":"NoSchedule"}]', []],
  [
    taints,
    '[{"key":"k"},{"effect":"Never","key":"k"}]',
    [`${at}.${taints}[0].effect Required`, `${at}.${taints}[1].effect NotSupported`],
  ],
  [taints, 'k=v:NoSchedule', [`${at} Invalid`]],
  [taints, '[{"key":1}]', [`${at} Invalid`]],
  [taints, '[{"key":"k","value":null,"effect":null}]', [`${at}.${taints}[0].effect Required`]],
  [avoided, pods({ podController: owner }), []],
  [avoided, '{}', []],
  [avoided, 'null', []],
  [avoided, pods({}), [`${at}.${avoided}[0].PodSignature Required`]],
  [
    avoided,
    pods({ podController: { ...owner, controller: false } }),
    [`${at}.${avoided}[0].PodSignature.PodController.Controller Invalid`],
  ],
  [avoided, '[]', [`${at}.AvoidPods Invalid`]],
  [avoided, '{', [`${at}.AvoidPods Invalid`]],
];

test.each(table)('a node whose annotation %s says %s', async (key, text, causes) => {
  const annotations = { [key]: text };
  expect((await tryCreate(node, sample(node, {}, { annotations }))).causes).toEqual(causes);
  const changed = await tryUpdate(node, sample(node, {}), (next) => Object.assign(next.metadata, { annotations }));
  expect([...new Set(changed.causes)]).toEqual(causes);
});
