import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';
import { otherLabels, otherSelector, template, workload } from './workload-parts.ts';

const { daemonSets } = kindPaths;

const rolling = (maxSurge: number | string, maxUnavailable: number | string): Json =>
  spec({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } });

/** On no node, so that it has no pods. */
const base = workload({ template: template('judged', { nodeSelector: { 'touchstone.example/none': 'such' } }) });

export const unfitDaemonSets: readonly JudgedKind[] = [
  judged(daemonSets, {
    base,
    refused: {
      'pods that it does not select': otherLabels,
      'less than no time': spec({ minReadySeconds: -1 }),
      'less than no history': spec({ revisionHistoryLimit: -1 }),
      'pods that end': spec({ template: template('judged', { restartPolicy: 'Never' }) }),
      'an unknown strategy': spec({ updateStrategy: { type: 'Other' } }),
    },
    fixed: { 'another selector': otherSelector },
    free: { 'that it waits': spec({ updateStrategy: { type: 'OnDelete' } }) },
  }),
  judged(daemonSets, {
    name: 'how daemonsets roll',
    holds: { from: 22 },
    base,
    refused: {
      'more pods and fewer at once': rolling(1, 1),
      'no way to roll': rolling(0, 0),
      'a share that is none': rolling('some', 0),
      'fewer than all are gone': rolling(0, '101%'),
      'less than none': rolling(-1, 0),
    },
    free: { 'more pods for a while': rolling('100%', 0), 'fewer of them': rolling(0, '50%') },
  }),
];
