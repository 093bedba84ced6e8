import type { Json } from '../../verbs/json.ts';
import { image } from '../../verbs/pods.ts';
import { spec } from './judged-kind.ts';

export const podSpec = (more: Json = {}): Json => ({
  containers: [{ name: 'main', image }],
  ...more,
});

export const template = (app: string, more: Json = {}): Json => ({
  metadata: { labels: { app } },
  spec: podSpec(more),
});

/** What a PodTemplate says beside its name: pods of this spec. */
export const podsOf = (podSpec: Json): Json => ({ template: { spec: podSpec } });

/** The spec of what keeps pods running, which it selects by their label. */
export const workload = (more: Json = {}): Json =>
  spec({ selector: { matchLabels: { app: 'judged' } }, template: template('judged'), ...more });

export const otherLabels = spec({ template: template('other') });
export const otherSelector = workload({ selector: { matchLabels: { app: 'other' } }, template: template('other') });
