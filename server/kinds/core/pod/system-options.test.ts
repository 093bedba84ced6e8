import { describe, expect, test } from 'vitest';
import { sample, tryCreate } from '../../kind-write.fixture.ts';
import { container, spec, withContainer } from './pod.fixture.ts';
import { pod } from './pod.ts';

const first = 'spec.containers[0]';
const options = `${first}.securityContext.windowsOptions`;
const asUser = (runAsUserName: string) => withContainer({ securityContext: { windowsOptions: { runAsUserName } } });
const host = { securityContext: { windowsOptions: { hostProcess: true } } };

describe('what a pod says of its operating system', () => {
  test.each<[string, object, readonly string[]]>([
    ['another', spec({ os: { name: 'plan9' } }), ['spec.os NotSupported']],
    ['none', spec({ os: {} }), ['spec.os.name Required']],
    [
      'options of Windows on Linux',
      spec({ os: { name: 'linux' }, securityContext: { windowsOptions: {} } }),
      ['spec.securityContext.windowsOptions Forbidden'],
    ],
    [
      'options of Linux on Windows',
      spec({
        os: { name: 'windows' },
        hostPID: true,
        securityContext: { sysctls: [{ name: 'a.b' }] },
        containers: [{ ...container, securityContext: { capabilities: {}, privileged: false } }],
      }),
      [
        'spec.hostPID Forbidden',
        'spec.securityContext.sysctls Forbidden',
        `${first}.securityContext.capabilities Forbidden`,
        `${first}.securityContext.privileged Forbidden`,
      ],
    ],
    [
      'a namespace of processes on Windows, although not shared',
      spec({ os: { name: 'windows' }, shareProcessNamespace: false }),
      ['spec.shareProcessNamespace Forbidden'],
    ],
    [
      'a kernel setting that is none, twice',
      spec({ securityContext: { sysctls: [{ name: 'A' }, { name: 'A' }] } }),
      ['spec.securityContext.sysctls[0].name Invalid', 'spec.securityContext.sysctls[1].name Invalid'],
    ],
    [
      'a process of the host by the pod alone',
      spec({
        hostNetwork: true,
        ...host,
        containers: [{ ...container, securityContext: { windowsOptions: { hostProcess: false } } }],
      }),
      [`${options}.hostProcess Invalid`],
    ],
    ['a user of a domain', asUser('DOMAIN\\user'), []],
    ['a user of a DNS domain', asUser('some.where.example\\user'), []],
    ['an empty user', asUser(''), [`${options}.runAsUserName Invalid`]],
    ['two domains', asUser('a\\b\\c'), [`${options}.runAsUserName Invalid`]],
    ['a user of dots', asUser('..'), [`${options}.runAsUserName Invalid`]],
    ['a long user', asUser('a'.repeat(105)), [`${options}.runAsUserName Invalid`]],
    [
      'credentials',
      spec({ securityContext: { windowsOptions: { gmsaCredentialSpecName: 'A', gmsaCredentialSpec: '' } } }),
      [
        'spec.securityContext.windowsOptions.gmsaCredentialSpecName Invalid',
        'spec.securityContext.windowsOptions.gmsaCredentialSpec Invalid',
      ],
    ],
    [
      'one process of the host among others',
      spec({
        containers: [
          { ...container, ...host },
          { ...container, name: 'd' },
        ],
      }),
      ['spec Invalid', 'spec.hostNetwork Invalid'],
    ],
    ['processes of the host', spec({ hostNetwork: true, containers: [{ ...container, ...host }] }), []],
    [
      'the profile of another sort',
      spec({ securityContext: { seccompProfile: { localhostProfile: 'p' } } }),
      [
        'spec.securityContext.seccompProfile.type Required',
        'spec.securityContext.seccompProfile.localhostProfile Invalid',
      ],
    ],
  ])('%s', async (_title, fields, causes) => {
    const { causes: told } = await tryCreate(pod, sample(pod, fields));
    expect([...told].sort()).toEqual([...causes].sort());
  });
});

describe('mounts and devices', () => {
  const volume = { name: 'v', persistentVolumeClaim: { claimName: 'c' } };
  test.each<[string, object, readonly string[]]>([
    [
      'of a volume that is faulty',
      spec({
        volumes: [{ name: 'v', secret: {} }],
        containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
      }),
      ['spec.volumes[0].secret.secretName Required', `${first}.volumeMounts[0].name NotFound`],
    ],
    [
      'without names',
      withContainer({ volumeMounts: [{}] }),
      [
        `${first}.volumeMounts[0].name Required`,
        `${first}.volumeMounts[0].name NotFound`,
        `${first}.volumeMounts[0].mountPath Required`,
      ],
    ],
    [
      'two devices without names',
      withContainer({ volumeDevices: [{ devicePath: '/a' }, { devicePath: '/b' }] }),
      [0, 1].flatMap((at) => [
        `${first}.volumeDevices[${at}].name Required`,
        `${first}.volumeDevices[${at}].name NotFound`,
      ]),
    ],
    [
      'of one volume',
      spec({
        volumes: [volume],
        containers: [
          {
            ...container,
            volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: '/x' }],
            volumeDevices: [{ name: 'v', devicePath: '/v' }],
          },
        ],
      }),
      [
        `${first}.volumeMounts[0].name Invalid`,
        `${first}.volumeMounts[0].mountPath Invalid`,
        `${first}.volumeMounts.subPathExpr Invalid`,
        `${first}.volumeDevices[0].name Invalid`,
        `${first}.volumeDevices[0].devicePath Invalid`,
      ],
    ],
  ])('%s', async (_title, fields, causes) => {
    expect((await tryCreate(pod, sample(pod, fields))).causes).toEqual(causes);
  });
});
