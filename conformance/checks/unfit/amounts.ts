import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import { claimsNothing, type JudgedKind, judged, spec } from './judged-kind.ts';

const { persistentVolumeClaims, resourceQuotas } = kindPaths;

const limit = (more: Json): Json => spec({ limits: [{ type: 'Container', ...more }] });

/** Of a quota. */
const selecting = (expression: Json): Json =>
  spec({
    hard: { pods: '1' },
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists', ...expression }] },
  });

/** Of a quota: all that it may be about by a name of one word. */
const quotas = [
  ...['pods', 'services', 'services.nodeports', 'services.loadbalancers', 'replicationcontrollers', 'resourcequotas'],
  ...['secrets', 'configmaps', 'persistentvolumeclaims', 'requests.storage', 'hugepages-2Mi', 'requests.hugepages-2Mi'],
  ...['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
];

/** What says how much there may be, and who asks for it. */
export const unfitAmounts: readonly JudgedKind[] = [
  judged(resourceQuotas, {
    refused: {
      'less than nothing': spec({ hard: { pods: '-1' } }),
      'half an object': spec({ hard: { pods: '1.5' } }),
      'an unknown scope': spec({ hard: { pods: '1' }, scopes: ['Other'] }),
      'scopes that leave nothing': spec({ hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] }),
      'a scope for what has none': spec({ hard: { services: '1' }, scopes: ['Terminating'] }),
      'a scope for what asks for nothing': spec({ hard: { 'requests.cpu': '1' }, scopes: ['BestEffort'] }),
      'no values of a scope': selecting({ operator: 'In', values: [] }),
      'values of a scope that is there or not': selecting({ operator: 'Exists', values: ['a'] }),
      'an unknown word between a scope and its values': selecting({ operator: 'Other' }),
      'an unknown scope by its values': selecting({ scopeName: 'Other' }),
      'a scope and nothing between it and its values': selecting({ operator: undefined }),
      'two choices that leave nothing': spec({
        hard: { pods: '1' },
        scopeSelector: {
          matchExpressions: ['Terminating', 'NotTerminating'].map((scopeName) => ({ scopeName, operator: 'Exists' })),
        },
      }),
      'a choice for what has none': merged(selecting({}), spec({ hard: { services: '1' } })),
      'a choice for what asks for nothing': merged(
        selecting({ scopeName: 'BestEffort' }),
        spec({ hard: { 'limits.memory': '1Gi' } }),
      ),
      'values of a scope that has none': selecting({ scopeName: 'BestEffort', operator: 'In', values: ['a'] }),
    },
    free: { 'other limits': spec({ hard: { pods: '3', services: '1' } }) },
    fresh: {
      'an unknown resource': spec({ hard: { other: '1' } }),
      'a resource by a bad name': spec({ hard: { 'Not A Name': '1' } }),
      'what one object has': spec({ hard: { storage: '1Gi' } }),
      ...Object.fromEntries(
        ['services', 'services.nodeports', 'configmaps', 'persistentvolumeclaims'].map((counted) => [
          `half of ${counted}`,
          spec({ hard: { [counted]: '500m' } }),
        ]),
      ),
      ...Object.fromEntries(
        ['NotBestEffort', 'Terminating', 'NotTerminating'].map((scopeName) => [
          `${scopeName} by its values`,
          selecting({ scopeName, operator: 'In', values: ['a'] }),
        ]),
      ),
    },
    fixed: { 'other scopes': spec({ hard: { pods: '1' }, scopes: ['BestEffort'] }) },
    fitting: {
      'two scopes': spec({ hard: { pods: '1' }, scopes: ['NotBestEffort', 'Terminating'] }),
      'what is counted by its name': spec({ hard: { 'count/widgets.example.com': '0' } }),
      'all that there is to count and to ask for': spec({ hard: Object.fromEntries(quotas.map((one) => [one, '1'])) }),
      'scopes of all that they leave': spec({
        hard: Object.fromEntries(['pods', 'cpu', 'requests.memory', 'limits.cpu'].map((one) => [one, '1'])),
        scopes: ['NotBestEffort', 'NotTerminating', 'PriorityClass'],
      }),
      'every choice by values': spec({
        hard: { pods: '1' },
        scopeSelector: {
          matchExpressions: [
            ...['In', 'NotIn'].map((operator) => ({ scopeName: 'PriorityClass', operator, values: ['a', 'b'] })),
            ...['Exists', 'DoesNotExist'].map((operator) => ({ scopeName: 'PriorityClass', operator })),
            ...['BestEffort', 'Terminating'].map((scopeName) => ({ scopeName, operator: 'Exists' })),
          ],
        },
      }),
    },
  }),
  judged(kindPaths.limitRanges, {
    base: limit({ max: { cpu: '2' } }),
    refused: {
      'more at least than at most': limit({ min: { cpu: '3' }, max: { cpu: '2' } }),
      'more at least than at most, of pods': spec({ limits: [{ type: 'Pod', min: { cpu: '3' }, max: { cpu: '2' } }] }),
      'more at least than at most, of claims': spec({
        limits: [{ type: 'PersistentVolumeClaim', min: { storage: '3Gi' }, max: { storage: '2Gi' } }],
      }),
      'a default beyond the limit': limit({ default: { cpu: '3' }, max: { cpu: '2' } }),
      'more asked for than given': limit({ defaultRequest: { cpu: '2' }, default: { cpu: '1' } }),
      'less asked for than the least': limit({ min: { cpu: '1' }, defaultRequest: { cpu: '500m' } }),
      'a ratio below one': limit({ maxLimitRequestRatio: { cpu: '0.5' } }),
      'a ratio beyond what the bounds allow': limit({
        ...{ min: { cpu: '1' }, max: { cpu: '2' } },
        maxLimitRequestRatio: { cpu: '3' },
      }),
      'an unknown type': spec({ limits: [{ type: 'Other', max: { cpu: '1' } }] }),
      'no storage for claims': spec({ limits: [{ type: 'PersistentVolumeClaim', max: { cpu: '1' } }] }),
      'what is asked for by pods': spec({ limits: [{ type: 'Pod', defaultRequest: { cpu: '1' } }] }),
      'defaults for pods': spec({ limits: [{ type: 'Pod', default: { cpu: '1' } }] }),
      'one type twice': spec({
        limits: [
          { type: 'Pod', max: { cpu: '1' } },
          { type: 'Container', max: { cpu: '1' } },
          { type: 'Pod', min: { cpu: '1' } },
        ],
      }),
    },
    free: { 'another limit': limit({ max: { cpu: '3' } }) },
    fresh: {
      'a default below the least': limit({ min: { cpu: '2' }, default: { cpu: '1' } }),
      'a default of claims below the least': spec({
        limits: [{ type: 'PersistentVolumeClaim', min: { storage: '2Gi' }, default: { storage: '1Gi' } }],
      }),
      'more asked for than at most': limit({ max: { cpu: '1' }, default: { cpu: '1' }, defaultRequest: { cpu: '2' } }),
      'a type by a bad name': spec({ limits: [{ type: 'Not A Name', max: { cpu: '1' } }] }),
      'no type': spec({ limits: [{ type: '', max: { cpu: '1' } }] }),
      'a resource that containers do not have': limit({ max: { storage: '1Gi' } }),
      'fewer huge pages asked for than given': limit({
        default: { 'hugepages-2Mi': '4Mi' },
        defaultRequest: { 'hugepages-2Mi': '2Mi' },
      }),
    },
    fitting: {
      'a type of somebody else': spec({ limits: [{ type: 'example.com/a', max: { cpu: '1' } }] }),
      'the most and the least of pods': spec({
        limits: [{ type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '2' } }],
      }),
      'the most of claims': spec({ limits: [{ type: 'PersistentVolumeClaim', max: { storage: '2Gi' } }] }),
      'all of one amount': limit({ min: { cpu: '1' }, max: { cpu: '1' }, default: { cpu: '1000m' } }),
    },
  }),
  judged(persistentVolumeClaims, {
    base: claimsNothing,
    refused: {
      'no way to use it': spec({ accessModes: [] }),
      'an unknown way to use it': spec({ accessModes: ['Other'] }),
      'less than no room': spec({ resources: { requests: { storage: '-1Gi' } } }),
      'a way to use it that stands alone': spec({ accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] }),
      'an unknown mode': spec({ volumeMode: 'Other' }),
    },
    fresh: {
      'no room': spec({ resources: { requests: { storage: '0' } } }),
      'room that is not said': spec({ resources: { requests: { storage: undefined } } }),
      'a bad class': spec({ storageClassName: 'Not_A_Name' }),
      'volumes by no selector': spec({ selector: { matchLabels: { 'Not A Key': 'a' } } }),
      'a source without a name': spec({ dataSource: { kind: 'PersistentVolumeClaim', name: '' } }),
    },
    fixed: {
      'another way to use it': spec({ accessModes: ['ReadWriteMany'] }),
      'another mode': spec({ volumeMode: 'Block' }),
      'less room': spec({ resources: { requests: { storage: '1Mi' } } }),
      'more room': spec({ resources: { requests: { storage: '2Gi' } } }),
      'another class': spec({ storageClassName: 'touchstone-other' }),
      'another source': spec({ dataSource: { kind: 'PersistentVolumeClaim', name: 'other' } }),
    },
    free: { 'the volume that it is bound to': spec({ volumeName: 'touchstone-none' }) },
    fitting: { 'several ways to use it': spec({ accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }) },
  }),
  judged(persistentVolumeClaims, {
    name: 'persistentvolumeclaims of a volume',
    base: merged(claimsNothing, spec({ volumeName: 'touchstone-none' })),
    fixed: { 'another volume': spec({ volumeName: 'touchstone-other' }), 'no volume': spec({ volumeName: undefined }) },
  }),
  judged(persistentVolumeClaims, {
    name: 'sources of persistentvolumeclaims',
    holds: { from: 24 },
    base: claimsNothing,
    fresh: {
      'a source of no kind': spec({ dataSourceRef: { kind: '', name: 'a' } }),
      'a source of no group that is no claim': spec({ dataSourceRef: { kind: 'Secret', name: 'a' } }),
      'two sources': spec({
        dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
        dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
      }),
    },
    fitting: { 'a source of a group': spec({ dataSourceRef: { apiGroup: 'example.com', kind: 'Some', name: 'a' } }) },
  }),
  judged(persistentVolumeClaims, {
    name: 'bound persistentvolumeclaims',
    base: claimsNothing,
    // Since v1.32 what a volume could not grow to may be taken back, as far as what there is.
    status: { phase: 'Bound', capacity: { storage: '1Ei' } },
    fixed: { 'less room': spec({ resources: { requests: { storage: '1Mi' } } }) },
  }),
];
