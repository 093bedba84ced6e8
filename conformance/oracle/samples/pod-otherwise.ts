import type { Json } from '../../verbs/client.ts';
import { each, specs } from './otherwise.ts';

/** What no schema tells of a Pod: annotations that are read, systems, and what resources are called. */

const noted = (annotations: Json, more: Json = {}): Json => ({ metadata: { annotations }, ...more });
const notes = (key: string, ...values: readonly string[]): Json[] => values.map((value) => noted({ [key]: value }));
const seccomp = 'seccomp.security.alpha.kubernetes.io/pod';
const ofContainer = 'container.seccomp.security.alpha.kubernetes.io';
const appArmor = 'container.apparmor.security.beta.kubernetes.io';
const alpha = 'scheduler.alpha.kubernetes.io';

const annotations: readonly Json[] = [
  ...notes(seccomp, 'runtime/default', 'docker/default', 'unconfined', 'localhost/a/b', 'localhost/../a', 'other', ''),
  ...notes(`${ofContainer}/main`, 'runtime/default', 'localhost/', 'other'),
  noted({ [seccomp]: 'unconfined' }, { spec: { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } } }),
  noted({ [seccomp]: 'localhost/a' }, { spec: { securityContext: { seccompProfile: { type: 'Localhost' } } } }),
  ...notes(`${appArmor}/main`, 'runtime/default', 'unconfined', 'localhost/some', 'other', ''),
  ...notes(`${appArmor}/nobody`, 'runtime/default'),
  ...notes('kubernetes.io/config.mirror', 'some'),
  ...notes('controller.kubernetes.io/pod-deletion-cost', '5', '-5', '+5', '05', '1.5', '2147483648', 'some', ''),
  ...notes(`${alpha}/tolerations`, '[{"operator":"Exists"}]', '[{"operator":"Some"}]', '[5]', '{}', 'null', 'text', ''),
  ...notes(`${alpha}/critical-pod`, ''),
  ...notes('security.alpha.kubernetes.io/sysctls', 'a=b'),
  ...notes('pod.beta.kubernetes.io/init-containers', '[]'),
];

const systems: readonly Json[] = specs(
  ...each('os', { name: 'windows' }, { name: 'linux' }, { name: 'other' }, {}),
  ...['runAsUser', 'runAsGroup', 'fsGroup'].map((name) => ({
    os: { name: 'windows' },
    securityContext: { [name]: 5 },
  })),
  { os: { name: 'windows' }, hostPID: true, hostIPC: true, shareProcessNamespace: true, hostNetwork: true },
  { os: { name: 'linux' }, securityContext: { windowsOptions: { runAsUserName: 'some' } } },
  ...[
    'a\\b',
    'a\\',
    '\\b',
    'a"b',
    '',
    'x'.repeat(105),
    `${'x'.repeat(300)}\\a`,
    '.\\a',
    'NT AUTHORITY\\a',
    'a\u0007',
  ].map((runAsUserName) => ({ securityContext: { windowsOptions: { runAsUserName } } })),
  ...['some', 'Bad Name', 'x'.repeat(300), ''].map((gmsaCredentialSpecName) => ({
    securityContext: { windowsOptions: { gmsaCredentialSpecName } },
  })),
  { securityContext: { windowsOptions: { gmsaCredentialSpec: 'x'.repeat(70_000) } } },
  ...[{ hostProcess: true }, { hostProcess: false }].map((windowsOptions) => ({ securityContext: { windowsOptions } })),
  { hostNetwork: true, securityContext: { windowsOptions: { hostProcess: true } } },
);

const sized = (...all: readonly Json[]): Json[] =>
  specs(...all.map((resources) => ({ containers: [{ name: 'main', image: 'registry.example/pause:1', resources }] })));

const resources: readonly Json[] = sized(
  ...[
    'cpu',
    'memory',
    'ephemeral-storage',
    'hugepages-2Mi',
    'example.com/card',
    'some',
    'storage',
    'pods',
    'a/b/c',
  ].map((name) => ({ requests: { [name]: '2Mi' }, limits: { [name]: '2Mi' } })),
  { requests: { cpu: '2' }, limits: { cpu: '1' } },
  { requests: { cpu: '-1' } },
  { limits: { memory: '-1Mi' } },
  { limits: { memory: '1500m' } },
  { requests: { 'example.com/card': '1' } },
  { requests: { 'example.com/card': '1' }, limits: { 'example.com/card': '2' } },
  { limits: { 'example.com/card': '1500m' } },
  { limits: { 'hugepages-2Mi': '3Mi', cpu: '1' } },
  { limits: { 'hugepages-x': '2Mi', cpu: '1' } },
  { limits: { 'hugepages-2Mi': '2Mi', 'hugepages-1Gi': '1Gi', memory: '1Gi' } },
  { requests: { 'hugepages-2Mi': '2Mi' }, limits: { 'hugepages-2Mi': '4Mi', cpu: '1' } },
  { requests: { 'requests.example.com/card': '1' } },
  { limits: { 'kubernetes.io/some': '1', 'alpha.kubernetes.io/some': '1', 'example.kubernetes.io/some': '1' } },
  { limits: { 'attachable-volumes-some': '1' } },
);

export const podFresh: readonly Json[] = [...annotations, ...systems, ...resources];

/** When a CronJob is to run, in each way to say it. */
export const schedules: readonly Json[] = specs(
  ...each(
    'schedule',
    ...['@daily', '@Daily', '@reboot', '@never', '@every 5m', '@every 1h30m10s', '@every -5m', '@every x', '@every'],
    ...[
      'TZ=UTC',
      'TZ=Nowhere/None * * * * *',
      'CRON_TZ=Europe/Berlin 0 0 * * *',
      'TZ=utc 0 0 * * *',
      'tz=UTC 0 0 * * *',
    ],
    ...['60 * * * *', '* 24 * * *', '* * 0 * *', '* * 32 * *', '* * * 13 *', '* * * * 7', '* * * * 0', '-1 * * * *'],
    ...['*/5 * * * *', '*/0 * * * *', '*/x * * * *', '1-5/2 * * * *', '5-1 * * * *', '1-2-3 * * * *', '1/2/3 * * * *'],
    ...['1,2,3 * * * *', '1,,3 * * * *', ',1 * * * *', 'x * * * *', '? ? ? ? ?', '* * * jan mon', '* * * JAN MON-fri'],
    ...[
      '* * * january *',
      '* * * * mon,tue-wed/2',
      '* * * * * *',
      '* * * *',
      '  * * * * *  ',
      '*\t* * * *',
      '+5 * * * *',
    ],
    ...['L * * * *', '* * 15W * *', '* * * * 5#3', '59/5 23 31 12 6'],
  ),
  ...each(
    'timeZone',
    'UTC',
    'Etc/UTC',
    'utc',
    'europe/berlin',
    'Europe/berlin',
    'CET',
    'Etc/GMT+5',
    '../etc',
    '/UTC',
    ' ',
  ),
);
